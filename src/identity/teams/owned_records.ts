/**
 * Reassigns records of deleted teams that only need another owner: they go to the successor. Without one, and
 * those of a deleted group, keep the id of their owner, so that admins alone see them: nobody is shown records
 * of others.
 */
import { identifier, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
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
          if (successor_id === null) return step;
          const moved = reassign(tables, company_id, `t${team_id}`, successor_id, author.at);
          return { ...step, statements: [...step.statements, ...moved] };
        },
      };
    },
  };
}

function reassign(
  tables: readonly string[],
  companyId: number,
  owner: string,
  teamId: number,
  at: string,
): Statement[] {
  return tables.map((table) =>
    sql`update ${identifier(table)} set team_id = ${teamId}, group_id = null, updated_at = ${at},
      version = version + 1 where company_id = ${companyId} and owner = ${owner}`
  );
}
