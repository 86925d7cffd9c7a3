/** Presents groups. */
import { presenter } from "../../records/members.ts";
import { presentEmbeddedTeam } from "../teams/present.ts";
import type { GroupWithTeams } from "./queries.ts";
import { groupMembers } from "./record.ts";
import { Group } from "./schema.ts";

const presentMembers = presenter(groupMembers, Group);

/** Presents the Group record with its teams. Lists use `presentGroupSummary`. */
export function presentGroup(group: GroupWithTeams, now: number) {
  return presentMembers({ ...group, teams: group.teams.map((team) => presentEmbeddedTeam(team, now)) });
}
