/**
 * An independent implementation of filters: evaluates them on plain facts, one record after the other,
 * without a database or code of the service.
 */
import type { Field, FieldType, Operator, Root } from "./fields.ts";
import { foldCase } from "../../support/case_folding.ts";

export type Scalar = string | number | boolean;

/**
 * A record: its values by key (an empty list if it has no value, several if the field allows them), and the
 * records below it.
 */
export interface Facts {
  readonly id: string;
  readonly values: Readonly<Record<string, readonly Scalar[]>>;
  readonly below: Readonly<Record<string, readonly Facts[]>>;
  /**
   * Set for a lead that filters do not see: an expired lead, or a deleted one unless the filter is about its
   * deletion.
   */
  readonly hidden?: "expired" | "deleted";
}

/** An account, a contact or a lead that a filter may select. */
export interface Subject {
  readonly facts: Facts;
  readonly root: "account" | "contact" | "lead";
  readonly b2c: boolean;
}

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: Scalar | readonly Scalar[];
}
export type Node = Condition | { readonly and: readonly Node[] } | { readonly or: readonly Node[] };

export interface Terms {
  readonly fields: ReadonlyMap<string, Field>;
  /** The reference time of relative dates, in epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns true if the filter selects the record. Selects a deleted lead only if any condition is about its
 * deletion.
 */
export function selectsSubject(subject: Subject, nodes: readonly Node[], terms: Terms): boolean {
  return counts(subject.facts, conditionsIn(nodes)) && holds(subject, nodes, terms);
}

/** Returns true if every node of the list holds. */
function holds(subject: Subject, nodes: readonly Node[], terms: Terms): boolean {
  // Conditions of one list about the same kind of record must hold for a single record.
  const together = new Map<Root, Condition[]>();
  for (const node of nodes) {
    if ("and" in node) {
      if (!holds(subject, node.and, terms)) return false;
    } else if ("or" in node) {
      if (!node.or.some((each) => holds(subject, [each], terms))) return false;
    } else {
      const { kind, root } = requireField(node, terms);
      if (kind !== null && (kind === "b2c") !== subject.b2c) return false;
      const denied = deniedBy(node);
      if (denied !== null) {
        // A negation is evaluated alone: no record may meet the condition that it negates.
        if (someHas(subject, root, [denied], terms)) return false;
      } else together.set(root, [...together.get(root) ?? [], node]);
    }
  }
  return [...together].every(([root, conditions]) => someHas(subject, root, conditions, terms));
}

/** Returns the condition that a negation negates, or null for another condition. */
function deniedBy({ field, operator, value }: Condition): Condition | null {
  if (operator === "neq") return { field, operator: "eq", value };
  if (operator === "nct") return { field, operator: "ct", value };
  if (operator === "nin") return { field, operator: "in", value };
  if (operator === "exists" && value === false) return { field, operator: "exists", value: true };
  return null;
}

/** Returns true if one record of the kind, with one record of each kind below it, meets all conditions. */
function someHas(subject: Subject, root: Root, conditions: readonly Condition[], terms: Terms): boolean {
  const there = (subject.facts.below[root] ?? []).filter((record) => counts(record, conditions));
  const records = root === subject.root ? [subject.facts] : there;
  const parts = Map.groupBy(conditions, (condition) => requireField(condition, terms).below);
  return records.some((record) =>
    [...parts].every(([part, asked]) => {
      const among = part === null ? [record] : record.below[part] ?? [];
      return among.some((each) => asked.every((condition) => has(each, condition, terms)));
    })
  );
}

/**
 * Returns true if filters see the record. They never see expired leads, and deleted ones only by their
 * deletion.
 */
function counts({ hidden }: Facts, conditions: readonly Condition[]): boolean {
  if (hidden === undefined) return true;
  return hidden === "deleted" && conditions.some(({ field }) => field === "lead.deleted_at");
}

function conditionsIn(nodes: readonly Node[]): Condition[] {
  return nodes.flatMap((node) =>
    "and" in node ? conditionsIn(node.and) : "or" in node ? conditionsIn(node.or) : [node]
  );
}

function has(record: Facts, { field, operator, value }: Condition, terms: Terms): boolean {
  const { key, type } = requireField({ field }, terms);
  const present = record.values[key] ?? [];
  // An empty text is a value, but `exists` is false for it.
  if (operator === "exists") return present.some((each) => each !== "");
  if (operator === "in") {
    const wanted = (value as readonly Scalar[]).map((each) => comparable(each, type, terms.now));
    return present.some((each) => wanted.includes(comparable(each, type, terms.now)));
  }
  const wanted = comparable(value as Scalar, type, terms.now);
  return present.some((each) => compares(comparable(each, type, terms.now), operator, wanted));
}

function compares(value: Scalar, operator: Operator, wanted: Scalar): boolean {
  switch (operator) {
    case "eq":
      return value === wanted;
    case "gt":
      return value > wanted;
    case "gte":
      return value >= wanted;
    case "lt":
      return value < wanted;
    case "lte":
      return value <= wanted;
    case "sw":
      return String(value).startsWith(String(wanted));
    case "ew":
      return String(value).endsWith(String(wanted));
    case "ct":
      return String(value).includes(String(wanted));
    default:
      throw new Error(`${operator} denies something`);
  }
}

/** Returns a value in the form for comparisons: text by its folded case, days and timestamps as sortable text. */
function comparable(value: Scalar, type: FieldType, now: number): Scalar {
  if (type === "timestamp") return formatStamp(parseMoment(String(value), now));
  if (type === "day") return formatStamp(parseMoment(String(value), now)).slice(0, 10);
  return typeof value === "string" ? foldCase(value) : value;
}

/**
 * Returns the epoch milliseconds of a date in a form of filters: `Y-m-d`, `Y-m-d H:i:s`, RFC 3339, `NOW-3d`.
 */
export function parseMoment(text: string, now: number): number {
  const relative = /^NOW(?:([+-])(\d+)([yMwdhms]))?$/.exec(text);
  if (!relative) {
    const plain = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(text);
    return Date.parse(plain ? `${plain[1]}T${plain[2] ?? "00:00:00"}Z` : text);
  }
  const [, sign, digits, unit] = relative;
  if (unit === undefined) return now;
  const amount = Number(digits) * (sign === "-" ? -1 : 1);
  const seconds = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 }[unit];
  if (seconds !== undefined) return now + amount * seconds * 1000;
  return addMonths(now, unit === "y" ? 12 * amount : amount);
}

/** Returns the same day of another month, or the last day if that month is shorter. */
function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

export function formatStamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

function requireField({ field }: Pick<Condition, "field">, terms: Terms): Field {
  const found = terms.fields.get(field);
  if (!found) throw new Error(`no field ${field}`);
  return found;
}
