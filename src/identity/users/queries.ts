/** Reads users. All users of a company can read all its users; deleted ones appear only by name. */
import { and, eq, isNull, ne } from "drizzle-orm";
import { userTypes } from "../../core/rights.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeTestCondition, onColumn } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { intersectSelections, selectByIds, type Selection } from "../../lists/selection.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { searchSelection } from "../../lists/search.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { identifier, selectColumns, sql } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { type RoleFacts, selectRolesOfUserJson } from "../roles/queries.ts";
import { parseTeams, searchScope, selectTeamsOfUserJson, type TeamFacts } from "../teams/queries.ts";
import { makeEmailKey } from "../email_key.ts";
import { checkCompany } from "./check_company.ts";
import { userSorts } from "./schema.ts";
import { type UserRow, users } from "./record.ts";

/** A user with teams and roles. `id` is null until the batch assigns one. */
export interface UserFacts extends Omit<UserRow, "id" | PrivateColumn> {
  readonly id: number | null;
  readonly teams: readonly TeamFacts[];
  readonly roles: readonly RoleFacts[];
}

/** Columns that no answer shows. */
const privateColumns = ["email_key", "password_hash", "sso_provider", "sso_user_id", "deleted_at"] as const;
type PrivateColumn = (typeof privateColumns)[number];

/** A user of the company; read with `readUser`. */
export function selectUserById(companyId: number, id: number | null): Statement {
  return sql`select ${columns} from users u where u.id = ${id} and u.company_id = ${companyId} and u.deleted_at is null`;
}

/** Selects at most `most` members of a team, with the user `last` at the end; read each with `readUser`. */
export function selectUsersOfTeam(teamId: number, most: number, last: number): Statement {
  return sql`select ${columns} from team_members of_team join users u on u.id = of_team.user_id
    where of_team.team_id = ${teamId} and u.deleted_at is null order by u.id = ${last}, u.id limit ${most} + 0`;
}

/** At most `most` users with a role; read each row with `readUser`. */
export function selectUsersWithRole(roleId: number, most: number): Statement {
  return sql`select ${columns} from user_roles with_role join users u on u.id = with_role.user_id
    where with_role.role_id = ${roleId} and u.deleted_at is null order by u.id limit ${most} + 0`;
}

export function readUser(row: Row): UserFacts {
  return {
    ...(row as Omit<UserFacts, "teams" | "roles">),
    teams: parseTeams(row.teams),
    roles: JSON.parse(row.roles as string) as RoleFacts[],
  };
}

/** An admin of the company other than the user. */
export const otherAdmin = prepareQuery((companyId: Param<number>, id: Param<number>) =>
  drizzle.select({ id: users.id }).from(users).where(and(
    eq(users.company_id, companyId),
    eq(users.user_type, userTypes.admin),
    isNull(users.deleted_at),
    ne(users.id, id),
  )).limit(1)
);

/** Refuses the batch when the company would be left without an admin. */
export function guardOtherAdmin(companyId: number, id: number): Statement {
  return guardThat("admins", sql`exists (${otherAdmin(companyId, id)})`);
}

const userByKey = prepareQuery((emailKey: Param<string>) =>
  drizzle.select({ id: users.id }).from(users).where(
    and(eq(users.email_key, emailKey), isNull(users.deleted_at)),
  )
);

/** Selects the id of the user of any company who has the address. Upper and lower case are equal. */
export function selectUserByEmail(email: string): Statement {
  return userByKey(makeEmailKey(email));
}

/** The user of the company with the address: `id`, or no row. */
export function selectColleague(companyId: number, email: string): Statement {
  return sql`select u.id from users u join companies c on c.id = u.company_id
    where u.email_key = ${makeEmailKey(email)}
    and u.company_id = ${Number.isSafeInteger(companyId) ? companyId : null} and u.deleted_at is null
    and c.deleted_at is null`;
}

const teamsOfUser = selectTeamsOfUserJson(sql`u.id`);

/** Columns of the user `u`, for `readUser`. */
const columns = sql`${selectColumns(users, "u", privateColumns)}, ${teamsOfUser} as teams,
  ${selectRolesOfUserJson(sql`u.id`)} as roles`;

export const userList: List = {
  table: "users",
  alias: "u",
  columns,
  sorts: userSorts,
  order: "-created_at",
  isCounted: true,
};

export interface UserFilter {
  readonly search?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly teams?: readonly number[] | undefined;
}

export function listUsers(ctx: Context, paging: Paging, filter: UserFilter): Promise<ListPage> {
  const scope = makeCompanyScope(ctx.caller);
  const words = searchSelection("users_search", searchScope(scope.companyId), filter.search);
  const named = filter.ids ? intersectSelections(selectByIds(filter.ids), words) : words;
  const selection = filter.teams ? intersectSelections(selectMembers(filter.teams), named) : named;
  const fixedConditions = [makeTestCondition((own) => sql`${identifier(own, "deleted_at")} is null`, 1)];
  return readList(ctx, userList, { scope, paging, fixedConditions, selection });
}

/** Selects the members of teams. */
function selectMembers(teams: readonly number[]): Selection {
  const list = JSON.stringify(teams);
  const rowIds = sql`select distinct m.user_id as row from team_members m
    where m.team_id in (select value from json_each(${list}))`;
  const fraction = Math.min(1, 0.02 * teams.length);
  const condition = onColumn(
    (own) => identifier(own, "rowid"),
    null,
    (of) => sql`${of} in (${rowIds})`,
    fraction,
  );
  const path = {
    rowIds,
    isDistinct: true,
    covers: [condition],
    inScope: false,
    read: fraction,
    found: fraction,
  };
  return { conditions: [condition], paths: () => [path] };
}

/** The ids of a user's path. */
export interface UserPlace {
  readonly company_id: number;
  readonly user_id: number;
}

export async function readUserAt(ctx: Context, at: UserPlace): Promise<UserFacts> {
  checkCompany(ctx, at.company_id);
  const [found] = await ctx.deps.db.read([selectUserById(at.company_id, at.user_id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return readUser(row);
}

/** Reads the user's time zone. */
export function selectZoneOfUser(id: number): Statement {
  return sql`select timezone from users where id = ${id}`;
}
