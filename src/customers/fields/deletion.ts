/** Custom fields of a deleted team or group. */
import { remove, sql } from "../../db/statements.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { fieldOrders } from "./table.ts";

/** Moves the fields to the successor; without one, only admins see them. Deletes the team's field order. */
export const fieldsOfTeam: TeamPart = {
  atOnce: ({ at }, { company_id, team_id, successor_id }) => [
    sql`update fields set team_id = ${successor_id}, updated_at = ${at}, version = version + 1
      where company_id = ${company_id} and team_id = ${team_id} and ${successor_id} is not null`,
    remove(fieldOrders, { company_id, team_id }),
  ],
};

/** Deletes the field order of a deleted group. Its fields remain, and only admins see them. */
export const fieldsOfGroup: GroupDeletion = (_author, company_id, group_id) => [
  remove(fieldOrders, { company_id, group_id }),
];
