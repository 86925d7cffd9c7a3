/**
 * `deno task bench --matrix [--contacts N] [--runs R] [--only TEXT] [--every N] [--out FILE] [--fresh]`: filters of
 * contacts by a prefix of the last name, a time, a third condition, a sort and a caller, each cell alone. Beside a
 * cell runs the best hand-written pair of statements over the schema's indexes, which also checks ids and total.
 *
 * A cell passes when its 95th percentile is at most 3 ms and 4 µs for each row that its two most selective
 * conditions leave together, and at most 2 ms and three times the hand-written pair. One that misses a bound is
 * measured once more, at once; both results are printed, and it passes if the second does.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { sha256 } from "../../src/platform/crypto.ts";
import { cellsOf, factsOf } from "./matrix/cells.ts";
import { indexesOf } from "./matrix/hand_written.ts";
import { measure, type Measured, type Pair } from "./matrix/measure.ts";
import { openWorld, serviceOn } from "./matrix/world.ts";
import { isMet, meets, row, summary, tsv } from "./matrix/report.ts";

/** Cells that are asked before the first that counts. */
const warmCells = 60;

/** Returns the exit code: 1 where a cell misses a bound. */
export async function runMatrix(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contacts: { type: "string", default: "100000" },
      runs: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      every: { type: "string", default: "1" },
      out: { type: "string" },
      fresh: { type: "boolean", default: false },
    },
  });
  const world = await openWorld(Number(values.contacts), values.fresh);
  using db = new DatabaseSync(world.file);
  db.exec(
    "pragma cache_size = -65536; pragma temp_store = memory; pragma mmap_size = 2147483648; pragma query_only = on",
  );
  const [member] = db.prepare("select user_id as id from access_tokens where hash = ?").all(
    sha256(world.member),
  );
  const facts = factsOf(db, Number(member!.id));
  const only = new RegExp(values.only);
  const cells = cellsOf(facts).filter(({ name }) => only.test(name))
    .filter((_, at) => at % Number(values.every) === 0);
  const kept = join(world.folder, "pairs.json");
  const pairs: Record<string, Pair> = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
  await using service = await serviceOn(world);
  const bench = { db, facts, indexes: indexesOf(db), service, tokens: world, runs: Number(values.runs) };
  const measured: Measured[] = [];
  // The first calls of a process run uncompiled code.
  for (const cell of spread(cells, warmCells)) await measure({ ...bench, runs: 1 }, cell, pairs[cell.name]);
  for (const cell of cells) {
    const first = await measure(bench, cell, pairs[cell.name]);
    pairs[cell.name] = first.pair;
    const again = meets(first) ? undefined : await measure(bench, cell, first.pair);
    const each: Measured = again ? { ...first, again } : first;
    measured.push(each);
    if (again) console.log(row(each));
  }
  writeFileSync(kept, JSON.stringify(pairs));
  if (values.out) writeFileSync(values.out, tsv(measured));
  console.log(summary(measured, facts));
  return measured.every(isMet) ? 0 : 1;
}

/** At most so many, from all parts of the list. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.ceil(all.length / most);
  return all.filter((_, at) => at % step === 0);
}

if (import.meta.main) Deno.exit(await runMatrix(Deno.args));
