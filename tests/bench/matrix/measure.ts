/** Measures one cell: the call of the service, and the best hand-written pair. */
import { cpuUsage } from "node:process";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type Cell, type Facts, makeFilterBody, sorts } from "./cells.ts";
import { foldedName, type HandWritten, handWritten, type Index, type Query } from "./hand_written.ts";
import type { Service } from "./world.ts";

export interface Measured {
  readonly cell: Cell;
  /** Milliseconds of the service's call. */
  readonly p50: number;
  readonly p95: number;
  /**
   * Processor milliseconds of a call, of all threads: the median. This figure counts when other programs keep
   * the cores busy.
   */
  readonly cpu: number;
  readonly matches: number;
  /** The fewest rows that two of the cell's conditions leave. */
  readonly left: number;
  /** Milliseconds of the hand-written pair, and its processor milliseconds: the medians. */
  readonly best: number;
  readonly bestCpu: number;
  readonly pair: Pair;
  /** Null if both return the same ids and total. */
  readonly difference: string | null;
  /** The last measurement of a cell that missed a bound in the first. */
  readonly again?: Measured;
}

/** The names of the fastest candidates. */
export interface Pair {
  readonly page: string;
  readonly count: string;
}

export interface Bench {
  readonly db: DatabaseSync;
  readonly facts: Facts;
  readonly indexes: readonly Index[];
  readonly service: Service;
  readonly tokens: { readonly admin: string; readonly member: string };
  readonly runs: number;
}

/** After this many milliseconds, a cell needs no more than five runs. */
const enough = 1_500;
/** The number of calls before the measurement, so that every reading thread prepares the statements once. */
const warmCalls = 3;

/** Measures a cell. `known` is the pair that an earlier run on this world has chosen. */
export async function measure(bench: Bench, cell: Cell, known: Pair | undefined): Promise<Measured> {
  const { db, facts, indexes, service, tokens } = bench;
  const written = handWritten(cell, facts, indexes);
  const pair = known ?? choose(db, written);
  const page = queryNamed(written.pages, pair.page);
  const count = queryNamed(written.counts, pair.count);
  const path = `/v1/contacts/filter?sort=${sorts[cell.sort]}`;
  const body = makeFilterBody(cell, facts);
  const call = () => service.call(path, tokens[cell.caller], body);
  for (let n = 0; n < warmCalls; n++) await call();
  const [ours, theirs]: [number[], number[]] = [[], []];
  const [ourCpu, theirCpu]: [number[], number[]] = [[], []];
  const begun = performance.now();
  let answer = await call();
  let found = preparePair(db, page, count, written.values);
  while (ours.length < bench.runs && (ours.length < 5 || performance.now() - begun < enough)) {
    const used = cpuUsage();
    const start = performance.now();
    answer = await call();
    const between = performance.now();
    ourCpu.push(addUp(cpuUsage(used)));
    const usedBetween = cpuUsage();
    found = preparePair(db, page, count, written.values);
    theirs.push(performance.now() - between);
    theirCpu.push(addUp(cpuUsage(usedBetween)));
    ours.push(between - start);
  }
  if (answer.status !== 200) throw new Error(`${cell.name} answered ${answer.status}: ${answer.text}`);
  const { data, pagination } = JSON.parse(answer.text);
  const ids = data.map(({ id }: { id: string }) => id);
  return {
    cell,
    p50: quantile(ours, 0.5),
    p95: quantile(ours, 0.95),
    cpu: quantile(ourCpu, 0.5),
    matches: pagination.total,
    left: rowsLeft(bench, cell, written.values),
    best: quantile(theirs, 0.5),
    bestCpu: quantile(theirCpu, 0.5),
    pair,
    difference: difference({ ids, total: pagination.total }, found),
  };
}

/** Returns the milliseconds of processor time. */
function addUp({ user, system }: { readonly user: number; readonly system: number }): number {
  return (user + system) / 1000;
}

interface Found {
  readonly ids: readonly string[];
  readonly total: number;
}

function preparePair(
  db: DatabaseSync,
  page: Query,
  count: Query,
  values: Readonly<Record<string, SQLInputValue>>,
): Found {
  const rows = run(db, page, values);
  return { ids: rows.map(({ id }) => String(id)).slice(0, 15), total: Number(run(db, count, values)[0]!.n) };
}

function difference(ours: Found, theirs: Found): string | null {
  if (ours.total !== theirs.total) return `total ${ours.total}, not ${theirs.total}`;
  return ours.ids.join() === theirs.ids.join() ? null : "other ids";
}

/** Chooses the fastest page and the fastest count, by the better of two runs. */
function choose(db: DatabaseSync, { pages, counts, values }: HandWritten): Pair {
  const fastest = (queries: readonly Query[]) => {
    const timed = queries.flatMap((query) => {
      const took = [0, 1].map(() => {
        const begun = performance.now();
        run(db, query, values);
        return performance.now() - begun;
      });
      return { name: query.name, ms: Math.min(...took) };
    });
    return timed.reduce((best, each) => each.ms < best.ms ? each : best).name;
  };
  return { page: fastest(pages), count: fastest(counts) };
}

function queryNamed(queries: readonly Query[], name: string): Query {
  const found = queries.find((query) => query.name === name);
  if (!found) throw new Error(`There is no hand-written statement "${name}" any more.`);
  return found;
}

/** Runs a statement with the values that it names. */
function run(db: DatabaseSync, { sql }: Query, values: Readonly<Record<string, SQLInputValue>>) {
  let statement = kept.get(sql);
  if (!statement) kept.set(sql, statement = db.prepare(sql));
  statement.setAllowUnknownNamedParameters(true);
  return statement.all(values);
}

const kept = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

/**
 * Returns the fewest rows that two conditions of the cell leave together. The caller's teams count as a
 * condition.
 */
function rowsLeft(
  { db, indexes }: Bench,
  cell: Cell,
  values: Readonly<Record<string, SQLInputValue>>,
): number {
  const name = foldedName(indexes);
  const teams = "c.team_id is null or c.team_id in (select value from json_each($teams))";
  const conditions = [
    `${name} >= $prefix and ${name} < $end`,
    `c.created_at >= $from${cell.time.until === null ? "" : " and c.created_at < $until"}`,
    ...(cell.third === "status" ? ["c.status = $status"] : []),
    ...(cell.third === "choice"
      ? ["c.seq in (select owner from custom_values where field = $field and text = $option)"]
      : []),
    ...(cell.third.startsWith("consent") ? ["c.consent_email = 0"] : []),
    ...(cell.third.endsWith("text")
      ? [
        "c.seq in (select owner from custom_values where field = $textField and text >= $text and text < $textEnd)",
      ]
      : []),
    ...(cell.third === "team" || cell.caller === "member" ? [teams] : []),
  ];
  const counts = conditions.flatMap((one, at) =>
    conditions.slice(at + 1).map((other) => {
      const sql =
        `select count(*) as n from contacts c where c.company_id = $company and (${one}) and (${other})`;
      const key = JSON.stringify([sql, values]);
      let n = leftBy.get(key);
      if (n === undefined) leftBy.set(key, n = Number(run(db, { name: "", sql }, values)[0]!.n));
      return n;
    })
  );
  return Math.min(...counts);
}

/** The results of `rowsLeft`, which cells that differ only in their sort share. */
const leftBy = new Map<string, number>();

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * share) - 1]!;
}
