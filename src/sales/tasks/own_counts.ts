/** Numbers of the caller's own open tasks, by the days of the caller's time zone. */
import { isAdmin } from "../../core/access.ts";
import { computeZoneOffset, dayMs, formatTimestamp } from "../../core/time.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** Days after today that count as the week. */
const week = 7;
/** The days of all time zones begin and end at quarters of an hour. */
const quarter = 900;

/** Counts the tasks by the quarter of an hour in which they end; `overdue` have ended. */
export function selectOwnTaskCounts({ caller, at, now }: Context): Statement {
  const last = formatTimestamp(now + (week + 2) * dayMs);
  const seen = isAdmin(caller) ? sql`` : sql` and (t.team_id is null or t.team_id in (select value
      from json_each(${JSON.stringify(caller.visibleTeamIds)})))`;
  return sql`select iif(t.end_at < ${at}, 'overdue', unixepoch(t.end_at) / ${quarter}) as ends, count(*) as n
    from tasks t indexed by tasks_open_by_user where t.company_id = ${caller.companyId}
      and t.user_id = ${caller.userId} and t.completed_at is null and t.end_at < ${last}${seen} group by ends`;
}

/** Reads the result of `selectOwnTaskCounts`. `today`: still ends today; `week`: in the seven days after. */
export function readOwnTaskCounts({ rows }: Result, timeZone: string, now: number) {
  const counts = { overdue: 0, today: 0, week: 0 };
  const toDay = (ms: number) => Math.floor((ms + computeZoneOffset(timeZone, ms) * 1000) / dayMs);
  const today = toDay(now);
  for (const { ends, n } of rows) {
    const after = ends === "overdue" ? -1 : toDay(Number(ends) * quarter * 1000) - today;
    if (after <= week) counts[after < 0 ? "overdue" : after === 0 ? "today" : "week"] += Number(n);
  }
  return counts;
}
