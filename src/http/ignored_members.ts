/** Names what a request sends and nothing reads, so that a misspelt member or parameter is seen. */
import { z } from "zod";
import { pathText } from "../core/errors.ts";

/** The most names in a header, and the most characters: proxies limit the headers of an answer. */
const mostNames = 100;
const mostCharacters = 2_000;

/** The deepest member that is looked at: deeper than any schema, filters aside. */
const mostLevels = 32;

type Leaf = z.core.$ZodObject | z.core.$ZodArray | z.core.$ZodRecord;

/** What schemas read at one place of a body: several schemas for a member of a union. */
interface Place {
  /** Whether the value is read whole. */
  readonly whole: boolean;
  readonly leaves: readonly Leaf[];
  readonly members: Map<string, Place>;
  item: Place | null | undefined;
}

const places = new WeakMap<z.core.$ZodType, Place>();
const readers = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Returns the names of a query or body that are not read because of its other values. */
type Unread = (values: Readonly<Record<string, unknown>>) => readonly string[];
const conditions = new WeakMap<z.core.$ZodType, Unread>();

/** Declares what of a whole query or body is not read because of values of others. Returns the schema. */
export function declareUnread<T extends z.ZodType>(schema: T, unread: Unread): T {
  conditions.set(schema, unread);
  return schema;
}

/** Declares the members of a value that code reads and whose schema is unknown. Returns the value's schema. */
export function readBy<T extends z.ZodType>(schema: T, members: z.ZodType): T {
  readers.set(schema, members);
  return schema;
}

/** Returns the paths of members that the schema does not read; the first hundred. */
export function listIgnoredMembers(schema: z.ZodType, body: unknown): string[] {
  const found: PropertyKey[][] = [];
  visit(findPlace(schema), body, [], found);
  const unread = body === null || typeof body !== "object"
    ? []
    : findUnread(schema, body as Record<string, unknown>);
  return [...found.map((path) => pathText(path)), ...unread];
}

/** Returns the parameters of a query that nobody reads. `schema`: undefined when the endpoint reads none. */
export function listIgnoredParameters(
  schema: z.ZodType | undefined,
  deprecated: Readonly<Record<string, unknown>> | undefined,
  query: Readonly<Record<string, unknown>>,
): string[] {
  const unknown = Object.keys(query).filter((name) =>
    !(deprecated && Object.hasOwn(deprecated, name)) && !(schema && findMember(findPlace(schema), name))
  );
  return [...unknown, ...(schema ? findUnread(schema, query) : [])];
}

/**
 * Returns the parameters of a query that the body makes unread: those that it has itself, and those that its
 * schema declares as unread because of its values.
 */
export function listUnreadParameters(
  schema: z.ZodType,
  body: unknown,
  query: Readonly<Record<string, unknown>>,
): string[] {
  const unread = conditions.get(schema);
  if (!unread || body === null || typeof body !== "object") return [];
  const values = body as Readonly<Record<string, unknown>>;
  const names = unread(values);
  return Object.keys(query).filter((name) =>
    query[name] !== undefined && ((values[name] ?? null) !== null || names.includes(name))
  );
}

function findUnread(schema: z.ZodType, values: Readonly<Record<string, unknown>>): string[] {
  const unread = conditions.get(schema)?.(values) ?? [];
  return unread.filter((name) => values[name] !== undefined && values[name] !== null);
}

/** Returns the names as a header; a list that is cut ends with `...`. */
export function composeIgnoredHeader(names: readonly string[]): string {
  let header = "";
  for (const [index, name] of names.entries()) {
    const next = `${index === 0 ? "" : ", "}${inHeader(name)}`;
    if (index >= mostNames || header.length + next.length > mostCharacters) {
      return `${header}${index ? ", " : ""}...`;
    }
    header += next;
  }
  return header;
}

/** Percent-encodes what a list in a header cannot hold. A name without characters is `""`. */
function inHeader(name: string): string {
  return name === "" ? '""' : name.replaceAll(/[^!-~]|[",%]/gu, (character) => encodeURIComponent(character));
}

function visit(place: Place, value: unknown, path: PropertyKey[], found: PropertyKey[][]): void {
  if (place.whole || value === null || typeof value !== "object" || path.length > mostLevels) return;
  if (Array.isArray(value)) {
    const item = findItem(place);
    if (item === null) return;
    for (let index = 0; index < value.length && found.length <= mostNames; index++) {
      visit(item, value[index], [...path, index], found);
    }
    return;
  }
  // A value of the wrong type is an error, which names it.
  if (!place.leaves.some((leaf) => leaf._zod.def.type !== "array")) return;
  for (const key in value) {
    if (found.length > mostNames) return;
    const member = findMember(place, key);
    if (member === null) found.push([...path, key]);
    else if (!member.whole) visit(member, (value as Record<string, unknown>)[key], [...path, key], found);
  }
}

/** Returns the place of a member, or null when no schema reads it. */
function findMember(place: Place, key: string): Place | null {
  const known = place.members.get(key);
  if (known) return known;
  const schemas = place.leaves.flatMap((leaf) => {
    if (leaf._zod.def.type === "record") return [leaf._zod.def.valueType];
    if (leaf._zod.def.type !== "object") return [];
    return Object.hasOwn(leaf._zod.def.shape, key) ? [leaf._zod.def.shape[key]!] : [];
  });
  if (schemas.length === 0) return null;
  const member = schemas.length === 1 ? findPlace(schemas[0]!) : makePlace(schemas);
  // Members of records have any name.
  if (place.leaves.every((leaf) => leaf._zod.def.type !== "record")) place.members.set(key, member);
  return member;
}

function findItem(place: Place): Place | null {
  if (place.item !== undefined) return place.item;
  const schemas = place.leaves.flatMap((leaf) =>
    leaf._zod.def.type === "array" ? [leaf._zod.def.element] : []
  );
  return place.item = schemas.length === 0 ? null : makePlace(schemas);
}

function findPlace(schema: z.core.$ZodType): Place {
  const known = places.get(schema);
  if (known) return known;
  const place = makePlace([schema]);
  places.set(schema, place);
  return place;
}

function makePlace(schemas: readonly z.core.$ZodType[]): Place {
  const leaves = schemas.flatMap(collectLeaves);
  return {
    whole: leaves.includes("whole"),
    leaves: leaves.filter((leaf) => leaf !== "whole"),
    members: new Map(),
    item: undefined,
  };
}

/** Returns the objects, lists and records that a schema accepts; `whole` for a value of any form. */
function collectLeaves(schema: z.core.$ZodType): (Leaf | "whole")[] {
  const reader = readers.get(schema);
  if (reader) return collectLeaves(reader);
  const known = schema as z.core.$ZodTypes;
  switch (known._zod.def.type) {
    case "object":
    case "array":
    case "record":
      return [known as Leaf];
    case "unknown":
    case "any":
    case "custom":
      return ["whole"];
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return collectLeaves(known._zod.def.innerType);
    case "union":
      return known._zod.def.options.flatMap(collectLeaves);
    case "intersection":
      return [known._zod.def.left, known._zod.def.right].flatMap(collectLeaves);
    case "lazy":
      return collectLeaves(known._zod.def.getter());
    case "pipe": {
      const { in: first, out } = known._zod.def;
      return collectLeaves(first._zod.def.type === "transform" ? out : first);
    }
    default:
      return [];
  }
}
