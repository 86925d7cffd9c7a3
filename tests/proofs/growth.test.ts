/**
 * Lists do not get slower with the rows: the time of a call's statements at 30,000 rows is at most 1.6 times
 * that at 6,000, and at 60,000 rows (`GROWTH_ROWS`) at most twice, in one run. Statements are measured alone,
 * because the rest of a call hides a millisecond of theirs. Both databases answer in turn, so that a
 * disturbance affects both, and medians are compared. A list that misses its bound is measured again after
 * all others.
 *
 * `plans.txt` records the query plans of each list. After an intended change of plans, run:
 *
 *     WRITE_PLANS=1 deno test --config tests/deno.json -A tests/proofs/growth.test.ts
 *
 * `WRITE_SCANS=1` also measures the times in `scans.txt` anew, which takes minutes.
 */
import assert from "node:assert/strict";
import { createApp, endpoints } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import type { Statement, ThreadedRead } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";
import { type CallerName, grow } from "./grown.ts";
import { customerFilters, type FilterRequest } from "./growth_filters.ts";
import { filteredLists, type List, lists, short, unpaged } from "./growth_lists.ts";

const many = Number(Deno.env.get("GROWTH_ROWS") ?? 30_000);
/**
 * With fewer rows, a list would fill fewer pages and have fewer matches, and be faster for that reason alone.
 */
const few = 6_000;
const mostTimes = many > 30_000 ? 2 : 1.6;
/** Smaller differences, in milliseconds, are noise of the machine. */
const floor = 0.15;
const repeats = 9;
/**
 * A list whose time grows by at most this factor in the first three pairs of calls is clearly within its
 * bound.
 */
const clearTimes = 1.4;
const clearRepeats = 3;
/**
 * The most measurements of a list that misses its bound, and as many again at the end: other tests run beside
 * this one.
 */
const chances = 4;

/** Records the plans anew, without measuring; the scans take minutes. */
const recordsScans = Deno.env.has("WRITE_SCANS");
const recording = recordsScans || Deno.env.has("WRITE_PLANS");
/** The recorded times of filters that read all rows. */
const scansFile = new URL("./scans.txt", import.meta.url);
/**
 * The most rows that a filter with a measured growth selects. Twenty accounts have more than twenty contacts.
 */
const mostSelected = 300;
const plansFile = new URL("./plans.txt", import.meta.url);

Deno.test("every list that is paged is held to its growth", () => {
  const paged = endpoints.filter(({ declared }) =>
    declared.method === "get" && "page" in getShape(declared.query)
  ).map(({ declared }) => declared.path);
  assert.deepEqual([...new Set(lists.map(({ path }) => path)), ...short].sort(), paged.sort());
});

Deno.test(`a list at ${many} rows takes at most ${mostTimes} times what it takes at ${few}, by plans that are recorded`, () =>
  inFolder(async (folder) => {
    await using small = await serve(`${folder}/few.db`, few);
    await using large = await serve(`${folder}/many.db`, many);
    const plans = new Plans();
    const growths = new Growths();
    for (const request of [...requests(), ...filterings()]) {
      const there = await large.ask(await request.on(large));
      plans.add(request.name, await there.plans());
      if (!recording) await growths.measure(request.name, await small.ask(await request.on(small)), there);
    }
    const misses = await heldFilters(small, large, growths);
    misses.push(...await growths.misses());
    const text = plans.text();
    if (recording) Deno.writeTextFileSync(plansFile, text);
    assert.deepEqual(misses, []);
    const reported =
      "plans.txt is not how lists are read now; the head of this file says how to record it anew";
    assert.deepEqual(linesThatDiffer(text, Deno.readTextFileSync(plansFile)), [], reported);
  }));

/**
 * Measures the growth of filters by each field and operator. Returns those that select no rows, or too many
 * for it. With `WRITE_SCANS`, also measures and records the filters that scan.
 */
