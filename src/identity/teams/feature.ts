import type { Feature } from "../../feature.ts";
import { describeTeamReassignment } from "./reassignment.ts";
import { teamReferences, teams } from "./record.ts";
import { teamMemberReferences, teamMembers } from "./table.ts";
import { declareTeamEndpoints } from "./routes.ts";
import { reindexedTeams } from "../reindex.ts";

export const teamsFeature: Feature = {
  folder: "identity/teams",
  tables: [teams, teamMembers],
  references: [teamReferences, teamMemberReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ teamDeletion }) => declareTeamEndpoints(teamDeletion),
  reindexed: [reindexedTeams],
  staged: ({ teamDeletion }) => [describeTeamReassignment(teamDeletion)],
  fieldValues: { owner: "team", table: "teams", key: "id" },
};
