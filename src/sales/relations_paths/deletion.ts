/** Relations paths of a deleted team. */
import type { Author } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { touchLeadTypes } from "./lead_types.ts";

/** Moves the paths of an owner, such as `t7`, to the successor, which is a team. */
export function reassignOwnedPaths(
  { at }: Author,
  companyId: number,
  owner: string,
  successorId: number,
): Statement[] {
  const own = sql`select id from relations_paths where company_id = ${companyId} and owner = ${owner}`;
  return [
    touchLeadTypes(companyId, own),
    sql`update relations_paths set team_id = ${successorId}, group_id = null, updated_at = ${at}, version = version + 1
      where company_id = ${companyId} and owner = ${owner}`,
  ];
}
