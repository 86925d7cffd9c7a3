/**
 * Erasing what deleted companies had. Which rows those are is read from the schema itself, so that a table
 * that is added is erased too: rows that name the company, and rows that name one of those.
 */
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatTimestamp } from "./core/time.ts";
import { dropObjectsOf } from "./db/objects.ts";
import { rawSql, sql, statement } from "./db/statements.ts";
import type { Deps } from "./deps.ts";
import type { Value } from "./platform/database/database.ts";
import * as schema from "./schema.ts";

/** Milliseconds for which other processes may still remember callers of a deleted company, with room. */
const grace = 60_000;
/** Rows that one statement removes: few enough that it holds the write lock for well under 100 ms. */
const stepRows = 200;
/** Questions to the database in one run; the next run goes on. */
const mostSteps = 500;

/**
 * Erases the data of companies deleted a minute ago or earlier at `now` (epoch milliseconds), in bounded
 * steps; how many rows it removed. A large company takes several runs.
 */
export async function eraseCompanies(deps: Pick<Deps, "db">, now: number): Promise<number> {
  const [found] = await deps.db.read([
    sql`select id from companies where deleted_at <= ${formatTimestamp(now - grace)} order by deleted_at`,
  ]);
  const ids = found!.rows.map(({ id }) => id as number);
  const run: Run = { deps, left: mostSteps, removed: 0 };
  for (const id of ids) {
    if (!await dropStored(run, id, now) || !await erase(run, "companies", "id", [id])) break;
  }
  return run.removed;
}

/** What the company has in the storage is left to the job that removes objects. False as with `erase`. */
async function dropStored(run: Run, id: number, now: number): Promise<boolean> {
  for (;;) {
    if (run.left-- <= 0) return false;
    const [dropped] = await run.deps.db.write([dropObjectsOf(id, now, stepRows)]);
    if (dropped!.changes < stepRows) return true;
  }
}

/** The names of the tables that rows are erased from. */
export function erasedTables(): Set<string> {
  const reached = new Set(["companies"]);
  for (const table of reached) {
    for (const { table: child, parent } of references) if (parent === table) reached.add(child);
  }
  return reached;
}

interface Run {
  readonly deps: Pick<Deps, "db">;
  left: number;
  removed: number;
}

/** Rows of `table` whose `column` is one of those that `parent` has in `key`. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

/**
 * Removes the rows of the table that have one of the values, a few at a time and each after those that name
 * it, as foreign keys want it. Depth first, so that what is done need not be looked through again. False when
 * the run has made its steps.
 */
async function erase(run: Run, table: string, column: string, values: readonly Value[]): Promise<boolean> {
  const children = references.filter((reference) => reference.parent === table);
  const keys = [...new Set(children.map(({ key }) => key))];
  const picked = ["rowid as row_number", ...keys.map((key) => `"${key}" as "key_${key}"`)];
  const some = (select: string) =>
    `select ${select} from "${table}" where "${column}" in (select value from json_each(?)) limit ${stepRows}`;
  for (;;) {
    let which = statement(some("rowid"), JSON.stringify(values));
    if (children.length > 0) {
      if (run.left-- <= 0) return false;
      const [found] = await run.deps.db.read([statement(some(picked.join(", ")), JSON.stringify(values))]);
      const rows = found!.rows;
      if (rows.length === 0) return true;
      for (const { table: child, column: name, key } of children) {
        if (!await erase(run, child, name, rows.map((row) => row[`key_${key}`]!))) return false;
      }
      which = sql`select value from json_each(${JSON.stringify(rows.map((row) => row.row_number!))})`;
    }
    if (run.left-- <= 0) return false;
    const [gone] = await run.deps.db.write([
      sql`delete from "${rawSql(table)}" where rowid in (${which})`,
    ]);
    run.removed += gone!.changes;
    if (gone!.changes < stepRows) return true;
  }
}

const references: readonly Reference[] = [
  ...Object.values(schema).filter((value) => is(value, SQLiteTable) && value !== schema.objects)
    .flatMap(referencesOf),
  // Without a foreign key, so that answers can be kept for any caller.
  { table: "idempotency_keys", column: "client_id", parent: "applications", key: "client_id" },
];

/** By foreign keys; and by the company where an index finds its rows. */
function referencesOf(table: SQLiteTable): Reference[] {
  const config = getTableConfig(table);
  const named = config.foreignKeys.map((key): Reference => {
    const { columns, foreignColumns, foreignTable } = key.reference();
    return {
      table: config.name,
      column: columns[0]!.name,
      parent: getTableName(foreignTable),
      key: foreignColumns[0]!.name,
    };
  });
  const leading = [
    ...config.indexes.filter((index) => !index.config.where).map((index) => index.config.columns[0]),
    ...config.primaryKeys.map((key) => key.columns[0]),
    ...Object.values(getTableColumns(table)).filter((column) => column.primary),
  ];
  const byCompany = leading.some((column) => column && "name" in column && column.name === "company_id");
  const known = named.some(({ parent }) => parent === "companies");
  return byCompany && !known
    ? [...named, { table: config.name, column: "company_id", parent: "companies", key: "id" }]
    : named;
}
