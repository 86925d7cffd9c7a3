/** Campaigns that name a template. */
import { sql } from "../../db/statements.ts";
import type { TemplateUse } from "../templates/uses.ts";

/** Once sending has begun, a campaign uses the copy of the template in its snapshot. */
export const campaignTemplates: TemplateUse = {
  type: "campaign",
  waiting: (companyId, templateId) =>
    sql`campaigns where company_id = ${companyId} and template_id = ${templateId} and status = 'pending'
      and stage is null`,
  without: ({ at }, companyId, templateId) => [
    sql`update campaigns set template_id = null, updated_at = ${at}, version = version + 1
      where company_id = ${companyId} and template_id = ${templateId}`,
  ],
};
