/** Automated communications that name a template. */
import { sql } from "../../db/statements.ts";
import type { TemplateUse } from "../templates/uses.ts";

/** Waiting communications use the template as it is when they are sent. */
export const automatedTemplates: TemplateUse = {
  type: "automated_communication",
  waiting: (companyId, templateId) =>
    sql`automated_messages m join automated_sends s indexed by automated_sends_by_message
      on s.message_id = m.id and s.status = 'pending'
      where m.company_id = ${companyId} and m.template_id = ${templateId}`,
  without: ({ at }, companyId, templateId) => [
    sql`update automated_communications set updated_at = ${at}, version = version + 1
      where id in (select definition_id from automated_messages
        where company_id = ${companyId} and template_id = ${templateId})`,
    sql`update automated_messages set template_id = null
      where company_id = ${companyId} and template_id = ${templateId}`,
  ],
};
