/**
 * Computes again what rows keep beside their texts, so that they are found and compared as new ones are: after an
 * upgrade that changes how, and when the country of a company changes. Nothing that a client reads changes, so
 * there are no events, and `updated_at` stays.
 */
import type { FieldAuthor } from "../db/commit.ts";
import { guardVersions, identifier, joinSql, literal, type Sql, sql } from "../db/statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { StagedKind } from "./kind.ts";

/** Rows of a step: few enough that it holds the write lock for well under 100 ms. */
const most = 100;

/** The kind of the work; its subject is the company. Migrations begin it by this name. */
const kind = "reindex";

/** A kind of record whose rows keep such forms. They have `id`, `company_id`, `created_at` and `version`. */
export interface Reindexed {
  readonly table: string;
  /** The rows, if not all. */
  readonly where?: Sql;
  readonly select: Selected;
  /** Writes the forms of the rows. */
  readonly write: (author: FieldAuthor, rows: readonly Row[]) => Statement[];
}

/** A select list with its joins, over an alias of the table. */
interface Selected {
  readonly columns: Sql;
  readonly joins: Sql;
  readonly alias: string;
}

/** Where the work is: the number of the table, and the last row. */
interface Progress {
  readonly table?: number;
  readonly after?: readonly [created_at: string, id: string | number];
}

/** Begins the work for a company, or begins it again. */
export function reindexCompany({ at }: { readonly at: string }, companyId: number): Statement {
  return sql`insert into staged_work (company_id, kind, subject, created_at)
    values (${companyId}, ${kind}, ${String(companyId)}, ${at})
    on conflict (kind, subject) do update set payload = '{}'`;
}

/** Returns the work for these tables, in this order. */
export function reindexing(tables: readonly Reindexed[]): StagedKind {
  return {
    kind,
    step({ company_id, payload }, take) {
      const { table: place = 0, after = ["", 0] } = JSON.parse(payload) as Progress;
      const { table, where = sql`true`, select, write } = tables[place]!;
      // Row by row in the order of an index, so that a step reads no more than it takes.
      const taken = take(
        sql`select id from ${identifier(table)} where company_id = ${company_id} and ${where}
          and (created_at, id) > (${after[0]}, ${after[1]}) order by created_at, id`,
        most,
      );
      const { columns, joins, alias } = select;
      const [id, created] = [identifier(alias, "id"), identifier(alias, "created_at")];
      return {
        reads: [
          sql`select ${columns} from ${identifier(table)} ${identifier(alias)} ${joins}
            where ${id} in (${taken.ids}) order by ${created}, ${id}`,
        ],
        apply(author, [found]) {
          const rows = found!.rows;
          const last = rows.at(-1);
          const more = last !== undefined || place + 1 < tables.length;
          // After the last table from the beginning, for what was set aside on the way.
          const progress: Progress = last
            ? { table: place, after: [String(last.created_at), last.id as string | number] }
            : more
            ? { table: place + 1 }
            : {};
          return {
            statements: last ? [guardRead(table, rows), ...write(author, rows)] : [],
            events: [],
            more,
            payload: JSON.stringify(progress),
          };
        },
      };
    },
  };
}

/** Selects these columns, and those that every step reads. */
export function only(...names: readonly string[]): Selected {
  const columns = ["id", "company_id", "created_at", "version", ...names];
  return { columns: joinSql(columns.map((name) => identifier("o", name)), ", "), joins: sql``, alias: "o" };
}

/** Refuses the step when a row has changed since it was read: it has new forms then. */
function guardRead(table: string, rows: readonly Row[]): Statement {
  return guardVersions(
    table,
    rows.map(({ id, version }) => ({ id: id as string, version: Number(version) })),
  );
}

/**
 * Writes computed columns of rows, where they differ from those that were read. `unique`: a value that another row
 * has already stays as it is. SQLite then applies "or ignore" to the statements of triggers, too.
 */
export function changeForms(
  table: string,
  rows: readonly Row[],
  makeForms: (row: Row) => Readonly<Record<string, string | null>>,
  unique = false,
): Statement[] {
  const changed = rows.map((row) => ({ row, forms: makeForms(row) }))
    .filter(({ row, forms }) => Object.keys(forms).some((name) => forms[name] !== row[name]));
  if (changed.length === 0) return [];
  const names = Object.keys(changed[0]!.forms);
  const values = JSON.stringify(
    changed.map(({ row, forms }) => [row.id, ...names.map((name) => forms[name])]),
  );
  const set = names.map((name, place) => sql`${identifier(name)} = v.value ->> ${literal(place + 1)}`);
  return [
    sql`update ${unique ? sql`or ignore` : sql``} ${identifier(table)} set ${joinSql(set, ", ")}
      from json_each(${values}) v
      where ${identifier(table, "id")} = v.value ->> 0`,
  ];
}
