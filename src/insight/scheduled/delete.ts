/** Deletes a scheduled report. Delivered reports stay. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentSchedule } from "./present.ts";
import { requireSchedule, selectScheduleById } from "./queries.ts";
import { scheduledReports } from "./record.ts";
import { checkMayWriteSchedule } from "./write.ts";

export async function deleteScheduledReport(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectScheduleById(ctx.caller, id)]);
  const report = requireSchedule(ctx.caller, found!);
  checkMayWriteSchedule(ctx.caller, report);
  checkMatch(ctx, () => presentSchedule(ctx.caller, report));
  return await commit(ctx, {
    statements: [
      ...ctx.deps.deleteNaming("scheduled_report", sql`${id}`),
      remove(scheduledReports, { id, company_id: report.company_id, version: report.version }),
      guardChanged("scheduled_report"),
    ],
    answer: noContent,
  });
}
