/** Reads of the activities of a case. A user who sees the case sees them. */
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type List, readList } from "../../lists/list.ts";
import { makeOwnerScope } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { type ListQuery, page, parsePaging } from "../../http/lists.ts";
import { checkCaseAccess, selectCaseAccess } from "../cases/queries.ts";
import { activityJson, parseActivity, presentActivity } from "../case_parts/activities.ts";
import { activitySorts } from "./schema.ts";

const activityList: List = {
  table: "activities",
  alias: "activity",
  columns: sql`${activityJson} as record`,
  sorts: activitySorts,
  order: "-created_at",
};

export async function listActivities(
  ctx: Context,
  caseId: string,
  query: ListQuery,
  url: string,
) {
  const paging = parsePaging(query, activityList);
  const { rows, extraResults: [access] } = await readList(ctx, activityList, {
    scope: makeOwnerScope(ctx.caller, "case_id", caseId),
    paging,
    totals: [],
    extraReads: [selectCaseAccess(ctx.caller.companyId, caseId)],
  });
  const { activity_count } = checkCaseAccess(ctx, access!);
  return page(
    { url, ctx },
    paging,
    rows,
    activity_count,
    (row) => presentActivity(parseActivity(row.record!)!, ctx.at),
  );
}

export async function getActivity(ctx: Context, caseId: string, id: string) {
  const [access, found] = await ctx.deps.db.read([
    selectCaseAccess(ctx.caller.companyId, caseId),
    sql`select ${activityJson} as record from activities activity where activity.id = ${id} and activity.case_id = ${caseId}`,
  ]);
  checkCaseAccess(ctx, access!);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentActivity(parseActivity(row.record!)!, ctx.at));
}

/** SQL: whether the activity belongs to the case. */
export function belongsToCase(id: string | null, caseId: string | null): Sql {
  return sql`exists (select 1 from activities where id = ${id} and case_id = ${caseId})`;
}
