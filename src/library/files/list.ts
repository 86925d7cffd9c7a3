/** The list of files: the caller's own, and those permitted to their company, groups and teams. */
import type { Member } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { companyScope } from "../../db/scope.ts";
import { bounded, identifier, type Sql, sql } from "../../db/statements.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { tested } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import { readOf } from "../../lists/page.ts";
import type { Paging } from "../../lists/paging.ts";
import { afterOf, orderOf } from "../../lists/plan.ts";
import { searchSelection } from "../../lists/search.ts";
import type { Statement } from "../../platform/database/database.ts";
import { listedFileColumns, permittedTo } from "../access.ts";
import { isAlive } from "../place.ts";

export const fileList: List = {
  table: "files",
  alias: "file",
  columns: listedFileColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

/** A page of the files, and their number. */
export function listFiles(
  ctx: Context,
  { search }: { readonly search?: string | undefined },
  paging: Paging,
): Promise<ListPage> {
  const { caller } = ctx;
  return readList(ctx, fileList, {
    scope: companyScope(caller),
    paging,
    selection: searchSelection("files_search", searchScope(caller.companyId), search),
    // Found words are checked; without any, the page comes from both kinds in the list's order.
    standing: [tested((own) => isListedFor(caller, own))],
    ids: streamedIds(caller, paging),
    totals: [totalOf(caller)],
  });
}

/** SQL: whether the file of an alias is the member's own or permitted to them. */
function isListedFor(member: Member, own: string): Sql {
  const of = (column: string) => identifier(own, column);
  return sql`(+${of("user_id")} = ${member.userId} or exists (select 1 from file_permissions p, json_each(${
    JSON.stringify(permittedTo(member))
  }) s where p.file_id = ${of("id")} and p.type = s.value ->> 0 and p.value = s.value ->> 1))
    and ${isAlive(member.companyId, of("folder_id"))}`;
}

/** SQL: the ids of a page of each kind, in the list's order, so that a page costs the same for any number of files. */
function streamedIds(member: Member, paging: Paging): Sql {
  const read = readOf(fileList, paging);
  const order = (key: Sql, id: Sql) =>
    sql`${afterOf(read, key, id)}${orderOf(read, key, id)} limit ${bounded(read.limit)}`;
  const own =
    sql`select y.id from files y where y.company_id = ${member.companyId} and y.user_id = ${member.userId}
    and ${isAlive(member.companyId, sql`y.folder_id`)}${order(sql`y.created_at`, sql`y.id`)}`;
  const permitted = sql`select p.file_id as id from file_permissions p join files y on y.id = p.file_id
    where p.company_id = ${member.companyId} and p.type = s.value ->> 0 and p.value = s.value ->> 1
    and ${isAlive(member.companyId, sql`y.folder_id`)}${order(sql`p.created_at`, sql`p.file_id`)}`;
  return sql`select id from (${own}) union select q.value from json_each(${
    JSON.stringify(permittedTo(member))
  }) s
    join json_each((select json_group_array(r.id) from (${permitted}) r)) q`;
}

/** Reads the number of all files of the list. */
function totalOf(member: Member): Statement {
  const { companyId, userId } = member;
  const alive = isAlive(companyId, sql`y.folder_id`);
  return sql`select (select count(*) from files y where y.company_id = ${companyId} and y.user_id = ${userId}
      and ${alive}) +
    (select count(distinct p.file_id) from json_each(${JSON.stringify(permittedTo(member))}) s
      join file_permissions p on p.company_id = ${companyId} and p.type = s.value ->> 0 and p.value = s.value ->> 1
      join files y on y.id = p.file_id where y.user_id <> ${userId} and ${alive}) as n`;
}
