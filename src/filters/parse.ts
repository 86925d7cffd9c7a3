/** Parses the filter of a request into a tree of typed conditions, and reports every fault with its path. */
import { invalid, mostErrors } from "../core/errors.ts";
import type { Plain } from "../core/json.ts";
import type { Sql } from "../db/statements.ts";
import { type Catalogue, type FilterField, type Operator, operators, operatorsOf } from "./fields.ts";
import { listTexts } from "./trigrams.ts";
import {
  fault,
  mostCharacters,
  type Operand,
  type Reading,
  readOperand,
  suggestNearest,
} from "./operands.ts";

/** The most levels of nested lists. */
export const mostLevels = 10;
/** Conditions and groups of one filter. */
export const mostNodes = 200;

export type Comparison = Exclude<Operator, keyof typeof negations> | "every";

/** The operator that each negating operator negates. */
const negations = { neq: "eq", nct: "ct", nin: "in" } as const;

export interface Condition {
  readonly kind: "condition";
  readonly field: FilterField;
  /** `every`: the text contains each of several texts. Only `joinTexts` creates it. */
  readonly operator: Comparison;
  /** Whether the comparison must not hold: true for `neq`, `nct`, `nin`, and `exists` with false. */
  readonly negated: boolean;
  /** Texts in lower case, dates as they are stored, `true` and `false` of a boolean field as 1 and 0. */
  readonly value: Operand;
  /** The number of values that the request gave, if each of them is compared in several forms. */
  readonly given?: number;
  /** SQL of a select of what such values stand for. */
  readonly select?: (values: readonly string[]) => Sql;
}

export interface Group {
  readonly kind: "and" | "or";
  readonly nodes: readonly Node[];
}

export type Node = Condition | Group;

export interface Filter {
  /** Combined with and. */
  readonly nodes: readonly Node[];
  /** The same nodes in the form of the request, without unknown members. */
  readonly given: readonly Plain[];
  /** Whether the filter names a deprecated field. */
  readonly deprecated: boolean;
}

/**
 * Parses a list of nodes. Throws 422 with the faults. `path`: the place of the list in the request. `kept`:
 * the filter was valid when it was saved.
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
  const { value } = written;
  const name = readName(written.field, `${path}.field`, reading);
  const field = name === null ? null : reading.catalogue.field(name);
  if (name !== null && !field) {
    const near = suggestNearest(name, reading, reading.catalogue.names);
    fault(reading, `${path}.field`, "unknown_field", `There is no such field to filter by${near}.`);
  }
  const asked = readName(written.operator, `${path}.operator`, reading);
  const there = field ? operatorsOf[field.type] : operators;
  const operator = there.find((each) => each === asked);
  if (asked !== null && !operator) {
    fault(reading, `${path}.operator`, "operator", `The field has the operators ${there.join(", ")}.`);
  }
  if (value === undefined) return fault(reading, `${path}.value`, "required", "Must be given.");
  if (value === null) return fault(reading, `${path}.value`, "type", "null is not a value; use exists.");
  if (name === null || !field || !operator) return null;
  const operand = readOperand(value, field, operator, `${path}.value`, reading);
  if (operand === null) return null;
  if (field.deprecated) reading.deprecated = true;
  const [comparison, negated] = operator === "neq" || operator === "nct" || operator === "nin"
    ? [negations[operator], true]
    : [operator, operator === "exists" && value === false];
  const condition = { kind: "condition", field, operator: comparison, negated, value: operand } as const;
  return {
    node: field.equal && (comparison === "eq" || comparison === "in")
      ? writeInEachForm(condition, reading.catalogue.companyId)
      : condition,
    given: { field: name, operator, value: value as Plain },
  };
}

/** Compares the values of a condition in each form in which equal ones are written. */
function writeInEachForm(condition: Condition, companyId: number): Condition {
  const { field, value } = condition;
  const { value: column, forms, select } = field.equal!;
  const given = listTexts(value);
  return {
    ...condition,
    field: { ...field, value: column },
    operator: "in",
    value: [...new Set(given.flatMap(forms))],
    given: given.length,
    select: (values) => select(values, companyId),
  };
}

/** The name of a field or an operator. */
function readName(given: unknown, path: string, reading: Reading): string | null {
  if (given === undefined || given === null) return fault(reading, path, "required", "Must be given.");
  return typeof given === "string" ? given : fault(reading, path, "type", "Must be a string.");
}
