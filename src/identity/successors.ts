/** What the declarations of references make of the records that name a deleted user, team or group. */
import type { StopNaming } from "../db/stops.ts";
import type { ReassignNaming } from "../db/successors.ts";
import type { GroupDeletion } from "./groups/deletion.ts";
import { changeAtOnce, type UserReassignment } from "./users/deletion.ts";
import type { TeamPart } from "./teams/deletion.ts";

/** The records that name a deleted user. */
export function reassignUserRecords(reassignNaming: ReassignNaming): UserReassignment {
  return changeAtOnce(({ company_id, user_id, successor_id }, author) =>
    reassignNaming(author, "user", { company_id, id: user_id }, successor_id)
  );
}

/** The records that name a deleted team. */
export function reassignTeamRecords(reassignNaming: ReassignNaming): TeamPart {
  return {
    atOnce: (author, { company_id, team_id, successor_id }) =>
      reassignNaming(author, "team", { company_id, id: team_id }, successor_id),
  };
}

/** The records that name a deleted group, which has no successor. */
export function reassignGroupRecords(reassignNaming: ReassignNaming): GroupDeletion {
  return (author, company_id, id) => reassignNaming(author, "group", { company_id, id }, null);
}

/** Stops the records that name a deleted user. */
export function stopUserRecords(stopNaming: StopNaming): UserReassignment {
  return changeAtOnce(({ company_id, user_id, successor_id }, author) =>
    stopNaming(author, "user", { company_id, id: user_id }, successor_id)
  );
}

/** Stops the records that name a deleted team. */
export function stopTeamRecords(stopNaming: StopNaming): TeamPart {
  return {
    atOnce: (author, { company_id, team_id, successor_id }) =>
      stopNaming(author, "team", { company_id, id: team_id }, successor_id),
  };
}

/** Stops the records that name a deleted group. */
export function stopGroupRecords(stopNaming: StopNaming): GroupDeletion {
  return (author, company_id, id) => stopNaming(author, "group", { company_id, id }, null);
}
