/** The comparison of a condition in SQL, and the estimated share of rows that it leaves. */
import { literal, type Sql, sql } from "../db/statements.ts";
import { estimateFractionOfTime } from "../lists/conditions.ts";
import type { FilterField } from "./fields.ts";
import type { Operand } from "./operands.ts";
import type { Condition } from "./parse.ts";
import { isPart, listTexts } from "./trigrams.ts";

/**
 * SQL: the value `of` (an expression) exists and meets the condition. Ignores whether the condition is
 * negated.
 */
export function predicate({ field, operator, value, select }: Condition, of: Sql): Sql {
  const { type, choices } = field;
  // Only `in` and joined conditions have several values.
  const one = value as string | number;
  // Values of a removed choice may still be stored.
  if (field.live && choices) {
    if (operator === "exists") return among(of, [...choices]);
    if (operator === "eq") return choices.has(String(value)) ? sql`${of} = ${one}` : none;
    if (operator === "in") return among(of, (value as string[]).filter((each) => choices.has(each)));
  }
  switch (operator) {
    case "eq":
      return sql`${of} = ${one}`;
    case "in":
      if (select) return sql`${of} in (${select(value as readonly string[])})`;
      return among(of, value as readonly (string | number)[]);
    case "gt":
      return sql`${of} > ${one}`;
    case "gte":
      return sql`${of} >= ${one}`;
    case "lt":
      return sql`${of} < ${one}`;
    case "lte":
      return sql`${of} <= ${one}`;
    case "exists":
      return isText(type) ? sql`${of} > ''` : sql`${of} is not null`;
    case "sw":
      return beginning(of, String(value));
    case "every":
      return sql`(${of} is not null
        and not ${someText(of, sql`(${selectValues(value)} limit -1) t where instr(o.text, t.value) = 0`)})`;
    case "ew": {
      if (typeof value === "object") {
        return endsIn(of, value);
      }
      const length = [...String(value)].length;
      // `substr` from the end returns all of a shorter text, which is not the end asked for.
      return length === 0 ? sql`${of} is not null` : sql`substr(${of}, ${literal(-length)}) = ${one}`;
    }
    case "ct":
      if (typeof value === "object") {
        return someText(of, sql`(${selectValues(value)} limit -1) t where instr(o.text, t.value) > 0`);
      }
      return sql`instr(${of}, ${one}) > 0`;
  }
}

/**
 * Returns how an index finds the rows of a condition: by some values, by one range, or by parts of texts.
 * Null: it does not.
 */
export function chooseSearch(
  { field, operator, negated, value }: Condition,
): "equal" | "range" | "trigrams" | null {
  if (negated) return null;
  switch (operator) {
    case "eq":
    case "in":
      return "equal";
    case "ew":
      return null;
    case "ct":
      return hasParts(field) && listTexts(value).every(isPart) ? "trigrams" : null;
    case "every":
      return hasParts(field) && listTexts(value).some(isPart) ? "trigrams" : null;
    case "sw":
      return value === "" ? null : "range";
    default:
      return "range";
  }
}

function hasParts({ value }: FilterField): boolean {
  return value.kind === "column" && value.parts !== undefined;
}

/**
 * Estimates the share of rows that a condition leaves, without its negation and together with the others of
 * `range` (see `rangeWith`). `now`: a timestamp.
 */
export function estimateFraction(
  { field, operator, value, given }: Condition,
  range: readonly Condition[],
  now: string,
): number {
  const { type, choices, share } = field;
  const one = share ?? (type === "boolean" ? 0.5 : choices ? 1 / Math.max(2, choices.size) : 0.001);
  switch (operator) {
    case "eq":
      return one;
    case "in":
      return Math.min(1, one * Math.max(1, given ?? (value as readonly unknown[]).length));
    case "sw":
      // The code of a country begins as many numbers as a letter begins names.
      return [1, 0.08, 0.02][[...String(value).replace(/^\+\d{0,2}/, "+")].length] ?? 0.005;
    case "ew":
    case "ct":
    case "every":
      return 0.02;
    case "exists":
      return 0.8;
  }
  // Timestamps sort as texts.
  const [lower, upper]: [string[], string[]] = [[], []];
  for (const bound of range) {
    const isLower = bound.operator === "gt" || bound.operator === "gte";
    (isLower ? lower : upper).push(String(bound.value));
  }
  if (type !== "timestamp") return lower.length > 0 && upper.length > 0 ? 0.1 : 0.3;
  return estimateFractionOfTime(lower.sort().at(-1) ?? null, upper.sort()[0] ?? null, now);
}

/**
 * Returns all conditions that are ranges of the same column. Returns the condition alone if it is no range.
 */
export function rangeWith(condition: Condition, conditions: readonly Condition[]): Condition[] {
  const column = findRangedColumn(condition);
  return column === null ? [condition] : conditions.filter((other) => findRangedColumn(other) === column);
}

/**
 * Identifies the column of a range, or the field whose single value it is about. Null if the condition is no
 * range.
 */
function findRangedColumn({ field: { value }, operator }: Condition): string | null {
  if (!["gt", "gte", "lt", "lte"].includes(operator)) return null;
  if (value.kind === "column") return value.sql("r").sql;
  return value.found && JSON.stringify([value.from, value.found.field]);
}

const none = sql`0`;

/**
 * SQL: a row of `from` fits the text. The text is `o.text` there and is computed once. False without a text.
 */
function someText(of: Sql, from: Sql): Sql {
  return sql`exists (select 1 from (select ${of} as text limit 1) o cross join ${from} and o.text is not null)`;
}

/** SQL: the text ends with one of the values. It looks up one end for each length of the values. */
function endsIn(of: Sql, values: readonly (string | number)[]): Sql {
  if (values.includes("")) return sql`${of} is not null`;
  const list = selectValues(values);
  return someText(
    of,
    sql`(select distinct -length(value) as size from (${list}) limit -1) t where substr(o.text, t.size) in (${list})`,
  );
}

/**
 * SQL: the values as rows. With a limit after it SQLite keeps the rows, instead of parsing the list for each
 * row.
 */
function selectValues(values: Operand): Sql {
  return sql`select value from json_each(${JSON.stringify(values)})`;
}

function among(of: Sql, values: readonly (string | number)[]): Sql {
  return sql`${of} in (select value from json_each(${JSON.stringify(values)}))`;
}

function isText(type: FilterField["type"]): boolean {
  return type !== "integer" && type !== "number" && type !== "boolean";
}

/**
 * SQL: the text begins with `start`. Texts are ordered by code points, so those with one beginning are a
 * range.
 */
function beginning(of: Sql, start: string): Sql {
  if (start === "") return sql`${of} is not null`;
  const from = sql`${of} >= ${start}`;
  const points = [...start].map((letter) => letter.codePointAt(0)!);
  // The end is the first text after all with this beginning. There is none after the last code point.
  let last = points.pop();
  while (last === 0x10ffff) last = points.pop();
  if (last === undefined) return from;
  // No text has a surrogate.
  const end = String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  return sql`(${from} and ${of} < ${end})`;
}
