/** Turns the parameters of a report into its question. */
import { fieldError, invalid } from "../../core/errors.ts";
import { parseTimestamp } from "../../core/time.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { findIndicator, type Grouping, type IndicatorDefinition } from "../indicators/catalogue.ts";
import { computeMonthsBefore } from "./intervals.ts";
import type { Filters, Question, Reader, ReportCompany } from "./question.ts";

/** The parameters that reports have in common; each report has some of them. */
export interface Parameters
  extends Partial<{ readonly [Name in keyof Filters]: Filters[Name] | null | undefined }> {
  readonly indicators: readonly string[];
  readonly start_at?: string | undefined;
  readonly end_at?: string | undefined;
  readonly group_by?: readonly Grouping[] | undefined;
}

/** For `prefetched` of an endpoint: reads the company of the caller, in the round trip that reads the caller. */
export function prefetchCompany(): (userId: Sql) => Statement {
  return (userId) => selectReportCompany(sql`(select u.company_id from users u where u.id = ${userId})`);
}

/** Returns the caller and the company. `prefetched`: the row that `prefetchCompany` read; null: reads it now. */
export async function loadReader(ctx: Context, prefetched: Row | null): Promise<Reader> {
  const row = prefetched ??
    (await ctx.deps.db.read([selectReportCompany(sql`${ctx.caller.companyId}`)]))[0]!.rows[0]!;
  return { deps: ctx.deps, caller: ctx.caller, company: readCompanyRow(row) };
}

/** SQL: the columns of `readCompanyRow`. `id` is SQL of the company's id. */
export function selectReportCompany(id: Sql): Statement {
  return sql`select id, name, locale, timezone, currency, product_mode from companies where id = ${id}`;
}

export function readCompanyRow(row: Row): ReportCompany {
  const { id, name, locale, timezone, currency, product_mode } = row;
  return {
    id: Number(id),
    name: String(name),
    locale: String(locale),
    timezone: String(timezone),
    currency: String(currency),
    product_mode: String(product_mode),
  };
}

/**
 * Returns the question. By default it ends with this second and is a month long. `now`: epoch milliseconds.
 * `at`: where the request has the parameters. Throws 422 for a start that is not before the end.
 */
export function parseQuestion(
  parameters: Parameters,
  timeZone: string,
  now: number,
  at: Question["at"] = "query.",
): Question {
  const end = parameters.end_at === undefined ? Math.floor(now / 1000) + 1 : toSeconds(parameters.end_at);
  const start = parameters.start_at === undefined
    ? computeMonthsBefore(timeZone, end, 1)
    : toSeconds(parameters.start_at);
  if (start >= end) {
    throw invalid(
      parameters.end_at === undefined
        ? fieldError(`${at}start_at`, "before", "Must be in the past, or give end_at.")
        : fieldError(`${at}end_at`, "after", "Must be after start_at."),
    );
  }
  return {
    indicators: parameters.indicators.map((name) => findIndicator(name)).filter(isKnown),
    start,
    end,
    groupBy: parameters.group_by ?? ["user"],
    at,
    filters: {
      activity_type_ids: parameters.activity_type_ids ?? null,
      created_from_lead: parameters.created_from_lead ?? null,
      group_ids: parameters.group_ids ?? null,
      lead_sources: parameters.lead_sources ?? null,
      lead_type_ids: parameters.lead_type_ids ?? null,
      product_ids: parameters.product_ids ?? null,
      relations_path_ids: parameters.relations_path_ids ?? null,
      team_ids: parameters.team_ids ?? null,
      user_ids: parameters.user_ids ?? null,
    },
  };
}

function isKnown(indicator: IndicatorDefinition | undefined): indicator is IndicatorDefinition {
  return indicator !== undefined;
}

function toSeconds(timestamp: string): number {
  return Math.floor(parseTimestamp(timestamp)! / 1000);
}
