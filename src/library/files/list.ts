/** The list of files: the caller's own, and those permitted to their company, groups and teams. */
import type { Member } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { companyScope } from "../../db/scope.ts";
import { bounded, joined, type Sql, sql } from "../../db/statements.ts";
import {
  asideFor,
  firstOf,
  type ListRead,
  type ListSource,
  pageBy,
  type Paging,
  readOf,
} from "../../lists/pages.ts";
import { searched } from "../../lists/search.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { listedFileColumns, permittedTo } from "../access.ts";
import { isAlive } from "../place.ts";

/** The columns of `sort`. */
export const fileSorts = { created_at: "created_at" };

const source: ListSource = { table: "files", alias: "file", columns: listedFileColumns.sql };

/** A page of the files, and their number. */
export async function listFiles(
  { deps, caller }: Context,
  { search }: { readonly search?: string | undefined },
  paging: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const read = readOf(source, paging);
  const words = searched(sql`y.seq`, "files_search", searchScope(caller.companyId), search);
  const ids = words.length > 0 ? foundIds(caller, words) : streamedIds(caller, read);
  const [rows, total] = await deps.db.read([
    pageBy(source, companyScope(caller), read, {
      ids: firstOf(read, ids),
      conditions: words,
      isThere: sql`1`,
    }),
    words.length > 0
      ? {
        ...sql`select count(*) as n from (${foundIds(caller, words)})`,
        ...asideFor(caller.companyId, 0, words),
      }
      : totalOf(caller),
  ]);
  return { rows: rows!.rows, total: Number(total!.rows[0]!.n) };
}

/** SQL: the ids of a page of each kind, in the list's order, so that a page costs the same for any number of files. */
function streamedIds(member: Member, read: ListRead): Sql {
  const { after, sort: { descending } } = read.paging;
  const direction = descending ? sql`desc` : sql`asc`;
  const order = (key: Sql, id: Sql) => {
    const beyond = descending ? sql`<` : sql`>`;
    const behind = after ? sql` and (${key}, ${id}) ${beyond} (${after[0]}, ${after[1]})` : sql``;
    return sql`${behind} order by ${key} ${direction}, ${id} ${direction} limit ${bounded(read.limit)}`;
  };
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

/** SQL: the ids of all files of the list that have the words. */
function foundIds(member: Member, words: readonly Sql[]): Sql {
  return sql`select y.id from files y where ${joined(words, " and ")} and +y.company_id = ${member.companyId}
    and (+y.user_id = ${member.userId} or exists (select 1 from file_permissions p, json_each(${
    JSON.stringify(permittedTo(member))
  }) s where p.file_id = y.id and p.type = s.value ->> 0 and p.value = s.value ->> 1))
    and ${isAlive(member.companyId, sql`y.folder_id`)}`;
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
