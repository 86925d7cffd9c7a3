/** Cases closed on each day, and open ones by the day on which they are expected to close. */
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { findIndicator } from "../indicators/catalogue.ts";
import { noFilters, type Reader } from "../reports/question.ts";
import { rounding } from "../reports/rounding.ts";
import { describeCounted } from "../reports/spans.ts";
import { selectSums } from "../reports/sums.ts";
import { makeMeasure } from "../rollups/measures.ts";
import { isChosenOpenCase, selectChosenProducts } from "./open_cases.ts";
import { type Days, findDayEnd, findDayStart, listDays, readDays } from "./days.ts";
import type { PerformanceQuery } from "./schema.ts";

export interface DayValue {
  readonly date: string;
  readonly value: number;
}

export interface PerformanceFigures {
  readonly days: Days;
  readonly past: readonly DayValue[];
  readonly future: readonly DayValue[];
}

/**
 * Returns the values of each day. `past` ends with today, `future` begins with it. `also`: more reads for the
 * same round trip, returned with their results. `now`: epoch milliseconds.
 */
export async function computePerformance(
  reader: Reader,
  now: number,
  query: PerformanceQuery,
  also: readonly Statement[] = [],
): Promise<PerformanceFigures & { readonly also: readonly Result[] }> {
  const { company, deps } = reader;
  const days = readDays(query, company.timezone, now);
  const { first, last, today } = days;
  const past = listDays(first, last < today ? last : today);
  const future = listDays(first > today ? first : today, last);
  const isValue = company.product_mode === "advanced";
  const [closed, expected, ...results] = await deps.db.readOnThread([
    past.length > 0 ? selectClosed(reader, past, query, isValue) : nothing,
    future.length > 0 ? selectExpected(reader, future, query, isValue) : nothing,
    ...also,
  ], { effort: "scan", company: company.id });
  const round = rounding(findIndicator(isValue ? "cases.closed.value" : "cases.closed")!, company.currency);
  const addValues = (list: readonly string[], { rows }: Result) => {
    const values = new Map(rows.map(({ day, value }) => [day, round(Number(value))]));
    return list.map((date) => ({ date, value: values.get(date) ?? 0 }));
  };
  return {
    days,
    past: addValues(past, {
      ...closed!,
      rows: closed!.rows.map(({ span, s0 }) => ({ day: past[Number(span)]!, value: s0! })),
    }),
    future: addValues(future, expected!),
    also: results,
  };
}

const nothing = sql`select null as day, null as value, null as span, null as s0 limit 0`;

/**
 * Reads `span` (the position of the day) and `s0`: the number or value of the visible cases that closed on
 * that day.
 */
function selectClosed(
  reader: Reader,
  days: readonly string[],
  { users, teams, products, categories, relations_path_id, lead_type_id }: PerformanceQuery,
  isValue: boolean,
): Statement {
  const indicator = findIndicator(isValue ? "cases.closed.value" : "cases.closed")!;
  const { timezone } = reader.company;
  const begins = [...days.map((day) => findDayStart(day, timezone)), findDayEnd(days.at(-1)!, timezone)];
  const spans = days.map((_, index) => ({ start: begins[index]!, end: begins[index + 1]! }));
  const question = {
    indicators: [indicator],
    start: begins[0]!,
    end: begins.at(-1)!,
    groupBy: [],
    filters: {
      ...noFilters,
      user_ids: users ?? null,
      team_ids: teams ?? null,
      product_ids: categories === undefined
        ? products ?? null
        : sql`(select json_group_array(value) from (${selectChosenProducts({ products, categories })}))`,
      relations_path_ids: relations_path_id ?? null,
      lead_type_ids: lead_type_id ?? null,
    },
    at: "query." as const,
  };
  return selectSums(reader, question, describeCounted(spans), {
    kind: "case_closed",
    types: "types",
    has: new Set(indicator.group_by),
    knowsLead: true,
    isLevel: false,
    sums: [{ measure: makeMeasure(indicator, 0), sign: 1 }],
  });
}

/**
 * Reads `day` and `value`: the number or weighted value of the open cases that are expected to close on that
 * day.
 */
function selectExpected(
  { caller }: Reader,
  days: readonly string[],
  query: PerformanceQuery,
  isValue: boolean,
): Statement {
  const value = isValue ? sql`sum(cs.offer_value * cs.chance_of_success / 100.0)` : sql`count(*)`;
  return sql`select cs.estimated_close_date as day, ${value} as value from cases cs
    where ${isChosenOpenCase(caller, query)} and cs.estimated_close_date >= ${days[0]!}
    and cs.estimated_close_date <= ${days.at(-1)!} group by 1`;
}
