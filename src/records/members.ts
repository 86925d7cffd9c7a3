/**
 * A record is described once, as a map of its members in the order of the answer. Columns, schemas, rows and the
 * presenter follow from it; what is special about a record stays ordinary code beside it.
 */
import type { SQLiteColumnBuilderBase } from "drizzle-orm/sqlite-core";
import type { z } from "zod";
import type { Wire } from "../http/endpoint.ts";
import type { Value } from "../platform/database/database.ts";

/** What a record has of one member; `kinds.ts` has builders. Each part may be absent. */
export interface Member {
  /** The column of the same name. */
  readonly column?: SQLiteColumnBuilderBase;
  /** The schema in answers. */
  readonly shown?: z.ZodType;
  /** The schema in the body that creates a record. */
  readonly create?: z.ZodType;
  /** The schema in the body that changes a record; absent in the body means that the member stays. */
  readonly change?: z.ZodType;
  /** The column's value when a body has none; null if absent. */
  readonly otherwise?: Value;
  /** How the column stores the value, if not as it is. */
  readonly stored?: Stored;
}

/** `flag`: a boolean as 0 or 1. `json`: as JSON. `code`: in its own way, which ordinary code knows. */
export type Stored = "flag" | "json" | "code";

/** Write `satisfies Members` behind a map, so that a misspelt part is an error at the map. */
export type Members = Readonly<Record<string, Member>>;

type Has<M, Part extends keyof Member> = {
  [K in keyof M]: M[K] extends { readonly [P in Part]: object } ? K : never;
}[keyof M];
type Part<M, Name extends keyof Member> = {
  readonly [K in Has<M, Name>]: M[K] extends { readonly [P in Name]: infer T } ? T : never;
};

/** Members whose column takes the value of a body as it is, as a flag or as JSON. */
type Given<M, Body extends "create" | "change"> = {
  [K in keyof M]: M[K] extends { readonly stored: "code" } ? never
    : M[K] extends { readonly [P in Body | "column"]: object } ? K
    : never;
}[keyof M];
/** Members whose column has the same value in every new record, such as the version. */
type Constant<M> = {
  [K in keyof M]: M[K] extends { readonly stored: "code" } ? never
    : M[K] extends { readonly column: object; readonly otherwise: string | number } ? K
    : never;
}[keyof M];

/** The value of a column in a row. */
type ColumnValue<C> = C extends { readonly _: { readonly data: infer D; readonly notNull: infer N } }
  ? N extends true ? D : D | null
  : never;

/** The columns of a new record that a body sets, or that always begin with the same value. */
export type Initial<M> = {
  [K in Given<M, "create"> | Constant<M>]: M[K] extends { readonly column: infer C } ? ColumnValue<C> : never;
};

/** Returns the columns of a table. */
export function columns<M extends object>(members: M): Part<M, "column"> {
  return pick(members, "column");
}

/** Returns the schemas of the members of an answer. */
export function forAnswer<M extends object>(members: M): Part<M, "shown"> {
  return pick(members, "shown");
}

/** Returns the schemas of a body that creates a record. `first`: members that stand before the others. */
export function forCreate<M extends object>(
  members: M,
  ...first: readonly Has<M, "create">[]
): Part<M, "create"> {
  return pick(members, "create", first);
}

/** Returns the schemas of a body that changes a record. `first`: members that stand before the others. */
export function forChange<M extends object>(
  members: M,
  ...first: readonly Has<M, "change">[]
): Part<M, "change"> {
  return pick(members, "change", first);
}

/** Returns the names of the columns that one of the bodies sets. */
export function listGivenColumns(members: object, ...bodies: readonly ("create" | "change")[]): string[] {
  return listMembers(members).filter(([, member]) => member.column && bodies.some((body) => member[body]))
    .map(([name]) => name);
}

/** Returns the column values of a new record. What the body leaves out or clears has its other value. */
export function makeInitial<M extends object>(
  members: M,
  body: { readonly [K in Given<M, "create">]?: unknown },
): Initial<M> {
  const row: Record<string, Value> = {};
  for (const [name, member] of listMembers(members)) {
    if (!member.column || member.stored === "code") continue;
    if (member.create) row[name] = toColumn(member, (body as Readonly<Record<string, unknown>>)[name]);
    else if (member.otherwise !== undefined) row[name] = member.otherwise;
  }
  return row as Initial<M>;
}

/** Returns the column values that a change may set. What the body leaves out has its value of `before`. */
export function makeChanges<M extends object, R extends { readonly [K in Given<M, "change">]: unknown }>(
  members: M,
  body: { readonly [K in Given<M, "change">]?: unknown },
  before: R,
): Pick<R, Given<M, "change">> {
  const row: Record<string, unknown> = {};
  for (const [name, member] of listMembers(members)) {
    if (!member.column || !member.change || member.stored === "code") continue;
    const value = (body as Readonly<Record<string, unknown>>)[name];
    row[name] = value === undefined
      ? (before as Readonly<Record<string, unknown>>)[name]
      : toColumn(member, value);
  }
  return row as Pick<R, Given<M, "change">>;
}

/** What a presenter reads: the row, and the values of computed members. The id may come from the batch. */
export type Presentable<M, T> = {
  readonly [K in keyof T]: K extends keyof M
    ? M[K] extends { readonly column: object; readonly stored: "flag" } ? number
    : M[K] extends { readonly column: object; readonly stored: "json" } ? string
    : K extends "id" ? T[K] | null
    : T[K]
    : T[K];
};

/**
 * Returns a function that presents a record: the members of the schema in its order, decoded as they are
 * stored. The null of an id that the batch assigns becomes 0; see `Change.idFrom`.
 */
export function presenter<M extends object, S extends z.ZodObject>(
  members: M,
  schema: S,
): (record: Presentable<M, Wire<z.output<S>>>) => Wire<z.output<S>> {
  const names = Object.keys(schema.shape);
  const stored = listMembers(members).filter(([name, { column }]) => column && names.includes(name));
  const flags = stored.flatMap(([name, member]) => member.stored === "flag" ? [name] : []);
  const jsons = stored.flatMap(([name, member]) => member.stored === "json" ? [name] : []);
  // Copies keep its hidden class. V8 turns an object to which a loop adds many members into a slow dictionary.
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  return (record) => {
    const values = record as Readonly<Record<string, unknown>>;
    const answer: Record<string, unknown> = { ...empty };
    for (const name of names) answer[name] = values[name];
    for (const name of flags) answer[name] = values[name] === 1;
    for (const name of jsons) answer[name] = fromJson(values[name]);
    if (answer.id === null) answer.id = 0;
    return answer as Wire<z.output<S>>;
  };
}

function fromJson(value: unknown): unknown {
  return value === null ? null : JSON.parse(value as string);
}

/** Returns a value of a body as its column has it. */
function toColumn({ stored, otherwise = null }: Member, value: unknown): Value {
  if (value === undefined || value === null) return otherwise;
  if (stored === "flag") return value ? 1 : 0;
  return stored === "json" ? JSON.stringify(value) : value as Value;
}

function listMembers(members: object): [name: string, member: Member][] {
  return Object.entries(members as Members);
}

function pick<M extends object, Name extends "column" | "shown" | "create" | "change">(
  members: M,
  part: Name,
  first: readonly PropertyKey[] = [],
): Part<M, Name> {
  const named = listMembers(members).flatMap(([name, member]) => member[part] ? [[name, member[part]]] : []);
  const place = (name: unknown) => (first.indexOf(name as PropertyKey) + 1) || first.length + 1;
  return Object.fromEntries(named.toSorted(([one], [other]) => place(one) - place(other)));
}
