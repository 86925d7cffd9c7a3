/** Asks for a delivery now. */
import { accepted } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeWrittenMailLimits } from "../../identity/attempts/limits.ts";
import { limitMaking } from "../../identity/attempts/making_limits.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { selectRecipients } from "./claim.ts";
import { deliverReports } from "./deliver.ts";
import { findFailure, hasEnded } from "./facts.ts";
import { requireSchedule, selectScheduleById } from "./queries.ts";
import { scheduleFailures } from "./failures.ts";
import { checkMayWriteSchedule } from "./write.ts";

/**
 * Returns 202: a job delivers the report for the last complete period. The calendar does not change. Each of its
 * mails counts as one that the caller writes. Throws 409 when the report has ended.
 */
export async function sendScheduledReport(ctx: Context, id: string) {
  const { caller, deps, now } = ctx;
  const attempts = limitMaking(ctx, "report");
  const mails = new Attempts(ctx, makeWrittenMailLimits(ctx));
  const [found, made, sent, recipients] = await deps.db.read([
    selectScheduleById(caller, id),
    attempts.read,
    mails.read,
    selectRecipients(id),
  ]);
  const report = requireSchedule(caller, found!);
  checkMayWriteSchedule(caller, report);
  if (hasEnded(report)) {
    const failure = findFailure(report);
    throw conflict("delivery_ended", failure ? scheduleFailures[failure] : "The scheduled report has ended.");
  }
  attempts.check(made!);
  mails.check(sent!);
  const answer = await commit(ctx, {
    statements: [
      attempts.guard,
      attempts.count,
      mails.guard,
      mails.countSeveral(recipients!.rows.filter(({ mailed }) => mailed === 1).length),
      sql`update scheduled_reports set wanted_at = ${now} where id = ${id} and next_date is not null`,
      guardChanged("scheduled_report"),
    ],
    answer: accepted(),
  });
  deps.background.run(() => deliverReports(deps, deps.clock.now()));
  return answer;
}
