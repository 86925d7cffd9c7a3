/** Parses the filter of a request into a tree of typed conditions, and reports every fault with its path. */
import { type FieldCode, type FieldError, fieldError, invalid, mostErrors } from "../core/errors.ts";
import { isUuid } from "../core/ids.ts";
import { nearestNames } from "../core/near_names.ts";
import type { Plain } from "../core/json.ts";
import { isLonger } from "../core/text.ts";
import { readMoment } from "./dates.ts";
import { type Catalogue, type FilterField, type Operator, operators, operatorsOf } from "./fields.ts";

/** A condition or a group may stand so many lists deep. */
export const mostLevels = 10;
/** Conditions and groups of one filter. */
export const mostNodes = 200;
/** Values of one `in` or `nin`. */
export const mostValues = 500;
/** Characters of one text, in code points. */
export const longestText = 255;
/** Characters of all values of one filter together, as they are written. */
export const mostCharacters = 32_768;

export type Operand = string | number | boolean | readonly (string | number)[];

export type Comparison = Exclude<Operator, keyof typeof negations> | "every";

/** What the negating operators negate. */
const negations = { neq: "eq", nct: "ct", nin: "in" } as const;

export interface Condition {
  readonly kind: "condition";
  readonly field: FilterField;
  /** The comparison. `every`: the text contains each of several; only `joinTexts` makes it. */
  readonly operator: Comparison;
  /** Whether it must not hold: of `neq`, `nct`, `nin`, and `exists` with false. */
  readonly negated: boolean;
  /** Texts in lower case, dates as they are stored, `true` and `false` of a boolean field as 1 and 0. */
  readonly value: Operand;
}

export interface Group {
  readonly kind: "and" | "or";
  readonly nodes: readonly Node[];
}

export type Node = Condition | Group;

export interface Filter {
  /** Combined with and. */
  readonly nodes: readonly Node[];
  /** The same as the request had it, without what means nothing. */
  readonly given: readonly Plain[];
  /** Whether it names a field that is on its way out. */
  readonly deprecated: boolean;
}

interface Reading {
  readonly catalogue: Catalogue;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly errors: FieldError[];
  /** Whether choices that are no more are let pass, and match nothing. */
  readonly kept: boolean;
  nodes: number;
  /** Of the values so far. */
  characters: number;
  deprecated: boolean;
}

/**
 * Reads a list of nodes; 422 with everything that is wrong. `path` is where the list stands. `kept`: the filter
 * was valid when it was saved.
 */
export function parseFilter(
  given: unknown,
  catalogue: Catalogue,
  now: number,
  { path = "filter", kept = false } = {},
): Filter {
  const reading: Reading = { catalogue, now, errors: [], kept, nodes: 0, characters: 0, deprecated: false };
  const read = readList(given, path, 1, reading);
  if (reading.nodes > mostNodes) fault(reading, path, "max", `At most ${mostNodes} conditions and groups.`);
  if (reading.characters > mostCharacters) {
    fault(reading, path, "max", `At most ${mostCharacters} characters in all values together.`);
  }
  if (reading.errors.length > 0) throw invalid(...reading.errors);
  return { nodes: read.nodes, given: read.given, deprecated: reading.deprecated };
}

interface Read<T> {
  readonly node: T;
  readonly given: Plain;
}

function readList(
  given: unknown,
  path: string,
  level: number,
  reading: Reading,
): { nodes: Node[]; given: Plain[] } {
  const read: Read<Node>[] = [];
  if (given === undefined || given === null) fault(reading, path, "required", "Must be given.");
  else if (!Array.isArray(given)) fault(reading, path, "type", "Must be a list.");
  else if (level > mostLevels) fault(reading, path, "max", `At most ${mostLevels} levels.`);
  else {
    for (let index = 0; index < given.length; index++) {
      reading.nodes++;
      if (reading.nodes > mostNodes || reading.errors.length >= mostErrors) break;
      const node = readNode(given[index], `${path}[${index}]`, level, reading);
      if (node) read.push(node);
    }
  }
  return { nodes: read.map(({ node }) => node), given: read.map((each) => each.given) };
}

function readNode(given: unknown, path: string, level: number, reading: Reading): Read<Node> | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return fault(reading, path, "type", "Must be a condition or a group.");
  }
  const written = given as Readonly<Record<string, unknown>>;
  const [kind, ...others] = (["and", "or", "field"] as const).filter((key) =>
    Object.hasOwn(written, key) && written[key] !== undefined
  );
  if (others.length > 0) {
    return fault(reading, `${path}.${others[0]}`, "excluded", `Not allowed together with ${kind}.`);
  }
  if (kind !== "and" && kind !== "or") return readCondition(written, path, reading);
  const { nodes, given: list } = readList(written[kind], `${path}.${kind}`, level + 1, reading);
  if (Array.isArray(written[kind]) && written[kind].length === 0) {
    return fault(reading, `${path}.${kind}`, "min", "At least one condition or group.");
  }
  return { node: { kind, nodes }, given: { [kind]: list } };
}

