/** Automated communications whose texts name a deleted field: they are skipped until the text is another. */
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import { sql } from "../../db/statements.ts";
import { namesPlaceholder } from "../../customers/fields/placeholders.ts";

/** Notifies their makers and the admins. What waits is judged when it is due. */
export const notifyAutomatedMakers: StopFilters = (author, companyId, _names, why, placeholder) => {
  if (placeholder === undefined) return [];
  const text = sql`(m.subject || m.content || coalesce(t.content, ''))`;
  const rows = sql`automated_communications a where a.company_id = ${companyId} and a.id in
    (select m.definition_id from automated_messages m left join templates t on t.id = m.template_id
    and t.company_id = m.company_id where m.company_id = ${companyId}
    and ${namesPlaceholder(text, sql`${placeholder}`)})`;
  const admins = sql`select id from users where company_id = ${companyId} and user_type = 1
    and deleted_at is null and exists (select 1 from ${rows})`;
  // Each user is shown the own ones alone, and an admin all.
  const shown = sql`(select group_concat(a.name, ', ') from ${rows} and (a.created_by = r.user_id
    or exists (select 1 from users u where u.id = r.user_id and u.user_type = 1)))`;
  return [author.deps.notify(author, companyId, {
    type: "custom",
    to: [{ select: sql`select a.created_by from ${rows} and a.created_by is not null union ${admins}` }],
    data: { user: author.caller ? { id: author.caller.userId } : null },
    message: sql`${shown} || ${`: it is skipped until its text is changed, because ${why}.`}`,
  })];
};
