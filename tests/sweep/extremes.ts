/**
 * For every list, text and number that an operation takes: the largest legal value, and the smallest one that is
 * too large. They come from the OpenAPI document, so that a new endpoint has its own.
 */
import { makeId } from "../../src/core/ids.ts";
import type { Body } from "../support/app.ts";
import type { Prepared } from "./sweep.ts";
import { withQuery } from "./sweep.ts";

/** A call with one extreme value. */
export interface Extreme {
  /** The place of the value, such as `body.activity_types.milestones, 100 items`. */
  readonly at: string;
  /** The path as problems name it: `query.search`, `activity_types.milestones`. */
  readonly path: string;
  /** Null: the document states no bound, so both answers are right. */
  readonly legal: boolean | null;
  /** Builds the call when it is sent, because an operation can have hundreds of large calls. */
  readonly call: () => Prepared;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly minimum?: number;
}

/** The most bytes of a body where the document states no bound; a JSON body can have at most 1 MiB. */
const room = 900_000;
/** The same for a query; the head of a request can have at most 16 KiB. */
const queryRoom = 12_000;
/** The most levels of nested objects that are examined. */
const mostLevels = 6;

/** Returns the calls with extreme values of an operation, built from a right call. */
export function makeExtremes(document: Body, right: Prepared, method: string, path: string): Extreme[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method];
  const extremes: Extreme[] = [];
  for (const { name, in: where, schema } of operation.parameters ?? []) {
    if (where !== "query") continue;
    for (const { value, legal, what } of makeValues(document, schema, queryRoom)) {
      const call = () => {
        const made = value();
        const text = Array.isArray(made) ? made.join(",") : String(made);
        return { ...right, path: withQuery(right.path, `${name}=${encodeURIComponent(text)}`) };
      };
      extremes.push({ at: `query.${name}, ${what}`, path: `query.${name}`, legal, call });
    }
  }
  const body: Schema | undefined = operation.requestBody?.content?.["application/json"]?.schema;
  if (body && isPlain(right.body)) {
    for (const { keys, value, legal, what } of within(document, body, right.body, [], mostLevels)) {
      const call = () => ({ ...right, body: replaceAt(right.body, keys, value()) });
      const path = keys.map((key) => typeof key === "number" ? `[${key}]` : `.${key}`).join("").slice(1);
      extremes.push({ at: `body.${path}, ${what}`, path, legal, call });
    }
    if ("filter" in right.body && Array.isArray(right.body.filter)) {
      const call = (filter: unknown) => () => ({ ...right, body: { ...right.body as object, filter } });
      const name = /\/accounts\//.test(path) ? "account.fixed_fields.name" : "contact.fixed_fields.last_name";
      for (const { what, legal, filter } of makeFilters(name)) {
        extremes.push({ at: `body.filter, ${what}`, path: "filter", legal, call: call(filter) });
      }
    }
  }
  return extremes;
}

/** Filters at their limits: operands, values, conditions and levels. */
function makeFilters(field: string): { what: string; legal: boolean; filter: unknown[] }[] {
  const text = (length: number) => "0123456789".repeat(Math.ceil(length / 10)).slice(0, length);
  const one = (operator: string, value: unknown) => ({ field, operator, value });
  const nest = (levels: number): unknown => levels === 1 ? one("ct", "abc") : { and: [nest(levels - 1)] };
  const operands = ["ct", "sw", "ew", "nct", "eq"].flatMap((operator) =>
    [255, 256].map((length) => ({
      what: `${operator} with ${length} characters`,
      legal: length === 255,
      filter: [one(operator, text(length))],
    }))
  );
  const values = ["in", "nin"].flatMap((operator) =>
    [500, 501].map((length) => ({
      what: `${operator} with ${length} values`,
      legal: length === 500,
      filter: [one(operator, Array.from({ length }, (_, index) => `name ${index}`))],
    }))
  );
  const many = (nodes: number, length: number, operator = "ct") => [
    { or: Array.from({ length: nodes }, (_, index) => one(operator, `${index} ${text(length)}`)) },
  ];
  return [
    ...operands,
    ...values,
    { what: "10 levels", legal: true, filter: [nest(10)] },
    { what: "11 levels", legal: false, filter: [nest(11)] },
    { what: "199 conditions in a group", legal: true, filter: many(199, 20) },
    { what: "200 conditions in a group", legal: false, filter: many(200, 20) },
    { what: "125 operands of 255 characters", legal: true, filter: many(125, 250) },
    { what: "135 operands of 255 characters", legal: false, filter: many(135, 250) },
    { what: "negations of long operands", legal: true, filter: many(125, 250, "nct") },
  ];
}

type Keys = readonly (string | number)[];

interface Value {
  readonly value: () => unknown;
  readonly legal: boolean | null;
  readonly what: string;
}

