/** Reads of users. Everybody in a company may read all its users; a deleted one only in summaries. */
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { largePageRead } from "../../lists/large_pages.ts";
import { countOf, type ListSource, pageOf, type Paging, totalOf } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { searched } from "../../lists/search.ts";
import { indexed, rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { type RoleFacts, rolesOfUserJson } from "../roles/queries.ts";
import { parseTeams, searchScope, type TeamFacts, teamsOfUserJson } from "../teams/queries.ts";
import { checkCompany } from "./permitted.ts";
import type { UserRow } from "./table.ts";

const userKeys = [
  "id",
  "company_id",
  "first_name",
  "last_name",
  "email",
  "phone_number",
  "job_title",
  "email_notifications",
  "profile_picture",
  "locale",
  "timezone",
  "user_type",
  "signature_email",
  "active_team_id",
  "system_user",
  "created_by",
  "created_at",
  "updated_at",
  "version",
] as const;

/** A user with teams and roles: what presenting it takes. `id` is null while its batch has not given it. */
export interface UserFacts extends Omit<Pick<UserRow, (typeof userKeys)[number]>, "id"> {
  readonly id: number | null;
  readonly teams: readonly TeamFacts[];
  readonly roles: readonly RoleFacts[];
}

/** SQL: `{id, name}` of the user whose id the expression gives, deleted or not; null without one. */
export function userSummaryJson(id: string): string {
  return `(select json_object('id', who.id, 'name', who.first_name || ' ' || who.last_name) ` +
    `from users who where who.id = ${id})`;
}

/** One user of the company; read with `readUser`. */
export function userById(companyId: number, id: number | null): Statement {
  return sql`select ${
    rawSql(source.columns)
  } from users u where u.id = ${id} and u.company_id = ${companyId} and u.deleted_at is null`;
}

/** The members of a team, so many at most, the one of id `last` last; each row read with `readUser`. */
export function usersOfTeam(teamId: number, most: number, last: number): Statement {
  return sql`select ${rawSql(source.columns)} from team_members of_team join users u on u.id = of_team.user_id
    where of_team.team_id = ${teamId} and u.deleted_at is null order by u.id = ${last}, u.id limit ${most} + 0`;
}

/** The users who have a role, so many at most; each row read with `readUser`. */
export function usersWithRole(roleId: number, most: number): Statement {
  return sql`select ${
    rawSql(source.columns)
  } from user_roles with_role join users u on u.id = with_role.user_id
    where with_role.role_id = ${roleId} and u.deleted_at is null order by u.id limit ${most} + 0`;
}

export function readUser(row: Row): UserFacts {
  return {
    ...(row as Omit<UserFacts, "teams" | "roles">),
    teams: parseTeams(row.teams),
    roles: JSON.parse(row.roles as string) as RoleFacts[],
  };
}

/** An admin of the company other than the user: a row, or none. */
export function otherAdmin(companyId: number, id: number): Statement {
  return statement(`select id from ${adminBut} limit 1`, companyId, id);
}

/** Refuses the batch when the company would be left without an admin. */
export function guardOtherAdmin(companyId: number, id: number): Statement {
  return guardThat("admins", statement(`exists (select 1 from ${adminBut})`, companyId, id));
}

const adminBut = "users where company_id = ? and user_type = 1 and deleted_at is null and id <> ?";

/** Whether a user of the service has the address, whatever its case: a row, or none. */
export function userByEmail(email: string): Statement {
  return sql`select id from users where email_key = ${emailKey(email)} and deleted_at is null`;
}

/** The user of the company who signs in by the address: `id`, or no row. */
export function colleague(companyId: number, email: string): Statement {
  return sql`select u.id from users u join companies c on c.id = u.company_id
    where u.email_key = ${emailKey(email)} and u.company_id = ${
    Number.isSafeInteger(companyId) ? companyId : null
  } and u.deleted_at is null and c.deleted_at is null`;
}

/** An address as it is compared. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

export const userSorts = { created_at: "created_at" };

const source: ListSource = {
  table: "users",
  alias: "u",
  columns: `${userKeys.map((key) => `u.${key}`).join(", ")}, ` +
    `${teamsOfUserJson("u.id")} as teams, ${rolesOfUserJson("u.id")} as roles`,
};

export interface UserFilter {
  readonly search?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

export async function listUsers(
  ctx: Context,
  paging: Paging,
  filter: UserFilter,
): Promise<{ rows: Row[]; total: number }> {
  const scope = companyScope(ctx.caller);
  const filters: Sql[] = [];
  if (filter.ids) {
    filters.push(indexed("alone", sql`u.id in (select value from json_each(${JSON.stringify(filter.ids)}))`));
  }
  filters.push(...searched("u.id", "users_search", searchScope(scope.companyId), filter.search));
  const conditions = [sql`u.deleted_at is null`, ...filters];
  const total = filters.length > 0 ? countOf(source, scope, conditions) : totalOf("users", scope);
  const [rows, count] = await largePageRead(ctx, paging)([
    pageOf(source, scope, paging, conditions),
    total,
  ]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

/** Where a user stands in the path. */
export interface UserPlace {
  readonly company_id: number;
  readonly user_id: number;
}

export async function userAt(ctx: Context, at: UserPlace): Promise<UserFacts> {
  checkCompany(ctx, at.company_id);
  const [found] = await ctx.deps.db.read([userById(at.company_id, at.user_id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return readUser(row);
}
