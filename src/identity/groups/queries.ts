/** Reads groups. All users of a company can read all its groups. */
import type { Context } from "../../db/context.ts";
import { type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { columnsOf, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { parseTeams, type TeamFacts, teamsOfGroupJson } from "../teams/queries.ts";
import type { GroupFacts } from "../teams/group.ts";
import { type GroupRow, groups } from "../tables/groups.ts";

/** A group with its teams. `id` is null until the batch assigns one. */
export interface GroupWithTeams extends Omit<GroupFacts, "id"> {
  readonly id: number | null;
  readonly teams: readonly TeamFacts[];
}

/** A group of the company with its teams; read with `readGroup`. */
export function groupById(companyId: number, id: number | null): Statement {
  return sql`select ${columns}, ${teamsOfGroupJson} as teams from groups g
    where g.id = ${id} and g.company_id = ${companyId}`;
}

const columns = columnsOf(groups, "g");

export function readGroup(row: Row): GroupFacts & GroupWithTeams {
  return { ...(row as GroupRow), teams: parseTeams(row.teams) };
}

export const groupSorts = { created_at: "created_at" };

const source: ListSource = { table: "groups", alias: "g", columns: columns.sql };

export async function listGroups(ctx: Context, paging: Paging): Promise<{ rows: Row[]; total: number }> {
  const scope = companyScope(ctx.caller);
  const [rows, count] = await ctx.deps.db.read([pageOf(source, scope, paging), totalOf("groups", scope)]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}
