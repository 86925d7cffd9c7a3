/** Presents groups. */
import { lateNumber } from "../../core/answer.ts";
import { list, object } from "../../core/json.ts";
import { presentEmbeddedTeam } from "../teams/present.ts";
import type { GroupWithTeams } from "./queries.ts";

/** Presents the Group record with its teams. Lists use `presentGroupSummary`. */
export function presentGroup(group: GroupWithTeams, now: number) {
  return object({
    id: lateNumber(group.id),
    name: group.name,
    teams: list(group.teams.map((team) => presentEmbeddedTeam(team, now))),
    created_at: group.created_at,
    updated_at: group.updated_at,
  });
}
