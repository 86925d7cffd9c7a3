/** Asks colleagues to look at the performance report. */
import { noContent } from "../../core/answer.ts";
import { type FieldError, invalid, missingReference } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeWrittenMailLimits } from "../../identity/attempts/limits.ts";
import { limitMaking } from "../../identity/attempts/making_limits.ts";
import { wantsMails } from "../../identity/users/fragments.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { draftReportNotification, keepReport } from "../kept_reports/write.ts";
import type { Reader } from "../reports/question.ts";
import { findDayEnd, findDayStart } from "./days.ts";
import { computePerformance } from "./performance.ts";
import type { NotifyBody } from "./schema.ts";

/**
 * Stores the report as the caller sees it now, from a month ago until in a month, and notifies its readers. Each of
 * their mails counts as one that the caller writes.
 */
export async function notifyPerformance(ctx: Context, reader: Reader, { notify, message }: NotifyBody) {
  const attempts = limitMaking(ctx, "report");
  const mails = new Attempts(ctx, makeWrittenMailLimits(ctx));
  const { users = [], teams = [] } = notify;
  const read = selectNotified(ctx, users, teams);
  const { days, past, future, also } = await computePerformance(reader, ctx.now, {}, [
    read,
    attempts.read,
    mails.read,
  ]);
  const [there, made, sent] = also;
  attempts.check(made!);
  mails.check(sent!);
  const readers = requireReaders(users, teams, there!);
  const zone = reader.company.timezone;
  const report = {
    id: makeId(ctx.now),
    company_id: ctx.caller.companyId,
    user_id: ctx.caller.userId,
    scheduled_report_id: null,
    name: null,
    once: null,
    start_at: formatTimestamp(findDayStart(days.first, zone) * 1000),
    end_at: formatTimestamp(findDayEnd(days.last, zone) * 1000),
    data: JSON.stringify({ past, future }),
    file_id: null,
    failure: null,
    created_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      attempts.guard,
      attempts.count,
      mails.guard,
      mails.countSeveral(countMailed(there!)),
      ...keepReport(report, readers),
    ],
    notifications: [draftReportNotification(report, [{ users: readers }], message)],
    answer: noContent,
  });
}

function selectNotified(
  { caller: { companyId } }: Context,
  users: readonly number[],
  teams: readonly number[],
): Statement {
  const mailed = sql`${wantsMails("notified_report")} as mailed`;
  return sql`select 'user' as kind, u.id, u.id as user_id, ${mailed} from users u
      where u.id in (select value from json_each(${JSON.stringify(users)})) and u.company_id = ${companyId}
      and u.deleted_at is null
    union all select 'team', t.id, m.user_id, ${mailed} from teams t left join team_members m on m.team_id = t.id
      left join users u on u.id = m.user_id
      where t.id in (select value from json_each(${JSON.stringify(teams)})) and t.company_id = ${companyId}
      and u.deleted_at is null`;
}

/** Returns how many of the readers want mails of this kind. */
function countMailed({ rows }: Result): number {
  return new Set(rows.filter(({ mailed }) => mailed === 1).map(({ user_id }) => user_id)).size;
}

/** Throws 422 for users and teams that do not exist. */
function requireReaders(users: readonly number[], teams: readonly number[], { rows }: Result): number[] {
  const errors: FieldError[] = [];
  for (const [kind, ids] of [["user", users], ["team", teams]] as const) {
    const there = new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id));
    ids.forEach((id, index) => {
      if (!there.has(id)) errors.push(missingReference(`notify.${kind}s[${index}]`, kind));
    });
  }
  if (errors.length > 0) throw invalid(...errors);
  return [...new Set(rows.filter(({ user_id }) => user_id !== null).map(({ user_id }) => Number(user_id)))];
}
