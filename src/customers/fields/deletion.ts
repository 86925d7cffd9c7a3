/** Custom fields of a deleted team or group. */
import { remove } from "../../db/statements.ts";
import type { TeamPart } from "../../identity/teams/deletion.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { fieldOrders } from "./table.ts";

/** Deletes the field order of a deleted team. */
export const fieldsOfTeam: TeamPart = {
  atOnce: (_author, { company_id, team_id }) => [remove(fieldOrders, { company_id, team_id })],
};

/** Deletes the field order of a deleted group. Its fields remain, and only admins see them. */
export const deleteFieldOrder: GroupDeletion = (_author, company_id, group_id) => [
  remove(fieldOrders, { company_id, group_id }),
];