/** Returns the extreme values of a schema and of all schemas inside it. `sample` is a right value. */
function within(
  document: Body,
  schema: Schema,
  sample: unknown,
  keys: Keys,
  levels: number,
): (Value & { keys: Keys })[] {
  const one = resolve(document, schema);
  const own = keys.length > 0
    ? makeValues(document, schema, room, sample).map((value) => ({ ...value, keys }))
    : [];
  if (levels === 0) return own;
  const parts = Object.entries(one.properties ?? {}).flatMap(([key, part]) => {
    const given = isPlain(sample) ? sample[key] : undefined;
    return within(document, part, given ?? minimal(document, part, levels - 1)(), [...keys, key], levels - 1);
  });
  if (one.type === "array" && one.items) {
    const [first] = Array.isArray(sample) ? sample : [];
    const given = first ?? minimal(document, one.items, levels - 1)();
    parts.push(...within(document, one.items, given, [...keys, 0], levels - 1));
  }
  return [...own, ...parts];
}

function makeValues(document: Body, schema: Schema, space: number, sample?: unknown): Value[] {
  const one = resolve(document, schema);
  if (one.enum || one.const !== undefined) return [];
  const { maxLength, maximum, minimum } = one;
  const values: Value[] = [];
  const add = (value: () => unknown, legal: boolean | null, what: string) =>
    void values.push({ value, legal, what });
  if (one.type === "string" && !one.format && !one.pattern) {
    const text = (length: number) => () => "x".repeat(length);
    if (maxLength === undefined) add(text(space), null, `${space} characters`);
    else {
      if (maxLength <= space) add(text(maxLength), true, `${maxLength} characters`);
      if (maxLength < space) add(text(maxLength + 1), false, `${maxLength + 1} characters`);
    }
  }
  if (one.type === "integer" || one.type === "number") {
    add(() => maximum ?? Number.MAX_SAFE_INTEGER, maximum === undefined ? null : true, "the largest number");
    if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
      add(() => maximum + 1, false, "a number too large");
    }
    if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) {
      add(() => minimum - 1, false, "a number too small");
    }
  }
  if (one.type === "array" && one.items) {
    const [first] = Array.isArray(sample) ? sample : [];
    const element = distinct(resolve(document, one.items!), first, minimal(document, one.items!, 3));
    const fitting = Math.floor(space / (JSON.stringify(element()).length + 1));
    const most = one.maxItems;
    const items = (length: number) => () => Array.from({ length }, element);
    if (most !== undefined && most <= fitting && first !== undefined) {
      add(() => Array.from({ length: most }, () => first), null, `one item ${most} times`);
    }
    if (most === undefined || most > fitting) add(items(fitting), null, `${fitting} items`);
    else {
      add(items(most), true, `${most} items`);
      if (most < fitting) add(items(most + 1), false, `${most + 1} items`);
    }
  }
  return values;
}

/** Resolves references and null. Takes the first of several shapes. */
function resolve(document: Body, schema: Schema): Schema {
  if (schema.$ref) return resolve(document, document.components.schemas[schema.$ref.split("/").at(-1)!]);
  const [first, ...rest] = schema.allOf ?? [];
  if (first) {
    const all = [first, ...rest].map((one) => resolve(document, one));
    return { ...Object.assign({}, ...all), ...schema, allOf: undefined };
  }
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes) {
    const shape = shapes.find((one) => resolve(document, one).type !== "null");
    return shape ? resolve(document, shape) : {};
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return { ...schema, type: types.find((type) => type !== "null") as string | undefined };
}

/** Returns a function that makes small values of the schema. */
function minimal(document: Body, schema: Schema, levels: number): () => unknown {
  const one = resolve(document, schema);
  if (one.const !== undefined) return () => one.const;
  if (one.enum) return () => one.enum![0];
  if (one.type === "string") return () => one.format === "uuid" ? nextUuid() : "x";
  if (one.type === "integer" || one.type === "number") return () => Math.max(1, one.minimum ?? 1);
  if (one.type === "boolean") return () => true;
  if (one.type === "array") return () => [];
  if (one.type !== "object" || levels <= 0) return () => null;
  const required = one.required ?? [];
  const parts = Object.entries(one.properties ?? {}).filter(([key]) => required.includes(key))
    .map(([key, part]) => [key, minimal(document, part, levels - 1)] as const);
  return () => Object.fromEntries(parts.map(([key, make]) => [key, make()]));
}

let last = 0;

/** A UUID whose last twelve digits count the values, because a list can have thousands of them. */
const firstUuid = makeId();

function nextUuid(): string {
  return firstUuid.slice(0, -12) + (++last).toString(16).padStart(12, "0");
}

/**
 * Returns a function that makes elements like the sample, or else like those of `make`, so that a list of them
 * has no repeats.
 */
function distinct(one: Schema, given: unknown, make: () => unknown): () => unknown {
  return () => {
    const sample = given ?? make();
    last++;
    if (typeof sample === "string") {
      if (one.format === "uuid") return nextUuid();
      return one.enum || one.format ? sample : `${sample}${last}`;
    }
    if (typeof sample === "number") return last;
    if (isPlain(sample) && typeof sample.name === "string") {
      return { ...sample, name: `${sample.name} ${last}` };
    }
    return sample;
  };
}

/** Returns the value with another value at the keys. Creates missing parents. */
function replaceAt(value: unknown, keys: Keys, by: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return by;
  if (typeof key === "number") {
    const list = Array.isArray(value) ? [...value] : [];
    list[key] = replaceAt(list[key], rest, by);
    return list;
  }
  const record = isPlain(value) ? value : {};
  return { ...record, [key]: replaceAt(record[key], rest, by) };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
