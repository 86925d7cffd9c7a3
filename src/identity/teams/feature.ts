import type { Feature } from "../../feature.ts";
import { teamFieldValues } from "./on_field_deleted.ts";
import { teamReassignmentWork } from "./reassignment.ts";
import { teamMemberReferences, teamMembers, teamReferences, teams } from "./record.ts";
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
  fieldValues: teamFieldValues,
};
