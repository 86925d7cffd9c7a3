/** Campaigns that name a deleted template lose it. */
import { sql } from "../../db/statements.ts";
import type { ClearTemplate } from "../templates/clear.ts";

export const clearCampaignTemplates: ClearTemplate = ({ at }, companyId, templateId) => [
  sql`update campaigns set template_id = null, updated_at = ${at}, version = version + 1
    where company_id = ${companyId} and template_id = ${templateId}`,
];
