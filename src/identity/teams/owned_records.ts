/**
 * Reassigns records of deleted teams and groups that only need another owner. Those of a team go to its
 * successor, or without one to the company. Those of a group go to the company.
 */
import { identifier, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { GroupDeletion } from "../groups/deletion.ts";
import type { TeamReassignment } from "./deletion.ts";

/** Also reassigns rows of these tables in each step. They have the columns `team_id`, `group_id`, `owner`. */
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

/** Returns the reassignment of these tables' rows for a deleted group. */
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
