/** Scheduled reports that filter by a deleted group: they end, because their figures would be zeros. */
import { sql } from "../../db/statements.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { scheduleFailures } from "./failures.ts";

/** Ends the reports, and notifies their makers. */
export const reportsOfGroup: GroupDeletion = (author, companyId, groupId) => {
  const naming = sql`company_id = ${companyId} and next_date is not null
    and exists (select 1 from json_each(filters, '$.group_ids') g where g.value = ${groupId})`;
  const names = sql`(select group_concat(name, ', ') from scheduled_reports
    where ${naming} and user_id = r.user_id)`;
  return [
    author.deps.notify(author, companyId, {
      type: "custom",
      to: [{ select: sql`select user_id from scheduled_reports where ${naming}` }],
      data: { user: author.caller ? { id: author.caller.userId } : null },
      message: sql`${names} || ${`: ${scheduleFailures.group_deleted}`}`,
    }),
    sql`update scheduled_reports set next_date = null, next_at = null, wanted_at = null, due_at = null,
      failure = 'group_deleted', updated_at = ${author.at}, version = version + 1 where ${naming}`,
  ];
};
