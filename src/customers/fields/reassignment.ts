/** Custom fields of a deleted team or group. */
import type { Author } from "../../db/commit.ts";
import { remove, sql } from "../../db/statements.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { Statement } from "../../platform/database/database.ts";
import { fieldOrders } from "./table.ts";

/** Moves the fields to the successor; without one, only admins see them. Deletes the team's field order. */
export function reassignFields(
  author: Author,
  { company_id, team_id, successor_id }: TeamDeletion,
): Statement[] {
  return [
    sql`update fields set team_id = ${successor_id}, updated_at = ${author.at}, version = version + 1
      where company_id = ${company_id} and team_id = ${team_id} and ${successor_id} is not null`,
    remove(fieldOrders, { company_id, team_id }),
  ];
}

/** Deletes the field order of a deleted group. Its fields remain, and only admins see them. */
export function forgetGroup(companyId: number, groupId: number): Statement {
  return remove(fieldOrders, { company_id: companyId, group_id: groupId });
}
