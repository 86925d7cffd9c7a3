/** Presents groups. */
import { presentEmbeddedTeam } from "../teams/present.ts";
import type { GroupWithTeams } from "./queries.ts";

/** Presents the Group record with its teams. Lists use `presentGroupSummary`. */
export function presentGroup(group: GroupWithTeams, now: number) {
  return {
    id: group.id ?? 0,
    name: group.name,
    teams: group.teams.map((team) => presentEmbeddedTeam(team, now)),
    created_at: group.created_at,
    updated_at: group.updated_at,
  };
}