async function heldFilters(small: Grown, large: Grown, growths: Growths): Promise<string[]> {
  const { selective, scanning } = customerFilters();
  const makeAsked = ({ path, filter }: FilterRequest): Asked => (
    { caller: "seller", url: `http://crm.test${path}`, body: JSON.stringify({ filter }) }
  );
  const misses: string[] = [];
  for (const request of selective) {
    const there = await large.ask(makeAsked(request));
    const { total } = there.pagination;
    if (total === 0 || total > mostSelected) misses.push(`${request.name} selects ${total}`);
    if (!recording) await growths.measure(request.name, await small.ask(makeAsked(request)), there);
  }
  if (recordsScans) {
    const figures: string[] = [];
    for (const request of scanning) {
      const took = await measureTime(() => large.ask(makeAsked(request)));
      figures.push(`${request.name}: ${Math.max(1, Math.round(took))} ms`);
    }
    Deno.writeTextFileSync(scansFile, `${figures.join("\n")}\n`);
  }
  const listed = Deno.readTextFileSync(scansFile).trim().split("\n").map((line) => line.split(":")[0]);
  assert.deepEqual(listed, scanning.map(({ name }) => name), "scans.txt has those that scan, and no others");
  return misses;
}

/**
 * Measures requests on both databases. Keeps those that miss their bound, and measures them again at the end.
 */
class Growths {
  readonly #missed: { name: string; again: () => Promise<string | null> }[] = [];

  async measure(name: string, small: Answered, large: Answered): Promise<void> {
    const again = () => slower(small.readAgain, large.readAgain);
    if (await again() !== null) this.#missed.push({ name, again });
  }

  async misses(): Promise<string[]> {
    const reported: string[] = [];
    for (const { name, again } of this.#missed) {
      const miss = await again();
      if (miss !== null) reported.push(`${name}: ${miss}`);
    }
    return reported;
  }
}

/** Numbers each distinct plan. Requests refer to plans by number. */
class Plans {
  readonly #numbers = new Map<string, number>();
  readonly #requests: string[] = [];

  add(request: string, plans: readonly string[]): void {
    const numbers = plans.map((plan) => {
      const number = this.#numbers.get(plan) ?? this.#numbers.size + 1;
      this.#numbers.set(plan, number);
      return number;
    });
    this.#requests.push(`${request}: ${numbers.join(", ")}`);
  }

