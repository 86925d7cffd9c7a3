/** Custom fields of a deleted team or group. */
import type { Author } from "../../db/commit.ts";
import { remove, statement } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";
import { fieldOrders } from "./table.ts";

/** They go to the heir; without one admins alone see them. The order that was the team's own is forgotten. */
export function reassignFields(author: Author, { company_id, team_id, heir_id }: TeamDeletion): Statement[] {
  return [
    statement(
      "update fields set team_id = ?, updated_at = ?, version = version + 1 " +
        "where company_id = ? and team_id = ? and ? is not null",
      heir_id,
      author.at,
      company_id,
      team_id,
      heir_id,
    ),
    remove(fieldOrders, { company_id, team_id }),
  ];
}

/** Those of a deleted group are seen by admins alone. The order that was its own is forgotten. */
export function forgetGroup(companyId: number, groupId: number): Statement {
  return remove(fieldOrders, { company_id: companyId, group_id: groupId });
}
