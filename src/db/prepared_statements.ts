/**
 * Statements of one table as Drizzle statements, so that names and types of columns are checked. Drizzle takes a
 * third of a millisecond to build a statement, so each is compiled once, at its first use, and its text kept.
 */
import { type Column, is, Param as Parameter, Placeholder, SQL, sql, type SQLWrapper } from "drizzle-orm";
import { SQLiteColumn, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { drizzle as remote } from "drizzle-orm/sqlite-proxy";
import type { Result, Row, Statement, Value } from "../platform/database/database.ts";

/** Builds statements; `prepareQuery` compiles them and `Database` runs them. */
export const drizzle = remote(() => Promise.reject(new Error("statements run through Database")));

/** A value that each call binds, in any place where Drizzle takes a value. A list is bound as JSON. */
export type Param<V extends Value | readonly (string | number)[]> = Placeholder<string, V>;

/** Returns the statement for its values, and types the rows of its result. */
export interface Prepared<Values extends readonly Bound[], R> {
  (...values: Values): Statement;
  /** The result's rows. */
  rows(result: Result | undefined): R[];
  /** The result's first row, or null. */
  row(result: Result | undefined): R | null;
}

/**
 * Compiles a Drizzle statement at its first use, and keeps it. The parameters of `build` are the values of a
 * call, in this order:
 *
 *     const selectUserByEmail = prepareQuery((companyId: Param<number>, email: Param<string>) =>
 *       drizzle.select({ id: users.id, email: users.email }).from(users)
 *         .where(and(eq(users.company_id, companyId), eq(users.email_key, email), isNull(users.deleted_at)))
 *     );
 *     const [found] = await db.read([selectUserByEmail(7, "ada@example.org")]);
 *     const user = selectUserByEmail.row(found); // { id: number; email: string } | null
 *
 * - Operators (`and`, `eq`, `isNull`, `desc`) come from `drizzle-orm`; `eq` never matches null, `same` does.
 * - A list is one value: `inList(users.id, ids)` with `ids: Param<readonly number[]>`.
 * - A selected column has the key of its name, and an expression an alias: `{ n: count().as("n") }`.
 * - Other values (`eq(users.user_type, 1)`, `limit(1)`) become part of the text, so that partial indexes apply.
 * - `drizzle.insert`, `update` and `delete` work alike; in `set`, write `sql\`${param}\`` of Drizzle. Where the
 *   columns vary by call, take `insert` and `update` of `statements.ts`, which are typed by the table too.
 * - The statement composes: `sql\`exists (${selectUserByEmail(7, email)})\`` of `statements.ts`.
 */
export function prepareQuery<P extends readonly Placeholder[], Q extends Query>(
  build: (...params: P) => Q,
): Prepared<ValuesOf<P>, RowOf<Q>> {
  let compiled: Compiled | null = null;
  const bind = (...values: ValuesOf<P>): Statement => {
    compiled ??= compile(build, build.length);
    const args: Value[] = [];
    for (const index of compiled.order) {
      const value = values[index]!;
      args.push(isList(value) ? JSON.stringify(value) : value);
    }
    return { sql: compiled.text, args };
  };
  return Object.assign(bind, {
    rows: (result: Result | undefined) => (result?.rows ?? []) as RowOf<Q>[],
    row: (result: Result | undefined) => (result?.rows[0] ?? null) as RowOf<Q> | null,
  });
}

/** A condition: the column has a value of the list. */
export function inList<C extends Column>(column: C, list: Param<readonly DataOf<C>[]>): SQL {
  return sql`${column} in (select value from json_each(${list}))`;
}

/** A condition: the column has the value; null matches null. */
export function same<C extends Column>(column: C, value: Param<DataOf<C> | null>): SQL {
  return sql`${column} is ${value}`;
}

type Bound = Value | readonly (string | number)[];
type DataOf<C extends Column> = C["_"]["data"] & (string | number);
type ValuesOf<P> = { [K in keyof P]: P[K] extends Placeholder<string, infer V extends Bound> ? V : never };

/** A Drizzle statement that is not compiled yet. */
interface Query extends SQLWrapper {
  readonly _: { readonly result: unknown };
  readonly config?: {
    readonly fields?: Readonly<Record<string, unknown>>;
    readonly returning?: readonly { readonly path: readonly string[]; readonly field: unknown }[];
  };
}
type RowOf<Q extends Query> = Q["_"]["result"] extends readonly (infer R extends Row)[] ? R : never;

interface Compiled {
  readonly text: string;
  /** The value of each `?`. */
  readonly order: readonly number[];
}

const dialect = new SQLiteSyncDialect();

function compile<P extends readonly Placeholder[]>(build: (...params: P) => Query, count: number): Compiled {
  const params = Array.from({ length: count }, (_, index) => sql.placeholder(String(index)));
  const query = build(...params as readonly Placeholder[] as P);
  checkKeys(query);
  const { sql: text, params: order } = dialect.sqlToQuery(query.getSQL().inlineParams());
  // SQLite prepares a statement again for each value of a bare limit parameter, but not for an expression.
  const steady = text.replace(/ (limit|offset) \?(?= offset \?$|$)/g, " $1 ? + 0");
  return { text: steady, order: order.map(readIndex) };
}

function readIndex(param: unknown): number {
  const placeholder = is(param, Parameter) ? param.value : param;
  if (!is(placeholder, Placeholder)) throw new Error("a statement binds its parameters only");
  return Number(placeholder.name);
}

/**
 * Throws unless each selected column has its key as name, because rows are read by the column names of
 * SQLite.
 */
function checkKeys({ config }: Query): void {
  const returned = (config?.returning ?? []).map(({ path, field }) => [path.join("."), field] as const);
  for (const [key, field] of [...Object.entries(config?.fields ?? {}), ...returned]) {
    const name = is(field, SQLiteColumn) ? field.name : is(field, SQL.Aliased) ? field.fieldAlias : null;
    if (name !== key) {
      throw new Error(`the selected column ${key} has the name ${name ?? "of its expression"}`);
    }
  }
}

function isList(value: Bound): value is readonly (string | number)[] {
  return Array.isArray(value);
}
