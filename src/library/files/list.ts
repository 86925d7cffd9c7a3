/** The list of files: the caller's own, and those permitted to their company, groups and teams. */
import type { Member } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { bindRows, identifier, type Sql, sql } from "../../db/statements.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { makeTestCondition } from "../../lists/conditions.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { orderAfter } from "../../lists/plan.ts";
import { searchSelection } from "../../lists/search.ts";
import type { Statement } from "../../platform/database/database.ts";
import { listedFileColumns, listPermitted } from "../access.ts";
import { isAlive } from "../place.ts";

export const fileList: List = {
  table: "files",
  alias: "file",
  columns: listedFileColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

/** Returns a page of the files and the total. */
export function listFiles(
  ctx: Context,
  { search }: { readonly search?: string | undefined },
  paging: Paging,
): Promise<ListPage> {
  const { caller } = ctx;
  return readList(ctx, fileList, {
    scope: makeCompanyScope(caller),
    paging,
    selection: searchSelection("files_search", searchScope(caller.companyId), search),
    // A search checks each file that it finds. Without one, `ids` merges own and permitted files in the
    // list's order.
    fixedConditions: [makeTestCondition((own) => isListedFor(caller, own))],
    ids: selectStreamedIds(caller, paging),
    totals: [readTotal(caller)],
  });
}

/** SQL: whether files of an owner with these readers are the member's own or permitted to them. */
function isOwnOrPermitted(member: Member, owner: Sql, readers: Sql): Sql {
  return sql`(${owner} = ${member.userId} or ${isPermitted(member, readers)})`;
}

function isPermitted(member: Member, readers: Sql): Sql {
  const own = JSON.stringify(listPermitted(member).map(([type, id]) => `${type}:${id}`));
  return sql`exists (select 1 from json_each(${readers}) g
    where g.value in (select value from json_each(${own})))`;
}

/** SQL: whether the list has the file of an alias. */
function isListedFor(member: Member, own: string): Sql {
  const of = (column: string) => identifier(own, column);
  return sql`${isOwnOrPermitted(member, sql`+${of("user_id")}`, of("readers"))}
    and ${isAlive(member.companyId, of("folder_id"))}`;
}

/**
 * SQL: the ids that the page can need: the first own files, and the first files of each permission, in the
 * list's order. So a page costs the same for any number of files.
 */
function selectStreamedIds(member: Member, paging: Paging): Sql {
  const limit = bindRows(paging.offset + paging.per_page + 1);
  const order = (key: Sql, id: Sql) => sql`${orderAfter(paging, key, id)} limit ${limit}`;
  const own =
    sql`select y.id from files y where y.company_id = ${member.companyId} and y.user_id = ${member.userId}
    and ${isAlive(member.companyId, sql`y.folder_id`)}${order(sql`y.created_at`, sql`y.id`)}`;
  const permitted = sql`select p.file_id as id from file_permissions p join files y on y.id = p.file_id
    where p.company_id = ${member.companyId} and p.type = s.value ->> 0 and p.value = s.value ->> 1
    and ${isAlive(member.companyId, sql`y.folder_id`)}${order(sql`p.created_at`, sql`p.file_id`)}`;
  return sql`select id from (${own}) union select q.value
    from json_each(${JSON.stringify(listPermitted(member))}) s
    join json_each((select json_group_array(r.id) from (${permitted}) r)) q`;
}

/** Reads the number of all files of the list: from the counters, without the files of folders being deleted. */
function readTotal(member: Member): Statement {
  const { companyId } = member;
  return sql`select (select ifnull(sum(t.n), 0) from file_totals t where t.company_id = ${companyId}
      and t.user_id = ${member.userId}) +
    (select ifnull(sum(t.n), 0) from file_totals t where t.company_id = ${companyId} and t.readers <> '[]'
      and t.user_id <> ${member.userId} and ${isPermitted(member, sql`t.readers`)}) -
    (with recursive down(id) as (
      select d.id from folders d where d.company_id = ${companyId} and d.deleted_at is not null
      union select c.id from down join folders c on c.folder_id = down.id)
    select count(*) from down cross join files y on y.folder_id = down.id
      where ${isOwnOrPermitted(member, sql`y.user_id`, sql`y.readers`)}) as n`;
}

/** What global search finds of files: those of the list. */
export const foundFiles: FoundKind = {
  list: { ...fileList, columns: sql`file.id, file.name, file.media` },
  index: "files_search",
  request: ({ caller }) => ({
    scope: makeCompanyScope(caller),
    fixedConditions: [makeTestCondition((own) => isListedFor(caller, own))],
  }),
  present: ({ id, name, media }) => ({
    id: id as string,
    title: name as string,
    subtitle: media as string,
    status: null,
    texts: [["name", name as string]],
  }),
};