  text(): string {
    const plans = [...this.#numbers].map(([plan, number]) => `${number}\n  ${plan.replaceAll("\n", "\n  ")}`);
    return `${[...this.#requests, ...plans].join("\n")}\n`;
  }
}

interface Asked {
  readonly caller: CallerName;
  readonly url: string;
  /** Sent by POST. */
  readonly body?: string;
}

interface Pagination {
  readonly total: number;
  readonly per_page: number;
  readonly urls: { readonly next: string | null };
}

/** A call that was made. */
interface Answered {
  readonly pagination: Pagination;
  /** Runs the call's statements again. */
  readAgain(): Promise<unknown>;
  /** Returns the distinct plans of the call's statements. */
  plans(): Promise<string[]>;
}

interface Grown extends AsyncDisposable {
  ask(asked: Asked): Promise<Answered>;
  /** Returns the pagination of the last answer to this GET; makes the call if there is none. */
  paginationOf(asked: Asked): Promise<Pagination>;
}

async function serve(file: string, rows: number): Promise<Grown> {
  await grow(file, rows);
  const box = await openBox(loadConfig({ DATABASE_URL: `file:${file}` }), { log: memoryLog() });
  // A busy machine may hold a thread up for longer than a caller waits.
  const patient = openFile(file, { deadline: 60_000 });
  const read: Statement[] = [];
  const db = {
    ...patient,
    read(statements: readonly Statement[]) {
      read.push(...statements);
      return patient.read(statements);
    },
    readOnThread(statements: readonly Statement[], how: ThreadedRead) {
      read.push(...statements);
      return patient.readOnThread(statements, how);
    },
  };
  const app = createApp({ ...box.deps, db });
  const paginations = new Map<string, Pagination>();
  const makeKey = ({ caller, url }: Asked) => `${caller} ${url}`;
  const ask = async (asked: Asked): Promise<Answered> => {
    const { caller, url, body } = asked;
    read.length = 0;
    const headers = { "Authorization": `Bearer ${caller}`, "Content-Type": "application/json" };
    const response = await app.fetch(
      new Request(url, body === undefined ? { headers } : { method: "POST", headers, body }),
    );
    const text = await response.text();
    assert.equal(response.status, 200, `${url} ${text}`);
    const { pagination } = JSON.parse(text);
    if (body === undefined) paginations.set(makeKey(asked), pagination);
    // Without `threaded`, so that all statements run on the same thread.
    const statements = read.map(({ sql, args }) => ({ sql, args }));
    return {
      pagination,
      readAgain: () => patient.read(statements),
      async plans() {
        const found = await patient.read(
          statements.map(({ sql, args }) => ({ sql: `explain query plan ${sql}`, args })),
        );
        return [...new Set(found.map(({ rows }) => rows.map(({ detail }) => detail).join("\n")))];
      },
    };
  };
  return {
    ask,
    paginationOf: async (asked) => paginations.get(makeKey(asked)) ?? (await ask(asked)).pagination,
    async [Symbol.asyncDispose]() {
      await patient.close();
      await box.close();
    },
  };
}

/** Yields every request of every list, for each of its callers. */
function* requests(): Generator<{ name: string; on(grown: Grown): Promise<Asked> }> {
  for (const list of [...lists, ...unpaged]) {
    for (const caller of list.callers) {
      const url = (query: string) => `http://crm.test${fillPath(list)}?${query}`;
      for (const query of [...list.queries, ...list.filters]) {
        yield {
          name: `${caller} GET ${list.path}?${query}`,
          on: () => Promise.resolve({ caller, url: url(query) }),
        };
      }
      for (const query of list.queries) {
        yield {
          name: `${caller} GET ${list.path}?${query} (deep)`,
          async on(grown) {
            const { total, per_page } = await grown.paginationOf({ caller, url: url(query) });
            const page = Math.max(1, Math.floor(total / per_page / 2));
            const { urls } = await grown.paginationOf({ caller, url: url(`${query}&page=${page}`) });
            assert.ok(urls.next, `${list.path}?${query} has no page after ${page}`);
            return { caller, url: urls.next };
          },
        };
      }
    }
  }
}

/** Yields every filter of the lists that are requested by POST, in each of their orders. */
function* filterings(): Generator<{ name: string; on(grown: Grown): Promise<Asked> }> {
  for (const { path, caller, queries, filters } of filteredLists) {
    for (const filter of filters) {
      const body = JSON.stringify({ filter });
      for (const query of queries) {
        yield {
          name: `${caller} POST ${path}?${query} ${body}`,
          on: () => Promise.resolve({ caller, url: `http://crm.test${path}?${query}`, body }),
        };
      }
    }
  }
}

function fillPath(list: List): string {
  return list.path.replace(/:(\w+)/g, (_, name) => String(list.params?.[name]));
}

/** Returns null when `large` takes at most twice the time of `small`, otherwise both times. */
async function slower(small: () => Promise<unknown>, large: () => Promise<unknown>): Promise<string | null> {
  let reported = "";
  for (let chance = 0; chance < chances; chance++) {
    const times: [number[], number[]] = [[], []];
    const within = (most: number) => median(times[1]) <= median(times[0]) * most + floor;
    for (let n = 1; n <= repeats; n++) {
      times[0].push(await measureTime(small));
      times[1].push(await measureTime(large));
      if (n === clearRepeats && within(clearTimes)) return null;
    }
    if (within(mostTimes)) return null;
    const [one, two] = [median(times[0]), median(times[1])];
    reported = `${one.toFixed(2)} ms with ${few} rows, ${two.toFixed(2)} ms with ${many}`;
  }
  return reported;
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Returns the lines (requests, or steps of plans) that only one of the two texts contains. */
function linesThatDiffer(now: string, recorded: string): string[] {
  const [here, there] = [new Set(now.split("\n")), new Set(recorded.split("\n"))];
  return [...here.symmetricDifference(there)];
}

function getShape(schema: unknown): object {
  if (typeof schema !== "object" || schema === null) return {};
  return "shape" in schema && typeof schema.shape === "object" && schema.shape ? schema.shape : {};
}
