/** Reads roles. */
import { and, eq } from "drizzle-orm";
import type { Context } from "../../db/context.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { asList, selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type RoleRow, roles } from "./record.ts";

/** A role as part of a user. */
export interface RoleFacts {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  readonly version: number;
}

/** SQL: a user's roles as a JSON list of `RoleFacts`. */
export function selectRolesOfUserJson(userId: Sql): Sql {
  return sql`(select json_group_array(json_object('id', r.id, 'name', r.name, 'created_at', r.created_at,
    'version', r.version) order by r.id) from user_roles x join roles r on r.id = x.role_id
    where x.user_id = ${userId})`;
}

/** A role with its rights, for checks before giving it. */
export interface GivenRole extends RoleFacts {
  readonly rights: readonly string[];
}

/** The roles of the company with these ids (a list, or SQL for a JSON list); read with `readRoles`. */
export function selectRolesByIds(companyId: number, ids: readonly number[] | Sql): Statement {
  const list = asList(ids);
  return sql`select id, name, created_at, version,
    (select json_group_array(right_name) from role_rights where role_id = roles.id) as rights from roles
    where company_id = ${companyId} and id in (select value from json_each(${list})) order by id`;
}

export function readRoles(result: Result): GivenRole[] {
  return result.rows.map((row) => ({
    id: row.id as number,
    name: row.name as string,
    created_at: row.created_at as string,
    version: row.version as number,
    rights: JSON.parse(row.rights as string) as string[],
  }));
}

/** A role with its rights. `id` is null until the batch assigns one. */
export interface RoleRecord extends Omit<RoleRow, "id"> {
  readonly id: number | null;
  readonly rights: readonly string[];
}

/** A role of the company with its rights; read with `readRole`. */
export function selectRoleById(companyId: number, id: number): Statement {
  return sql`select ${columns},
    (select json_group_array(g.right_name) from role_rights g where g.role_id = r.id) as rights
    from roles r where r.id = ${id} and r.company_id = ${companyId}`;
}

export function readRole(row: Row): RoleRow & RoleRecord {
  return { ...(row as RoleRow), rights: JSON.parse(row.rights as string) as string[] };
}

/** The id of the company's role with the name. */
export const roleByName = prepareQuery((companyId: Param<number>, name: Param<string>) =>
  drizzle.select({ id: roles.id }).from(roles).where(
    and(eq(roles.company_id, companyId), eq(roles.name, name)),
  )
);

/** The number of users who have the role, as `n`. */
export function countUsersOfRole(id: number): Statement {
  return sql`select count(*) as n from user_roles x join users u on u.id = x.user_id
    where x.role_id = ${id} and u.deleted_at is null`;
}

const columns = selectColumns(roles, "r");

export const roleList: List = {
  table: "roles",
  alias: "r",
  columns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
  isCounted: true,
};

export function listRoles(ctx: Context, paging: Paging): Promise<ListPage> {
  return readList(ctx, roleList, { scope: makeCompanyScope(ctx.caller), paging });
}
