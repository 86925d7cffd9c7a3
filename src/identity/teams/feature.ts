import type { Feature } from "../../feature.ts";
import { teamReassignmentWork } from "./reassignment.ts";
import { teamReferences, teams } from "./record.ts";
import { teamMemberReferences, teamMembers } from "./table.ts";
import { teamEndpoints } from "./routes.ts";
import { reindexedTeams } from "../reindex.ts";

export const teamsFeature: Feature = {
  folder: "identity/teams",
  tables: [teams, teamMembers],
  references: [teamReferences, teamMemberReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ teamDeletion }) => teamEndpoints(teamDeletion),
  reindexed: [reindexedTeams],
  staged: ({ teamDeletion }) => [teamReassignmentWork(teamDeletion)],
  fieldValues: { owner: "team", table: "teams", key: "id" },
};
