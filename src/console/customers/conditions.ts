/**
 * Conditions of the filter builder: read from the address and from the filters of the API, and written as one. A
 * condition of a field of both kinds of customers is a group of the API, with a condition for each kind.
 */
import { parseMoment } from "../moments.ts";
import type { BuilderField } from "./fields.ts";

/** A condition as it stands in the builder. */
export interface Row {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

/** A node of a filter of the API. */
export type FilterNode = Readonly<Record<string, unknown>>;

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** Operators without a value. */
export const bare: readonly string[] = ["exists", "not_exists"];
/** Operators with several values. */
export const several: readonly string[] = ["in", "nin"];

/** The most rows of an address; the API takes 200 conditions and groups. */
const mostRows = 60;

/** Returns the rows of an address. Rows without a field and without a value are none. */
export function parseRows(query: URLSearchParams): Row[] {
  const [fields, operators, values] = ["field", "operator", "value"].map((name) => query.getAll(name));
  return fields!.slice(0, mostRows).map((field, at) => ({
    field: field.trim(),
    operator: operators![at]?.trim() || "eq",
    value: values![at]?.trim() ?? "",
  })).filter(({ field, value }) => field !== "" || value !== "");
}

/** Returns the nodes of the parameter `filter`; null when it is no list of objects. */
export function parseNodes(text: string): FilterNode[] | null {
  try {
    const nodes: unknown = JSON.parse(text);
    const isList = Array.isArray(nodes) &&
      nodes.every((node) => typeof node === "object" && node !== null && !Array.isArray(node));
    return isList ? nodes : null;
  } catch {
    return null;
  }
}

/** Finds a field by the value of its option, or by a name of the API that means nothing else. */
export function findField(fields: readonly BuilderField[], name: string): BuilderField | undefined {
  return fields.find((field) => field.name === name) ??
    fields.find(({ names }) => names.length === 1 && names[0] === name);
}

/** Returns whether a row still needs a field or a value. */
export function isIncomplete({ field, operator, value }: Row): boolean {
  return field === "" || (value === "" && !bare.includes(operator));
}

/** Returns the node of the API for a row. What does not fit its field stays, so that the API refuses it. */
export function makeNode(row: Row, fields: readonly BuilderField[], timeZone: string): FilterNode {
  const field = findField(fields, row.field);
  const isBare = bare.includes(row.operator);
  const read = (text: string) => field ? parseValue(text, field, timeZone) : text;
  const value = isBare
    ? row.operator === "exists"
    : several.includes(row.operator)
    ? row.value.split(",").map((one) => one.trim()).filter((one) => one !== "").map(read)
    : read(row.value);
  const operator = isBare ? "exists" : row.operator;
  const conditions = (field?.names ?? [row.field]).map((field) => ({ field, operator, value }));
  return conditions.length === 1 ? conditions[0]! : { or: conditions };
}

function parseValue(text: string, { type, choices }: BuilderField, timeZone: string): unknown {
  switch (type) {
    case "number": {
      const number = Number(text.replace(",", "."));
      return Number.isFinite(number) ? number : text;
    }
    case "timestamp":
      return parseMoment(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text, timeZone);
  }
  const chosen = choices && (choices.find(({ value }) => value === text) ??
    choices.find((choice) => choice.text.toLowerCase() === text.toLowerCase()));
  const value = chosen ? chosen.value : text;
  return type === "boolean" && /^(?:true|false)$/.test(value) ? value === "true" : value;
}

/** Returns the row of a node; null when the builder cannot show it. */
export function makeRow(node: FilterNode, fields: readonly BuilderField[]): Row | null {
  const alike = Array.isArray(node.or) ? node.or as unknown[] : [node];
  const conditions = alike.filter(isCondition);
  const [first] = conditions;
  if (!first || conditions.length !== alike.length) return null;
  const rest = ({ operator, value }: Condition) => JSON.stringify([operator, value]);
  if (conditions.some((one) => rest(one) !== rest(first))) return null;
  const names = conditions.map(({ field }) => field).toSorted();
  const field = fields.find((field) =>
    field.names.length === names.length && field.names.every((name, at) => name === names[at])
  );
  if (!field) return null;
  const { operator, value } = first;
  if (operator === "exists") {
    return typeof value === "boolean"
      ? { field: field.name, operator: value ? "exists" : "not_exists", value: "" }
      : null;
  }
  const values = several.includes(operator) ? value : [value];
  if (!Array.isArray(values) || values.length === 0) return null;
  if (!values.every((one) => ["string", "number", "boolean"].includes(typeof one))) return null;
  const texts = values.map((one) => String(one));
  // Another condition comes of a text with spaces around it, and of one with the mark between values.
  const isSame = texts.every((text) => text !== "" && text === text.trim()) &&
    !(several.includes(operator) && texts.some((text) => text.includes(",")));
  return isSame ? { field: field.name, operator, value: texts.join(", ") } : null;
}

function isCondition(node: unknown): node is Condition {
  const { field, operator, value } = (node ?? {}) as Partial<Condition>;
  return typeof field === "string" && typeof operator === "string" && value !== undefined;
}
