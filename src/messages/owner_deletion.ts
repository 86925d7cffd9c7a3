/**
 * Templates, campaigns and automated communications of a deleted team go to its successor; without one, and those of
 * a deleted group, to the company.
 */
import { identifier, sql } from "../db/statements.ts";
import type { GroupDeletion } from "../identity/groups/deletion.ts";
import type { TeamReassignment } from "../identity/teams/deletion.ts";
import type { Statement } from "../platform/database/database.ts";

/** Tables whose rows belong to a team, a group or the company, in their columns `team_id`, `group_id` and `owner`. */
const owned = ["templates", "campaigns", "automated_communications"] as const;

/** With the last step of the other records. */
export function withTeamMessages(others: TeamReassignment): TeamReassignment {
  return {
    ...others,
    step(deletion, take) {
      const { company_id, team_id, successor_id } = deletion;
      const before = others.step(deletion, take);
      return {
        reads: before.reads,
        apply(author, successor, results) {
          const step = before.apply(author, successor, results);
          const moved = reassign(company_id, `t${team_id}`, successor_id, author.at);
          return { ...step, statements: [...step.statements, ...moved] };
        },
      };
    },
  };
}

export const groupMessages: GroupDeletion = ({ at }, companyId, groupId) =>
  reassign(companyId, `g${groupId}`, null, at);

function reassign(companyId: number, owner: string, teamId: number | null, at: string): Statement[] {
  return owned.map((table) =>
    sql`update ${identifier(table)} set team_id = ${teamId}, group_id = null, updated_at = ${at},
      version = version + 1 where company_id = ${companyId} and owner = ${owner}`
  );
}
