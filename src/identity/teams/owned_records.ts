/**
 * Records of a deleted team that need no more than another owner go to its successor; without one, and those of a
 * deleted group, to the company.
 */
import { identifier, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { GroupDeletion } from "../groups/deletion.ts";
import type { TeamReassignment } from "./deletion.ts";

/** Adds the rows of these tables, which have the columns `team_id`, `group_id` and `owner`, to the last step. */
export function withTeamRecords(others: TeamReassignment, tables: readonly string[]): TeamReassignment {
  return {
    ...others,
    step(deletion, take) {
      const { company_id, team_id, successor_id } = deletion;
      const before = others.step(deletion, take);
      return {
        reads: before.reads,
        apply(author, successor, results) {
          const step = before.apply(author, successor, results);
          const moved = reassign(tables, company_id, `t${team_id}`, successor_id, author.at);
          return { ...step, statements: [...step.statements, ...moved] };
        },
      };
    },
  };
}

/** The same for the rows of a deleted group. */
export const groupRecords = (tables: readonly string[]): GroupDeletion => ({ at }, companyId, groupId) =>
  reassign(tables, companyId, `g${groupId}`, null, at);

function reassign(
  tables: readonly string[],
  companyId: number,
  owner: string,
  teamId: number | null,
  at: string,
): Statement[] {
  return tables.map((table) =>
    sql`update ${identifier(table)} set team_id = ${teamId}, group_id = null, updated_at = ${at},
      version = version + 1 where company_id = ${companyId} and owner = ${owner}`
  );
}
