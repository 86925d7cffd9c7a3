/** Files of leads that are accepted. The library attaches and shows them. */
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Also attaches the files of a lead to a case. Files that the case already has stay as they are. */
export function attachFilesOfLead(
  { at, caller }: { readonly at: string; readonly caller: { readonly userId: number } },
  leadId: string,
  caseId: string,
): Statement {
  return sql`insert or ignore into attachments
    (entity_type, entity_id, file_id, company_id, attached_by, attached_at)
    select 'case', ${caseId}, a.file_id, a.company_id, ${caller.userId}, ${at} from attachments a
      where a.entity_type = 'lead' and a.entity_id = ${leadId}`;
}
