/** Relations paths of a deleted team or group. */
import type { Author } from "../../db/commit.ts";
import { raw, statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { touchTypes } from "../lead_types/uses.ts";

/** Those of an owner, such as `t7` or `g3`, go to the heir, a team; without one they are the company's. */
export function reassignOwnedPaths(
  { at }: Author,
  companyId: number,
  owner: string,
  heirId: number | null,
): Statement[] {
  const own = raw("select id from relations_paths where company_id = ? and owner = ?", companyId, owner);
  return [
    touchTypes(companyId, own),
    statement(
      "update relations_paths set team_id = ?, group_id = null, updated_at = ?, version = version + 1 " +
        "where company_id = ? and owner = ?",
      heirId,
      at,
      companyId,
      owner,
    ),
  ];
}
