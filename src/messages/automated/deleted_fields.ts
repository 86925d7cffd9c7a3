/** Automated communications whose texts name a deleted field: they are skipped until the text is another. */
import type { StopFilters } from "../../customers/fields/stop_filters.ts";
import { sql } from "../../db/statements.ts";
import { notifyMakers } from "../../identity/notify_makers.ts";
import { namesPlaceholder } from "../../customers/fields/placeholders.ts";

/** Notifies their makers and the admins. What waits is judged when it is due. */
export const notifyAutomatedMakers: StopFilters = (author, companyId, _names, why, placeholder) => {
  if (placeholder === undefined) return [];
  const text = sql`(m.subject || m.content || coalesce(t.content, ''))`;
  const rows = sql`company_id = ${companyId} and id in
    (select m.definition_id from automated_messages m left join templates t on t.id = m.template_id
    and t.company_id = m.company_id where m.company_id = ${companyId}
    and ${namesPlaceholder(text, sql`${placeholder}`)})`;
  const message = `it is skipped until its text is changed, because ${why}.`;
  return [
    notifyMakers(author, companyId, {
      table: "automated_communications",
      maker: "created_by",
      rows,
      message,
    }),
  ];
};
