/**
 * Paging during writes: following `urls.next` to the end meets every record that stayed in its place exactly
 * once.
 */
import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { endpoints } from "../../src/app.ts";
import { kinds, notFollowed } from "./walk/kinds.ts";
import { type Happening, type Id, type Kind, newWorld, type Seed, type World } from "./walk/world.ts";

/**
 * The number of walks of each kind of record. Kinds whose list everybody sees in full, or only admins see,
 * get half.
 */
const runs = Number(Deno.env.get("WALK_RUNS") ?? 2);

const seed: fc.Arbitrary<Seed> = fc.record({
  name: fc.constantFrom(null, "Ada", "ada", "Bea", "Cid"),
  day: fc.nat(2),
  team: fc.constantFrom("none", "own", "own", "sister", "other"),
  b2c: fc.boolean(),
  weight: fc.constantFrom(null, 1, 2),
});

/**
 * A write during one page: an insertion, or a change of the record at this position among those that still
 * exist.
 */
type Write = { readonly what: Happening | "insert"; readonly at: number; readonly seed: Seed };
const write: fc.Arbitrary<Write> = fc.record({
  what: fc.constantFrom("insert", "insert", "rename", "rename", "touch", "act", "move", "remove"),
  at: fc.nat(1000),
  seed,
});

const walk = (kind: Kind) =>
  fc.record({
    sort: fc.constantFrom(null, ...kind.sorts),
    per_page: fc.integer({ min: 1, max: 5 }),
    by: fc.constantFrom<"admin" | "member">("admin", kind.admins ? "admin" : "member"),
    records: fc.array(seed, { minLength: 1, maxLength: 16 }),
    // Writes during the first pages. The rest of the walk is undisturbed.
    writes: fc.array(fc.array(write, { maxLength: 3 }), { minLength: 1, maxLength: 8 }),
    together: fc.boolean(),
  });

interface Met {
  readonly id: Id;
  readonly key: string | number | null;
}

Deno.test("every list of customers, of sales and of people is followed page by page, in each of its orders", async () => {
  await using app = await startApp();
  const { paths } = await (await fetch(`${app.url}/openapi.json`)).json();
  const paged = endpoints.filter(({ declared }) => listSorts(paths, declared.path, declared.method) !== null);
  const followed = new Set(kinds.map(({ path }) => path));
  const missing = paged.map(({ declared }) => declared.path)
    .filter((path) => demanded.test(path) && !followed.has(path) && !(path in notFollowed));
  assert.deepEqual(missing, []);
  for (const { declared: { path, method } } of paged.filter(({ declared }) => followed.has(declared.path))) {
    const ofPath = kinds.filter((kind) => kind.path === path);
    for (const parameter of ["sort", "sort_mode"]) {
      const named = listSorts(paths, path, method, parameter)!;
      const walked = ofPath.filter((kind) => named.length === 0 || kind.parameter === parameter);
      if (named.length > 0) assert.ok(walked.length > 0, `${path} by ${parameter}`);
      for (const { sorts } of named.length > 0 ? walked : []) {
        assert.deepEqual(new Set(sorts.map((sort) => sort.replace("-", ""))), new Set(named), path);
      }
    }
  }
});

/** Paths whose lists must be walked, or be named in `notFollowed`. */
const demanded =
  /^\/v1\/(accounts|contacts|products|notes|cases|leads|tasks|agency|companies|teams|groups|roles|applications|tokens|webhooks)/;

/**
 * Returns the values of the sort parameter in the OpenAPI document, or null when the path is not a paged
 * list.
 */
function listSorts(paths: Body, path: string, method: string, parameter?: string): string[] | null {
  const { parameters = [] } = paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
  const of = (name: string) => parameters.find((each: Body) => each.name === name);
  if (!of("per_page")) return null;
  const order = parameter ? of(parameter) : of("sort") ?? of("sort_mode");
  if (!order) return [];
  const reported: string = order.description ?? order.schema.description ?? "";
  return order.schema.enum ?? [...reported.matchAll(/`(\w+)`/g)].map((match) => match[1]!);
}

