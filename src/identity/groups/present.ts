/** Groups as the wire has them. */
import { type Json, list, object } from "../../core/json.ts";
import { presentEmbeddedTeam } from "../teams/present.ts";
import type { GroupWithTeams } from "./queries.ts";

/** The Group record with its teams; lists show it without (`presentGroupSummary`). */
export function presentGroup(group: GroupWithTeams, now: number): Json {
  return object({
    id: group.id,
    name: group.name,
    teams: list(group.teams.map((team) => presentEmbeddedTeam(team, now))),
    created_at: group.created_at,
    updated_at: group.updated_at,
  });
}
