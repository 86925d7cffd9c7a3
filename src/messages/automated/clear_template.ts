/** Automated communications that name a deleted template lose it. */
import { sql } from "../../db/statements.ts";
import type { ClearTemplate } from "../templates/clear.ts";

export const clearAutomatedTemplates: ClearTemplate = ({ at }, companyId, templateId) => [
  sql`update automated_communications set updated_at = ${at}, version = version + 1
    where id in (select definition_id from automated_messages
      where company_id = ${companyId} and template_id = ${templateId})`,
  sql`update automated_messages set template_id = null
    where company_id = ${companyId} and template_id = ${templateId}`,
];