function readCondition(
  written: Readonly<Record<string, unknown>>,
  path: string,
  reading: Reading,
): Read<Condition> | null {
  const { field: name, operator, value } = written;
  const field = readField(name, `${path}.field`, reading);
  const known = readOperator(operator, field, `${path}.operator`, reading);
  if (value === undefined) return fault(reading, `${path}.value`, "required", "Must be given.");
  if (value === null) return fault(reading, `${path}.value`, "type", "null is not a value; use exists.");
  if (!field || !known) return null;
  const operand = readOperand(value, field, known, `${path}.value`, reading);
  if (operand === null) return null;
  if (field.deprecated) reading.deprecated = true;
  const [comparison, negated] = known === "neq" || known === "nct" || known === "nin"
    ? [negations[known], true]
    : [known, known === "exists" && value === false];
  return {
    node: { kind: "condition", field, operator: comparison, negated, value: operand },
    given: { field: name as string, operator: known, value: value as Plain },
  };
}

function readField(name: unknown, path: string, reading: Reading): FilterField | null {
  if (name === undefined || name === null) return fault(reading, path, "required", "Must be given.");
  if (typeof name !== "string") return fault(reading, path, "type", "Must be a string.");
  return reading.catalogue.field(name) ??
    fault(reading, path, "unknown_field", `There is no such field to filter by${fieldsNear(name, reading)}.`);
}

/** Fields and choices that a message lists. */
const mostListed = 10;
/** Faults of a filter whose messages list what exists: to look for near names takes a millisecond. */
const mostHelped = 5;

function fieldsNear(name: string, { catalogue, errors }: Reading): string {
  if (errors.length >= mostHelped) return "";
  const names = catalogue.names();
  return listed(nearestNames(name, names, mostListed), names.length);
}

function choicesNear(value: string, { choices, labels }: FilterField, { errors }: Reading): string {
  if (!choices || errors.length >= mostHelped) return "";
  const words = labels?.() ?? new Map<string, string>();
  const shown = [...choices].map((id) => words.has(id) ? `${words.get(id)} (${id})` : id);
  return listed(nearestNames(value, shown, mostListed), shown.length);
}

function listed(near: readonly string[], all: number): string {
  if (near.length === 0) return "";
  return near.length === all
    ? `; there are ${near.join(", ")}`
    : `; the nearest of ${all} are ${near.join(", ")}`;
}

function readOperator(
  operator: unknown,
  field: FilterField | null,
  path: string,
  reading: Reading,
): Operator | null {
  if (operator === undefined || operator === null) return fault(reading, path, "required", "Must be given.");
  if (typeof operator !== "string") return fault(reading, path, "type", "Must be a string.");
  const there = field ? operatorsOf[field.type] : operators;
  return there.find((each) => each === operator) ??
    fault(reading, path, "operator", `The field has the operators ${there.join(", ")}.`);
}

function readOperand(
  value: unknown,
  field: FilterField,
  operator: Operator,
  path: string,
  reading: Reading,
): Operand | null {
  if (operator === "exists") {
    return typeof value === "boolean" ? value : fault(reading, path, "type", "Must be true or false.");
  }
  const part = operator === "sw" || operator === "ew" || operator === "ct" || operator === "nct";
  const form = part ? "text" : field.type;
  if (operator !== "in" && operator !== "nin") return readScalar(value, field, form, path, reading);
  if (!Array.isArray(value)) return fault(reading, path, "type", "Must be a list.");
  if (value.length > mostValues) return fault(reading, path, "max", `At most ${mostValues} values.`);
  const values = value.map((each, index) => readScalar(each, field, form, `${path}[${index}]`, reading));
  return values.includes(null) ? null : values as (string | number)[];
}

/** One value as it is compared; null, with a fault, where the field cannot have it. */
function readScalar(
  value: unknown,
  field: FilterField,
  type: FilterField["type"],
  path: string,
  reading: Reading,
): string | number | null {
  const refused = (code: FieldCode, message: string) => fault(reading, path, code, message);
  if (typeof value === "string" && isLonger(value, longestText)) {
    return refused("max", `At most ${longestText} characters.`);
  }
  reading.characters += typeof value === "string" ? [...value].length : String(value).length;
  switch (type) {
    case "boolean":
      return typeof value === "boolean" ? Number(value) : refused("type", "Must be true or false.");
    case "integer":
      return Number.isSafeInteger(value) ? value as number : refused("type", "Must be an integer.");
    case "number":
      return Number.isFinite(value) ? value as number : refused("type", "Must be a number.");
  }
  if (typeof value !== "string") return refused("type", "Must be a string.");
  switch (type) {
    case "text":
      return value.toLowerCase();
    case "uuid":
    case "reference":
      return isUuid(value) ? value.toLowerCase() : refused("type", "Must be a UUID.");
    case "choice":
      if (field.choices?.has(value) || reading.kept) return value;
      if (field.choices?.has(value.toLowerCase()) && isUuid(value)) return value.toLowerCase();
      return refused("enum", `There is no such choice${choicesNear(value, field, reading)}.`);
    case "timestamp":
    case "date":
      return readMoment(value, type, reading.now) ??
        refused(
          "format",
          "Must be Y-m-d H:i:s in UTC, or NOW with + or -, a number and one of y M w d h m s.",
        );
  }
}

function fault(reading: Reading, path: string, code: FieldCode, message: string): null {
  reading.errors.push(fieldError(path, code, message));
  return null;
}
