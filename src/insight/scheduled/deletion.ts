/** Scheduled reports of deleted users. */
import type { Author } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { scheduleFailures } from "./failures.ts";
import { changeAtOnce } from "../../identity/users/deletion.ts";

/**
 * Ends the user's own reports with the reason, and notifies their recipients and the admins. The user is then no recipient of any report.
 */
export const scheduledReportDeletion = changeAtOnce(({ company_id, user_id }, author) => [
  notifyOfEnd(author, company_id, user_id),
  sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, due_at = null,
    failure = 'maker_deleted', updated_at = ${author.at}, version = version + 1
    where company_id = ${company_id} and user_id = ${user_id}`,
]);

/** Notifies the recipients of the user's running reports and the admins that they have ended. */
function notifyOfEnd(author: Author, companyId: number, userId: number): Statement {
  const rows = sql`company_id = ${companyId} and user_id = ${userId} and next_date is not null`;
  const shown =
    sql`(select group_concat(name, ', ') from scheduled_reports where ${rows} and (exists (select 1
      from scheduled_report_recipients t where t.report_id = scheduled_reports.id and t.user_id = r.user_id)
    or exists (select 1 from users a where a.id = r.user_id and a.user_type = 1)))`;
  return author.deps.notify(author, companyId, {
    type: "custom",
    to: [{
      select: sql`select t.user_id from scheduled_report_recipients t where t.report_id in (
          select id from scheduled_reports where ${rows}) union select id from users
          where company_id = ${companyId} and user_type = 1 and deleted_at is null
          and exists (select 1 from scheduled_reports where ${rows})`,
    }],
    except: userId,
    data: { user: author.caller ? { id: author.caller.userId } : null },
    message: sql`${shown} || ${`: ${scheduleFailures.maker_deleted}`}`,
  });
}
