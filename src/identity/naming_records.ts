/**
 * What the declarations of references make of the records that name a deleted user, team or group: each takes a
 * function that follows the declarations of one word, to stop or to reassign.
 */
import type { StopNaming } from "../db/stops.ts";
import type { ReassignNaming } from "../db/successors.ts";
import type { GroupDeletion } from "./groups/deletion.ts";
import { changeAtOnce, type UserReassignment } from "./users/deletion.ts";
import type { TeamPart } from "./teams/deletion.ts";

type ChangeNaming = StopNaming | ReassignNaming;

/** Changes the records that name a deleted user. */
export function changeRecordsOfUser(change: ChangeNaming): UserReassignment {
  return changeAtOnce(({ company_id, user_id, successor_id }, author) =>
    change(author, "user", { company_id, id: user_id }, successor_id)
  );
}

/** Changes the records that name a deleted team. */
export function changeRecordsOfTeam(change: ChangeNaming): TeamPart {
  return {
    atOnce: (author, { company_id, team_id, successor_id }) =>
      change(author, "team", { company_id, id: team_id }, successor_id),
  };
}

/** Changes the records that name a deleted group, which has no successor. */
export function changeRecordsOfGroup(change: ChangeNaming): GroupDeletion {
  return (author, company_id, id) => change(author, "group", { company_id, id }, null);
}
