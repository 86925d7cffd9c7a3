/**
 * Rows that were written before filters knew of letters beyond ASCII lack the texts that filters compare: they
 * are given them once, in steps, table by table.
 */
import { guardVersions } from "../../db/guards.ts";
import { rawSql, sql } from "../../db/statements.ts";
import { type Database, GuardRefused, type Row, type Statement } from "../../platform/database/database.ts";

/** A table whose rows have `lowered`. */
export interface Lowering {
  readonly table: string;
  /** Of the table in `columns` and `joins`. */
  readonly alias: string;
  /** Select list of `id`, `version`, `lowered`, and of what that is made of. */
  readonly columns: string;
  readonly joins?: string;
  /** What the row should have. */
  readonly lowered: (row: Row) => string | null;
}

/** Rows that one step reads, and changes at most: few enough that it holds the write lock for well under 100 ms. */
export const stepRows = 500;
/** Steps of one run; the next run goes on. */
const mostSteps = 300;

/** Goes on where the last run ended, up to the row that was the last when it began; how many rows it changed. */
export async function lowerOlder(
  { db }: { readonly db: Database },
  lowerings: readonly Lowering[],
): Promise<number> {
  const [found] = await db.read([sql`select "table", done, last from lowerings`]);
  const known = new Map(found!.rows.map((row) => [row.table, row]));
  let changed = 0;
  let steps = 0;
  for (const lowering of lowerings) {
    const row = known.get(lowering.table) ?? await begun(db, lowering);
    const last = Number(row.last);
    let done = Number(row.done);
    while (done < last && steps++ < mostSteps) {
      // A database in this process never waits: let other calls in between.
      await new Promise((resolve) => setTimeout(resolve));
      const step = await lowerSome(db, lowering, done, last);
      done = step.done;
      changed += step.changed;
    }
  }
  return changed;
}

/** What is to be gone through where no migration has said so: the rows that there are now. */
async function begun(db: Database, { table }: Lowering): Promise<Row> {
  const results = await db.write([
    sql`insert into lowerings ("table", done, last)
      select ${table}, 0, coalesce(max(rowid), 0) from "${rawSql(table)}" where true on conflict do nothing`,
    sql`select done, last from lowerings where "table" = ${table}`,
  ]);
  return results[1]!.rows[0]!;
}

/** The next rows after `done`; where one has changed meanwhile none is, and they are read again. */
async function lowerSome(
  db: Database,
  { table, alias, columns, joins = "", lowered }: Lowering,
  done: number,
  last: number,
): Promise<{ done: number; changed: number }> {
  // Not beside a request: so many rows take longer than any call should wait.
  const [found] = await db.readAside([
    sql`select ${rawSql(columns)}, ${rawSql(alias)}.rowid as row_number from "${rawSql(table)}" ${
      rawSql(alias)
    } ${rawSql(joins)}
      where ${rawSql(alias)}.rowid > ${done} and ${rawSql(alias)}.rowid <= ${last} order by ${
      rawSql(alias)
    }.rowid limit ${stepRows}`,
  ], { effort: "few", company: 0 });
  const rows = found!.rows;
  const until = rows.length < stepRows ? last : Number(rows.at(-1)!.row_number);
  const lacking = rows.filter((row) => row.lowered === null && lowered(row) !== null);
  try {
    await db.write([
      ...lowerRows(table, lacking, lowered),
      sql`update lowerings set done = max(done, ${until}) where "table" = ${table}`,
    ]);
  } catch (error) {
    if (!(error instanceof GuardRefused)) throw error;
    return { done, changed: 0 };
  }
  return { done: until, changed: lacking.length };
}

/** No record looks different for it, so that their versions stay. */
function lowerRows(table: string, rows: readonly Row[], lowered: Lowering["lowered"]): Statement[] {
  if (rows.length === 0) return [];
  const values = JSON.stringify(rows.map((row) => [row.row_number, lowered(row)]));
  return [
    guardVersions(table, rows.map((row) => ({ id: String(row.id), version: Number(row.version) }))),
    sql`update "${rawSql(table)}" set lowered = (select v.value ->> 1 from json_each(${values}) v
      where v.value ->> 0 = "${
      rawSql(table)
    }".rowid) where rowid in (select value ->> 0 from json_each(${values}))`,
  ];
}