for (const kind of kinds) {
  Deno.test(`a walk through ${kind.name} meets each record that stays in its place once, and ends`, async () => {
    await using app = await startApp();
    await fc.assert(
      fc.asyncProperty(walk(kind), async ({ sort, per_page, by, records, writes, together }) => {
        const world = await newWorld(app);
        const order = sort === null ? "" : sort.replace("-", "");
        const history = await History.of(kind, world, order, records);
        const sorted = sort === null ? "" : `&${kind.parameter}=${sort}`;
        const list = kind.list(world);
        const asked = list + (list.includes("?") ? "&" : "?");
        const met: Met[] = [];
        let pages = 0;
        let next: string | null = `${asked}per_page=${per_page}${sorted}`;
        while (next !== null) {
          // Moves the clock by a second, so that these writes are later than the previous ones.
          app.clock.move(1000);
          const happening = writes[pages++] ?? [];
          const wrote = history.write(happening);
          if (!together) await wrote;
          const page: Body = await readPage(app, world[by], next, kind);
          await wrote;
          for (const record of page.data) {
            met.push({ id: kind.id?.(record) ?? record.id, key: kind.key(record, order) });
          }
          next = page.pagination.urls.next;
          const most = history.all.length + world.beside;
          assert.ok(pages <= writes.length + most / per_page + 1, "the walk does not end");
        }
        const count = (id: Id) => met.filter((each) => each.id === id).length;
        for (const { id, hidden, steady } of history.all) {
          const seen = by === "admin" || !hidden;
          if (steady) assert.equal(count(id), seen ? 1 : 0, `${id} was met ${count(id)} times`);
        }
        const steady = new Set(history.all.filter((each) => each.steady).map(({ id }) => id));
        const kept = met.filter(({ id }) => steady.has(id));
        if (sort !== null && kept.every(({ key }) => key !== null)) inOrder(kept, sort.startsWith("-"));
      }),
      { numRuns: kind.shared || kind.admins ? Math.ceil(runs / 2) : runs },
    );
  });
}

interface Past {
  readonly id: Id;
  /** True for a record of a team that the member does not see. */
  readonly hidden: boolean;
  /** True while the record, which exists since the first page, has neither moved nor left. */
  steady: boolean;
  gone: boolean;
}

/** All records of a walk, including those that have left the list. */
class History {
  readonly all: Past[] = [];
  constructor(readonly kind: Kind, readonly world: World, readonly order: string) {}

  static async of(kind: Kind, world: World, order: string, seeds: readonly Seed[]): Promise<History> {
    const history = new History(kind, world, order || kind.fallback);
    for (const each of seeds) await history.insert(each, true);
    return history;
  }

  async write(writes: readonly Write[]): Promise<void> {
    for (const { what, at, seed } of writes) {
      const living = this.all.filter((each) => !each.gone);
      const record = living[at % Math.max(1, living.length)];
      if (what === "insert" || !record) await this.insert(seed, false);
      else {
        const moved = await this.kind.happen(this.world, record.id, what, seed);
        if (moved === "left") record.gone = true;
        if (moved === "left" || moved.includes(this.order)) record.steady = false;
      }
    }
  }

  private async insert(seed: Seed, steady: boolean): Promise<void> {
    const id = await this.kind.make(this.world, seed);
    this.all.push({ id, hidden: !this.kind.shared && seed.team === "other", steady, gone: false });
  }
}

async function readPage(app: TestApp, by: Actor, url: string, { filter }: Kind): Promise<Body> {
  const answer = await by.call(filter ? "POST" : "GET", url.replace(app.url, ""), filter);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

function inOrder(met: readonly Met[], descending: boolean): void {
  const rank = (a: Met, b: Met) => a.key! < b.key! ? -1 : a.key! > b.key! ? 1 : a.id < b.id ? -1 : 1;
  const sorted = met.toSorted(rank);
  assert.deepEqual(met, descending ? sorted.toReversed() : sorted);
}
