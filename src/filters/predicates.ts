/** What a condition compares, in SQL, and about how many rows it leaves. */
import { literal, type Sql, sql } from "../db/statements.ts";
import { fractionOfTime } from "../lists/conditions.ts";
import type { FilterField } from "./fields.ts";
import type { Operand } from "./operands.ts";
import type { Condition } from "./parse.ts";
import { isPart, textsOf } from "./trigrams.ts";

/** SQL: the value `of` (an expression) is there and compares as the condition asks. Never negated. */
export function predicate({ field, operator, value }: Condition, of: Sql): Sql {
  const { type, choices } = field;
  // Only `in` and joined texts have several.
  const one = value as string | number;
  // Values of a choice that is no more may still lie there.
  if (field.live && choices) {
    if (operator === "exists") return among(of, [...choices]);
    if (operator === "eq") return choices.has(String(value)) ? sql`${of} = ${one}` : none;
    if (operator === "in") return among(of, (value as string[]).filter((each) => choices.has(each)));
  }
  switch (operator) {
    case "eq":
      return sql`${of} = ${one}`;
    case "in":
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
      return sql`(${of} is not null and not ${
        someText(of, sql`(${valuesOf(value)} limit -1) t where instr(o.text, t.value) = 0`)
      })`;
    case "ew": {
      if (typeof value === "object") {
        return endsIn(of, value);
      }
      const length = [...String(value)].length;
      // `substr` from the end takes what there is of a shorter text, and that is not the end asked for.
      return length === 0 ? sql`${of} is not null` : sql`substr(${of}, ${literal(-length)}) = ${one}`;
    }
    case "ct":
      if (typeof value === "object") {
        return someText(of, sql`(${valuesOf(value)} limit -1) t where instr(o.text, t.value) > 0`);
      }
      return sql`instr(${of}, ${one}) > 0`;
  }
}

/** How an index finds what a condition selects: by some values, one range, or parts of texts; null: not at all. */
export function searchOf(
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
      return hasParts(field) && textsOf(value).every(isPart) ? "trigrams" : null;
    case "every":
      return hasParts(field) && textsOf(value).some(isPart) ? "trigrams" : null;
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
 * About which part of the rows a condition leaves, without its negation, together with the others of `range`; see
 * `rangeWith`. `now`: a timestamp.
 */
export function fractionOf(
  { field, operator, value }: Condition,
  range: readonly Condition[],
  now: string,
): number {
  const { type, choices, broad } = field;
  const one = type === "boolean" ? 0.5 : broad ? 0.2 : choices ? 1 / Math.max(2, choices.size) : 0.001;
  switch (operator) {
    case "eq":
      return one;
    case "in":
      return Math.min(1, one * Math.max(1, (value as readonly unknown[]).length));
    case "sw":
      return [1, 0.08, 0.02][[...String(value)].length] ?? 0.005;
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
  return fractionOfTime(lower.sort().at(-1) ?? null, upper.sort()[0] ?? null, now);
}

/** The condition with those that are ranges of the same column, where it is one. */
export function rangeWith(condition: Condition, conditions: readonly Condition[]): Condition[] {
  const column = rangedColumn(condition);
  return column === null ? [condition] : conditions.filter((other) => rangedColumn(other) === column);
}

/** The column that a range is about, or the field whose one value it is; null for anything else. */
function rangedColumn({ field: { value }, operator }: Condition): string | null {
  if (!["gt", "gte", "lt", "lte"].includes(operator)) return null;
  if (value.kind === "column") return value.sql("r").sql;
  return value.found && JSON.stringify([value.from, value.found.field]);
}

const none = sql`0`;

/** SQL: a row of `from` fits the text, which is `o.text` there and made once; false without a text. */
function someText(of: Sql, from: Sql): Sql {
  return sql`exists (select 1 from (select ${of} as text limit 1) o cross join ${from} and o.text is not null)`;
}

/** SQL: the text ends with one of the values, which are looked up length by length. */
function endsIn(of: Sql, values: readonly (string | number)[]): Sql {
  if (values.includes("")) return sql`${of} is not null`;
  const list = valuesOf(values);
  return someText(
    of,
    sql`(select distinct -length(value) as size from (${list}) limit -1) t where substr(o.text, t.size) in (${list})`,
  );
}

/** SQL: the values as rows; behind a limit SQLite keeps them, instead of reading the list anew for each row. */
function valuesOf(values: Operand): Sql {
  return sql`select value from json_each(${JSON.stringify(values)})`;
}

function among(of: Sql, values: readonly (string | number)[]): Sql {
  return sql`${of} in (select value from json_each(${JSON.stringify(values)}))`;
}

function isText(type: FilterField["type"]): boolean {
  return type !== "integer" && type !== "number" && type !== "boolean";
}

/** Texts are ordered by their code points, so those with a common beginning are between two. */
function beginning(of: Sql, start: string): Sql {
  if (start === "") return sql`${of} is not null`;
  const from = sql`${of} >= ${start}`;
  const points = [...start].map((letter) => letter.codePointAt(0)!);
  // The first text after all that begin so: there is none after the last code point.
  let last = points.pop();
  while (last === 0x10ffff) last = points.pop();
  if (last === undefined) return from;
  // No text has a surrogate.
  const end = String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  return sql`(${from} and ${of} < ${end})`;
}
