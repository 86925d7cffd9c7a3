/**
 * Erases the data of deleted companies, as staged work. The rows follow from the schema: those that refer to
 * the company, and those that refer to one of these. So a new table is erased, too.
 */
import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { consoleClient } from "./core/access.ts";
import { dropCompanyObjects, selectObjectsToDrop } from "./db/objects.ts";
import { removeWaitingMails, selectWaitingMails } from "./db/mails.ts";
import { objects } from "./db/tables.ts";
import { bindRows, identifier, joinSql, literal, type Sql, sql } from "./db/statements.ts";
import { companyErasure } from "./identity/companies/delete.ts";
import type { Database, Statement, Value } from "./platform/database/database.ts";
import { tables } from "./schema.ts";
import type { StagedKind, Step } from "./staged/kind.ts";
import { stagedWork } from "./staged/table.ts";
import { endCompanyWork } from "./staged/work.ts";

/**
 * The most rows and bytes that a step removes, so that it holds the write lock for well under 100 ms. A
 * single row may be larger.
 */
const stepRows = 200;
const stepBytes = 32 * 1024 * 1024;

/** Each step removes rows of one table to which no other rows refer. The last step removes the company. */
export const companyErasureWork: StagedKind = {
  kind: companyErasure,
  ofDeleted: true,
  async step({ company_id }, _take, { db, now }) {
    const [stored, waiting] = await db.read([
      selectObjectsToDrop(company_id, now),
      selectWaitingMails(company_id),
    ]);
    // They have no reference to the company, because other mails are of no company.
    if (waiting!.rows.length > 0) return planStep({ statements: [removeWaitingMails(company_id, stepRows)] });
    if (stored!.rows.length > 0) {
      return planStep({ statements: [dropCompanyObjects(company_id, now, stepRows)] });
    }
    const rows = await removable(db, "companies", "id", [company_id]);
    if (rows === null) return planStep({ more: false });
    if (rows.table === "users") {
      const [kept] = await db.read([selectKeptAnswers(rows)]);
      if (kept!.rows.length > 0) {
        return planStep({
          statements: [sql`delete from idempotency_keys where rowid in (${selectKeptAnswers(rows)})`],
        });
      }
    }
    const statements = [sql`delete from "${identifier(rows.table)}" where ${isAmong(rows)}`];
    return planStep(
      rows.table === "companies"
        ? { statements: [endCompanyWork(company_id), ...statements], more: false }
        : { statements },
    );
  },
};

/**
 * Selects answers that are kept for the users of clients without a company and of the console. Those of the
 * company's own clients go with the clients.
 */
function selectKeptAnswers(users: Rows): Statement {
  return sql`select k.rowid from users u cross join (select client_id from applications where company_id is null
    union all select ${consoleClient}) a cross join idempotency_keys k
    on k.client_id = a.client_id and k.user_id = u.id
    where u.rowid in (${selectValues(users.rowids)}) limit ${bindRows(stepRows)}`;
}

function planStep(step: Partial<Step>) {
  return { reads: [], apply: () => ({ statements: [], events: [], more: true, ...step }) };
}

/** Returns the names of the tables from which rows are erased. */
export function listErasedTables(): Set<string> {
  const reached = new Set(["companies", getTableName(stagedWork)]);
  for (const table of reached) {
    for (const { table: child, parent } of readReferences()) if (parent === table) reached.add(child);
  }
  return reached;
}

interface Rows {
  readonly table: string;
  /** Rowids. For a table without rowids: JSON lists of the values of its key. */
  readonly rowids: readonly Value[];
}

/** Tables without rowids. */
const withoutRowid = ["fact_rollups"];

/** The key columns of each table without rowids. */
const keysOf = new Map(
  tables.filter((table) => withoutRowid.includes(getTableName(table))).map((table): [string, Sql[]] => {
    const columns = getTableConfig(table).primaryKeys[0]!.columns.map(({ name }) => identifier(name));
    return [getTableName(table), columns];
  }),
);

function rowid(table: string): Sql {
  const key = keysOf.get(table);
  return key ? sql`json_array(${joinSql(key, ", ")})` : sql`rowid`;
}

function isAmong({ table, rowids }: Rows): Sql {
  const key = keysOf.get(table);
  if (!key) return sql`rowid in (${selectValues(rowids)})`;
  const values = key.map((_, position) => sql`value ->> ${literal(position)}`);
  return sql`(${joinSql(key, ", ")}) in
    (select ${joinSql(values, ", ")} from json_each(${JSON.stringify(rowids)}))`;
}

/** Rows of `table` whose `column` has a value of `key` in selected rows of `parent`. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly parent: string;
  readonly key: string;
}

/**
 * Returns rows of the table that have one of the values. If other rows refer to them, returns some of those
 * instead, because foreign keys require that they go first. Null when there are no rows.
 */
async function removable(
  db: Database,
  table: string,
  column: string,
  values: readonly Value[],
): Promise<Rows | null> {
  const children = readReferences().filter((reference) => reference.parent === table);
  const keys = [...new Set(children.map(({ key }) => key))];
  const picked = [
    sql`${rowid(table)} as row_number, ${sumBytes(table)} as row_bytes`,
    ...keys.map((key) => sql`"${identifier(key)}" as ${identifier(`key_${key}`)}`),
  ];
  const [found] = await db.read([
    sql`select ${joinSql(picked, ", ")} from ${withOne(table, column, values)} limit ${bindRows(stepRows)}`,
  ]);
  const { rows } = found!;
  if (rows.length === 0) return null;
  const named = children.map((child) => ({ ...child, values: rows.map((row) => row[`key_${child.key}`]!) }));
  const naming = await db.read(
    named.map((child) =>
      sql`select 1 as found from ${withOne(child.table, child.column, child.values)} limit 1`
    ),
  );
  const first = named[naming.findIndex((result) => result.rows.length > 0)];
  if (first) return await removable(db, first.table, first.column, first.values);
  let bytes = 0;
  const fitting = rows.filter((row, index) => (bytes += Number(row.row_bytes)) <= stepBytes || index === 0);
  return { table, rowids: fitting.map((row) => row.row_number!) };
}

function withOne(table: string, column: string, values: readonly Value[]): Sql {
  return sql`"${identifier(table)}" where "${identifier(column)}" in (${selectValues(values)})`;
}

function selectValues(values: readonly Value[]): Sql {
  return sql`select value from json_each(${JSON.stringify(values)})`;
}

/** SQL for the bytes of a row's texts. */
function sumBytes(name: string): Sql {
  const table = tables.find((table) => getTableName(table) === name)!;
  const texts = Object.values(getTableColumns(table)).filter(({ dataType }) => dataType === "string");
  const sizes = texts.map(({ name }) => sql`coalesce(octet_length("${identifier(name)}"), 0)`);
  return joinSql([sql`0`, ...sizes], " + ");
}

/** Tables that are left out: objects have their own job, and the staged work ends with the company. */
const others: readonly unknown[] = [objects, stagedWork];

let allReferences: readonly Reference[] | undefined;

/**
 * Returns all references. They are collected on first use: reading the foreign keys of all tables takes 10 ms
 * of the start.
 */
function readReferences(): readonly Reference[] {
  return allReferences ??= [
    ...tables.filter((table) => !others.includes(table)).flatMap(listReferences),
    // This table has no foreign key, because it stores answers for any caller.
    { table: "idempotency_keys", column: "client_id", parent: "applications", key: "client_id" },
  ];
}

/** Returns the references of a table: by its foreign keys, and by its company if an index supports that. */
function listReferences(table: SQLiteTable): Reference[] {
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
