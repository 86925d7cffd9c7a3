/** What a condition compares, in SQL, and about how many rows it leaves. */
import { literal, type Sql, sql } from "../db/statements.ts";
import { fractionOfTime } from "../lists/conditions.ts";
import type { FilterField } from "./fields.ts";
import type { Comparison, Condition, Operand } from "./parse.ts";

/** SQL: the value (an expression) is there and compares so. Never negated. */
export function predicate(field: FilterField, operator: Comparison, value: Operand, of: Sql): Sql {
  const { type, choices } = field;
  // Only `in` and joined texts have several.
  const one = value as string | number;
  // Values of a choice that is no more may still be there.
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

/** What an index does for a comparison that is not negated; null: nothing. */
export function searchOf(operator: Comparison, value: Operand): "equal" | "range" | null {
  switch (operator) {
    case "eq":
    case "in":
      return "equal";
    case "ew":
    case "ct":
    case "every":
      return null;
    case "sw":
      return value === "" ? null : "range";
    default:
      return "range";
  }
}

/** About which part of the rows a comparison leaves, without its negation. `now`: a timestamp. */
export function fractionOf(
  { type, choices, broad }: FilterField,
  operator: Comparison,
  value: Operand,
  now: string,
): number {
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
    case "gt":
    case "gte":
      return type === "timestamp" ? fractionOfTime(String(value), null, now) : 0.3;
    case "lt":
    case "lte":
      return type === "timestamp" ? fractionOfTime(null, String(value), now) : 0.3;
  }
}

/** The condition with those that are ranges of the same column, where it is one. */
export function rangeWith(condition: Condition, conditions: readonly Condition[]): Condition[] {
  const column = columnOf(condition);
  return column === null ? [condition] : conditions.filter((other) => columnOf(other) === column);
}

/** The estimated share of rows within all bounds; null: they set none. `now`: a timestamp. */
export function fractionOfRange(range: readonly Condition[], now: string): number | null {
  if (range.some((each) => columnOf(each) === null)) return null;
  // Timestamps sort as texts.
  const [lower, upper]: [string[], string[]] = [[], []];
  for (const { operator, value } of range) {
    (operator === "gt" || operator === "gte" ? lower : upper).push(String(value));
  }
  if (range[0]!.field.type !== "timestamp") return lower.length > 0 && upper.length > 0 ? 0.1 : 0.3;
  return fractionOfTime(lower.sort().at(-1) ?? null, upper.sort()[0] ?? null, now);
}

/** The column that a range is about, or the field whose one value it is; null for anything else. */
function columnOf({ field: { value }, operator }: Condition): string | null {
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
  const end = endOf(start);
  const from = sql`${of} >= ${start}`;
  return end === null ? from : sql`(${from} and ${of} < ${end})`;
}

/** The first text after all that begin so; null: there is none. */
function endOf(start: string): string | null {
  const points = [...start].map((letter) => letter.codePointAt(0)!);
  for (;;) {
    const last = points.pop();
    if (last === undefined) return null;
    if (last === 0x10ffff) continue;
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
}
