/** Open cases by relations path and by milestone. */
import { seesOwned } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Owner } from "../../identity/owners.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import { listCases } from "../../sales/cases/list.ts";
import { findIndicator } from "../indicators/catalogue.ts";
import { readMetricRows } from "../reports/answers.ts";
import { noFilters, type Reader } from "../reports/question.ts";
import { rounding } from "../reports/rounding.ts";
import { findDayEnd, findDayStart, formatGivenDay } from "./days.ts";
import { isChosenOpenCase } from "./open_cases.ts";
import type { PipelineQuery } from "./schema.ts";
import { formatTimestamp } from "../../core/time.ts";

const indicators = [findIndicator("cases.open")!, findIndicator("cases.open.value")!];

/** The relations paths that have open cases, most cases first. */
export async function pipeline(reader: Reader, now: number) {
  const end = Math.floor(now / 1000) + 1;
  const rows = await readMetricRows(reader, {
    indicators,
    start: end - 1,
    end,
    groupBy: ["relations_path"],
    filters: noFilters,
    at: "query.",
  });
  const sums = new Map(
    rows.filter(({ indicator }) => indicator === "cases.open.value").map((
      { group, value },
    ) => [group.ids[0], value]),
  );
  return ok({
    data: rows.filter(({ indicator }) => indicator === "cases.open").map(({ group, value }) => ({
      id: String(group.ids[0]),
      name: group.names[0] ?? null,
      value: value ?? 0,
      sum: sums.get(group.ids[0]!) ?? 0,
    })),
  });
}

/**
 * Returns the milestones of a path in their order, with the open cases whose highest milestone each is. The
 * last row has the cases without a milestone.
 */
export async function milestonePipeline(ctx: Context, reader: Reader, pathId: string, query: PipelineQuery) {
  const { caller: { companyId }, deps } = ctx;
  const zone = reader.company.timezone;
  const [first, last] = [query.start_date, query.end_date].map((day) => day && formatGivenDay(day, zone));
  if (first && last && last < first) {
    throw invalid(fieldError("query.end_date", "after", "Must not be before start_date."));
  }
  const from = first ? sql`and cs.created_at >= ${formatTimestamp(findDayStart(first, zone) * 1000)}` : sql``;
  const until = last ? sql`and cs.created_at < ${formatTimestamp(findDayEnd(last, zone) * 1000)}` : sql``;
  const counted = sql`select cs.highest_milestone_id as id, count(*) as value, sum(cs.offer_value) as sum
    from cases cs where ${isChosenOpenCase(ctx.caller, { ...query, relations_path_id: [pathId] })}
    ${from} ${until}
    group by 1`;
  const [path, milestones] = await deps.db.readOnThread([
    selectPathOwner(companyId, pathId),
    sql`with counted as materialized (${counted})
      select t.id, t.name, t.chance_of_success, ifnull(c.value, 0) as value, ifnull(c.sum, 0) as sum, t.sort_order as place
      from activity_types t left join counted c on c.id = t.id
      where t.relations_path_id = ${pathId} and t.is_milestone = 1 and (t.retired_at is null or c.id is not null)
      union all select null, null, null, ifnull(max(c.value), 0), ifnull(max(c.sum), 0), 1e9 from (select 1)
        left join counted c on c.id is null
      order by place, 1`,
  ], { effort: "scan", company: companyId });
  checkPath(ctx, path!);
  const round = rounding(findIndicator("cases.open.value")!, reader.company.currency);
  return ok({
    data: milestones!.rows.map(({ id, name, chance_of_success, value, sum }) => ({
      id: id as string | null,
      name: name as string | null,
      chance_of_success: chance_of_success as number | null,
      value: Number(value),
      sum: reader.company.product_mode === "simple" ? 0 : round(Number(sum)) ?? 0,
    })),
  });
}

/** Returns the open cases whose highest milestone is `milestone_id`, as `GET /v1/cases` shows them. */
export function milestoneCases(
  ctx: Context,
  { relations_path_id, milestone_id }: { readonly relations_path_id: string; readonly milestone_id: string },
  paging: { page?: number | undefined; per_page?: number | undefined; after?: string | undefined },
  url: string,
) {
  const query = {
    ...paging,
    status: "open" as const,
    relations_paths: [relations_path_id],
    milestone_ids: [milestone_id],
  };
  const owner = selectPathOwner(ctx.caller.companyId, relations_path_id);
  return listCases(ctx, query, url, {
    read: sql`${owner} and exists (select 1 from activity_types t
      where t.id = ${milestone_id} and t.relations_path_id = p.id and t.is_milestone = 1)`,
    check: (found) => checkPath(ctx, found),
  });
}

function selectPathOwner(companyId: number, id: string): Sql {
  return sql`select p.team_id, p.group_id, p.kept_for from relations_paths p where p.id = ${id} and p.company_id = ${companyId}`;
}

function checkPath({ caller }: Context, { rows }: Result): void {
  const path = rows[0] as Row & Owner | undefined;
  if (!path || !seesOwned(caller, path)) throw notFound();
}
