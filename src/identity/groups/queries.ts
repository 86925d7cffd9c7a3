/** Reads groups. All users of a company can read all its groups. */
import type { Context } from "../../db/context.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { parseTeams, type TeamFacts, teamsOfGroupJson } from "../teams/queries.ts";
import { type GroupRow, groups } from "./record.ts";

/** A group with its teams. `id` is null until the batch assigns one. */
export interface GroupWithTeams extends Omit<GroupRow, "id"> {
  readonly id: number | null;
  readonly teams: readonly TeamFacts[];
}

/** A group of the company with its teams; read with `readGroup`. */
export function selectGroupById(companyId: number, id: number | null): Statement {
  return sql`select ${columns}, ${teamsOfGroupJson} as teams from groups g
    where g.id = ${id} and g.company_id = ${companyId}`;
}

const columns = selectColumns(groups, "g");

export function readGroup(row: Row): GroupRow & GroupWithTeams {
  return { ...(row as GroupRow), teams: parseTeams(row.teams) };
}

export const groupList: List = {
  table: "groups",
  alias: "g",
  columns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  isCounted: true,
};

export function listGroups(ctx: Context, paging: Paging): Promise<ListPage> {
  return readList(ctx, groupList, { scope: makeCompanyScope(ctx.caller), paging });
}
