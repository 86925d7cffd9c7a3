/** Conditions that set bounds to one and the same value, such as both ends of a time. */
import { fractionOfTime } from "../lists/conditions.ts";
import type { Condition } from "./parse.ts";

/** The condition with those that are ranges of the same column, where it is one. */
export function rangeWith(condition: Condition, conditions: readonly Condition[]): Condition[] {
  const column = columnOf(condition);
  return column === null ? [condition] : conditions.filter((other) => columnOf(other) === column);
}

/** About which part of the rows lies within all bounds; null: they set none. `now`: a timestamp. */
export function fractionOfRange(range: readonly Condition[], now: string): number | null {
  if (range.some((each) => columnOf(each) === null)) return null;
  const lower = valuesOf(range, ["gt", "gte"]);
  const upper = valuesOf(range, ["lt", "lte"]);
  if (range[0]!.field.type !== "timestamp") return lower.length > 0 && upper.length > 0 ? 0.1 : 0.3;
  return fractionOfTime(lower.sort().at(-1) ?? null, upper.sort()[0] ?? null, now);
}

/** Timestamps sort as texts. */
function valuesOf(range: readonly Condition[], operators: readonly Condition["operator"][]): string[] {
  return range.filter(({ operator }) => operators.includes(operator)).map(({ value }) => String(value));
}

/** The column that a range is about, or the field whose one value it is; null for anything else. */
function columnOf({ field: { value }, operator }: Condition): string | null {
  if (!["gt", "gte", "lt", "lte"].includes(operator)) return null;
  if (value.kind === "column") return value.sql("r").sql;
  return value.found && JSON.stringify([value.from, value.found.field]);
}
