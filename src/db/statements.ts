/**
 * Statements over the Drizzle tables. Texts depend on column names only, never on values, so that they are
 * few and stay prepared.
 */
import { differs } from "./alters.ts";
import { getTableColumns, getTableName, type InferInsertModel, type Table } from "drizzle-orm";
import { guardThat, type Statement, type Value } from "../platform/database/database.ts";

/** A statement, or a piece of one, with the values that it binds. */
export type Sql = Statement;

/** Statements that the process leaves out of later batches, because it remembers that they were committed. */
export interface Remembered {
  readonly statements: readonly Statement[];
  /** Call after the commit. */
  noteCommit(): void;
}

interface Kept {
  readonly parts: readonly string[];
  readonly text: string;
}

/** The first text of each template, with the texts of its parts. Most templates have only one text. */
const keptTexts = new WeakMap<TemplateStringsArray, Kept>();

/**
 * Composes a statement or a piece of one. Binds interpolated values and inserts interpolated pieces with
 * their values. Names go through `identifier`, constants of the text through `literal`.
 */
export function sql(strings: TemplateStringsArray, ...parts: (Statement | Value)[]): Sql {
  const kept = keptTexts.get(strings);
  const args: Value[] = [];
  let isKept = kept !== undefined;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    if (isSql(part)) {
      for (let n = 0; n < part.args.length; n++) args.push(part.args[n]!);
      if (isKept && kept!.parts[index] !== part.sql) isKept = false;
    } else {
      args.push(part);
      if (isKept && kept!.parts[index] !== "?") isKept = false;
    }
  }
  if (isKept) return { sql: kept!.text, args };
  const texts = parts.map((part) => isSql(part) ? part.sql : "?");
  let text = strings[0]!;
  for (let index = 0; index < texts.length; index++) text += texts[index] + strings[index + 1]!;
  if (!kept) keptTexts.set(strings, { parts: texts, text });
  return { sql: text, args };
}

function isSql(part: Sql | Value): part is Sql {
  return typeof part === "object" && part !== null && "sql" in part;
}

const identifiers = new Map<string, Sql>();

/** Names of tables, aliases, columns and indexes, joined by dots: `identifier("users", "id")` is `users.id`. */
export function identifier(...names: readonly string[]): Sql {
  const text = names.join(".");
  let known = identifiers.get(text);
  if (known === undefined) {
    if (!names.every((name) => /^[a-z_][a-z0-9_]*$/.test(name))) throw new Error(`not a name: ${text}`);
    identifiers.set(text, known = { sql: text, args: [] });
  }
  return known;
}

/**
 * Inserts a constant into the text, where the plan of SQLite depends on it: a limit, or the condition of a
 * partial index. Use it for constants with few different values.
 */
export function literal(value: number | string): Sql {
  if (typeof value === "string") return { sql: `'${value.replaceAll("'", "''")}'`, args: [] };
  if (!Number.isInteger(value)) throw new Error(`not a whole number: ${value}`);
  return { sql: String(value), args: [] };
}

/** Inserts text as SQL. Use it only for SQL that cannot be composed, and never for text of a request. */
export function rawSql(text: string, args: readonly Value[] = []): Sql {
  return { sql: text, args };
}

/** Joins pieces of SQL with the text `by` between them. */
export function joinSql(parts: readonly Sql[], by: string): Sql {
  return { sql: parts.map((part) => part.sql).join(by), args: parts.flatMap(({ args }) => args) };
}

/** Returns a function that makes SQL over a row, once for each alias of the row. There are few aliases. */
export function byAlias(make: (alias: string) => Sql): (alias: string) => Sql {
  const made = new Map<string, Sql>();
  return (alias) => {
    let known = made.get(alias);
    if (known === undefined) made.set(alias, known = make(alias));
    return known;
  };
}

/**
 * A number of rows for `limit` and `offset`. SQLite plans by the value of a bare parameter there, and
 * prepares the statement again for each value; lists took three times as long. It does not look into a sum.
 */
export function bindRows(rows: number): Sql {
  return sql`${rows} + 0`;
}

/** SQL: a JSON list of ids for `json_each`. `ids`: the ids, or SQL that selects them as a JSON list. */
export function asList(ids: readonly (number | string)[] | Sql): Sql {
  return "sql" in ids ? ids : sql`${JSON.stringify(ids)}`;
}

/** SQL: the integer id of the last insert into the table, in the same batch. */
export function selectLastId(table: Table): Sql {
  return rawSql(`(select seq from sqlite_sequence where name = '${getTableName(table)}')`);
}

/**
 * Returns the table's columns over an alias except those `without`, as a select list. A text with `*` does not
 * stay prepared, because it depends on the schema.
 */
export function selectColumns(table: Table, alias: string, without: readonly string[] = []): Sql {
  const columns = Object.keys(getTableColumns(table)).filter((column) => !without.includes(column));
  return rawSql(columns.map((column) => `${alias}."${column}"`).join(", "));
}

