/** What a value is compared with, in SQL. */
import { rawSql, type Sql, sql } from "../db/statements.ts";
import { type FilterField, type Operator } from "./fields.ts";
import type { Condition, Operand } from "./parse.ts";

type Positive = Exclude<Operator, "neq" | "nct" | "nin">;

/** The comparison without its negation, and whether it was negated. */
export function positive({ operator, value }: Condition): { operator: Positive; negated: boolean } {
  switch (operator) {
    case "neq":
      return { operator: "eq", negated: true };
    case "nct":
      return { operator: "ct", negated: true };
    case "nin":
      return { operator: "in", negated: true };
    case "exists":
      return { operator, negated: value === false };
    default:
      return { operator, negated: false };
  }
}

/** SQL: the value (an expression) is there and compares so. Never negated. */
export function predicate(field: FilterField, operator: Positive, value: Operand, of: Sql): Sql {
  const { type, choices } = field;
  // Values of a choice that is no more may still lie there.
  if (field.live && choices) {
    if (operator === "exists") return among(of, [...choices]);
    if (operator === "eq") return choices.has(String(value)) ? sql`${of} = ${bound(value)}` : none;
    if (operator === "in") return among(of, (value as string[]).filter((each) => choices.has(each)));
  }
  switch (operator) {
    case "eq":
      return sql`${of} = ${bound(value)}`;
    case "in":
      return among(of, value as readonly (string | number)[]);
    case "gt":
      return sql`${of} > ${bound(value)}`;
    case "gte":
      return sql`${of} >= ${bound(value)}`;
    case "lt":
      return sql`${of} < ${bound(value)}`;
    case "lte":
      return sql`${of} <= ${bound(value)}`;
    case "exists":
      return isText(type) ? sql`${of} > ''` : sql`${of} is not null`;
    case "sw":
      return beginning(of, String(value));
    case "ew": {
      const length = [...String(value)].length;
      // `substr` from the end takes what there is of a shorter text, and that is not the end asked for.
      return length === 0
        ? sql`${of} is not null`
        : sql`substr(${of}, ${rawSql(String(-length))}) = ${bound(value)}`;
    }
    case "ct":
      return sql`instr(${of}, ${bound(value)}) > 0`;
  }
}

/** How many rows a comparison that an index serves leaves as a rule: the fewer, the lower. Null: no index serves. */
export function rank(field: FilterField, operator: Positive, value: Operand): number | null {
  const broad = field.type === "boolean" ? 5 : field.type === "choice" || field.broad ? 4 : null;
  switch (operator) {
    case "eq":
      return broad ?? 0;
    case "in":
      return broad ?? 1;
    case "sw": {
      const { length } = String(value);
      return length === 0 ? null : length > 2 ? 2 : 5 - length;
    }
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return 5;
    case "exists":
      return 6;
    default:
      return null;
  }
}

const none = sql`0`;

function bound(value: Operand): Sql {
  return sql`${typeof value === "object" ? JSON.stringify(value) : plain(value)}`;
}

function plain(value: string | number | boolean): string | number {
  return typeof value === "boolean" ? Number(value) : value;
}

function among(of: Sql, values: readonly (string | number)[]): Sql {
  return sql`${of} in (select value from json_each(${sql`${JSON.stringify(values)}`}))`;
}

function isText(type: FilterField["type"]): boolean {
  return type !== "integer" && type !== "number" && type !== "boolean";
}

/** Texts are ordered by their code points, so those that begin so lie between two. */
function beginning(of: Sql, start: string): Sql {
  if (start === "") return sql`${of} is not null`;
  const end = endOf(start);
  const from = sql`${of} >= ${sql`${start}`}`;
  return end === null ? from : sql`(${from} and ${of} < ${sql`${end}`})`;
}

/** SQL: the text stands before all that come after those that begin so. */
export function beforeNext(of: Sql, start: string): Sql {
  const end = endOf(start);
  return end === null ? sql`${of} is not null` : sql`${of} < ${sql`${end}`}`;
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