/** SQL: the one row of a select as a JSON object of the table's columns and `more`; null without a row. */
export function selectRowJson(table: Table, more: readonly string[], select: Sql): Sql {
  const names = [...Object.keys(getTableColumns(table)), ...more];
  return sql`(select json_object(${composeJsonMembers(names, "r")}) from (${select}) r)`;
}

/** SQL: the columns of a table over an alias as arguments of `json_object`. */
export function composeRowMembers(table: Table, alias: string): Sql {
  return composeJsonMembers(Object.keys(getTableColumns(table)), alias);
}

/** SQL: the columns of an alias as arguments of `json_object`. */
export function composeJsonMembers(columns: readonly string[], alias: string): Sql {
  return rawSql(columns.map((name) => `'${name}', ${alias}."${name}"`).join(", "));
}

type OrSql<T> = { [K in keyof T]: T[K] | Sql };

/** Inserts one row. Keys with `undefined` get their defaults. */
export function insert<T extends Table>(table: T, row: OrSql<InferInsertModel<T>>): Statement {
  const args: Value[] = [];
  const given = bindAll(row, args);
  const columns = given.map(([column]) => column);
  const values = given.map(([, value]) => value);
  return { sql: `insert into "${getTableName(table)}" (${columns}) values (${values})`, args, alters: true };
}

/** Inserts rows with the same columns by one statement with one parameter. */
export function insertAll<T extends Table>(table: T, rows: readonly InferInsertModel<T>[]): Statement {
  const columns = rows.length > 0 ? Object.keys(rows[0]!) : [];
  const picked = columns.map((_, index) => `value ->> ${index}`);
  const name = getTableName(table);
  const names = columns.map((column) => `"${column}"`);
  const tuples = rows.map((row) => Object.values(row).filter((value) => value !== undefined));
  return {
    sql: `insert into "${name}" (${names}) select ${picked} from json_each(?)`,
    args: [JSON.stringify(tuples)],
  };
}

/**
 * Updates the rows that match all of `where` (equality; null matches null). `read`: the row as it was read, to
 * find out whether the update changes it.
 */
export function update<T extends Table>(
  table: T,
  set: Partial<OrSql<InferInsertModel<T>>>,
  where: Partial<InferInsertModel<T>>,
  read?: object,
): Statement {
  const args: Value[] = [];
  const sets = bindAll(set, args).map(([column, value]) => `${column} = ${value}`);
  return {
    sql: `update "${getTableName(table)}" set ${sets}${composeWhere(where, args)}`,
    args,
    ...(read && { alters: differs(set, read) }),
  };
}

/** Deletes the rows that match all of `where`. */
export function remove<T extends Table>(table: T, where: Partial<InferInsertModel<T>>): Statement {
  const args: Value[] = [];
  return { sql: `delete from "${getTableName(table)}"${composeWhere(where, args)}`, args };
}

/**
 * Updates a row that still has the version that was read, and increases the version. Guard it with
 * `guardChanged("stale")`.
 */
export function updateVersioned<T extends Table>(
  table: T,
  set: Partial<OrSql<InferInsertModel<T>>>,
  read: { id: string | number; company_id: number; version: number },
): Statement {
  const args: Value[] = [];
  const sets = bindAll(set, args).map(([column, value]) => `${column} = ${value}`);
  args.push(read.id, read.company_id, read.version);
  return {
    sql: `update "${getTableName(table)}" set ${[...sets, `"version" = "version" + 1`]}` +
      ` where "id" = ? and "company_id" = ? and "version" = ?`,
    args,
    alters: differs(set, read),
  };
}

/** Fails the batch when a row of the table, on which a verb relies, was changed or deleted since it was read. */
export function guardVersions(
  table: string,
  read: readonly { readonly id: string | number | null; readonly version: number }[],
): Statement {
  const [only, ...others] = read;
  if (only && others.length === 0) {
    // Most changes rely on one row; unpacking a list for it takes five times as long.
    return guardThat(
      table,
      sql`(select version from "${identifier(table)}" where id = ${only.id}) is ${only.version}`,
    );
  }
  const versions = JSON.stringify(read.map(({ id, version }) => [id, version]));
  return guardThat(
    table,
    sql`not exists (select 1 from json_each(${versions}) v
      left join "${identifier(table)}" t on t.id = v.value ->> 0
      where t.version is not v.value ->> 1)`,
  );
}

function composeWhere(where: object, args: Value[]): string {
  const terms = bindAll(where, args).map(([column, value]) => `${column} is ${value}`);
  return terms.length > 0 ? ` where ${terms.join(" and ")}` : "";
}

/** Returns the quoted columns, each with the SQL of its value, and adds the bound values. Skips `undefined`. */
function bindAll(row: object, args: Value[]): [column: string, value: string][] {
  const bound: [string, string][] = [];
  for (const [column, value] of Object.entries(row) as [string, Value | Sql | undefined][]) {
    if (value === undefined) continue;
    if (isSql(value)) {
      args.push(...value.args);
      bound.push([`"${column}"`, value.sql]);
    } else {
      args.push(value);
      bound.push([`"${column}"`, "?"]);
    }
  }
  return bound;
}
