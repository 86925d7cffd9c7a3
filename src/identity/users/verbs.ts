import { type Answer, ok } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { list, object } from "../../core/json.ts";
import { fieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { userTypes } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentCompany } from "../companies/present.ts";
import { companyById, readCompany } from "../companies/queries.ts";
import { requireReach } from "../permissions.ts";
import { readRoles, rolesByIds } from "../roles/queries.ts";
import { ssoCredentials, ssoErrors, ssoFacts } from "../sso/given.ts";
import { presentTeam } from "../teams/present.ts";
import { readTeams, teamsByIds } from "../teams/queries.ts";
import { checkMayCreate, checkRoles, checkTeams, missing } from "./permitted.ts";
import { guardShown, newUser, userChange, userEvent } from "./insert.ts";
import { presentUser } from "./present.ts";
import { readUser, userByEmail, userById, type UserFacts } from "./queries.ts";
import type { CreateUser } from "./schema.ts";
import { users } from "./table.ts";

/** The caller, with company and rights. */
export async function getMe(ctx: Context): Promise<Answer> {
  const { companyId, userId, rights } = ctx.caller;
  const [user, company] = await ctx.deps.db.read([userById(companyId, userId), companyById(companyId)]);
  const [userRow, companyRow] = [user!.rows[0], company!.rows[0]];
  if (!userRow || !companyRow) throw notFound();
  return ok(presentUser(readUser(userRow), ctx, {
    company: presentCompany(readCompany(companyRow), ctx),
    rights: [...rights],
  }));
}

export async function getUser(ctx: Context, at: UserPlace): Promise<Answer> {
  return ok(presentUser(await userAt(ctx, at), ctx));
}

/** The teams that the user is a member of. */
export async function getTeamsOfUser(ctx: Context, at: UserPlace): Promise<Answer> {
  const { teams } = await userAt(ctx, at);
  return ok(object({ data: list(teams.map((team) => presentTeam(team, ctx.now, ctx.fields.seen))) }));
}

/** Makes one of the caller's teams the active one, to which new records go; none with null. */
export async function switchTeam(ctx: Context, teamId: number | null): Promise<Answer> {
  const { companyId, userId } = ctx.caller;
  const user = await userAt(ctx, { company_id: companyId, user_id: userId });
  checkMatch(ctx, () => presentUser(user, ctx));
  if (teamId !== null && !user.teams.some(({ id }) => id === teamId)) {
    throw invalid(missingReference("team_id", "team"));
  }
  const changes = { active_team_id: teamId, updated_at: ctx.at };
  const presented = presentUser({ ...user, ...changes }, ctx);
  return await commit(ctx, {
    statements: [
      ...guardShown(user),
      updateVersioned(users, changes, { ...user, id: userId }),
      guardChanged("stale"),
    ],
    events: [userEvent("user_updated", user, presented)],
    answer: ok(presented),
  });
}

/** Where a user stands in the path. */
export interface UserPlace {
  readonly company_id: number;
  readonly user_id: number;
}

async function userAt(ctx: Context, at: UserPlace): Promise<UserFacts> {
  checkCompany(ctx, at.company_id);
  const [found] = await ctx.deps.db.read([userById(at.company_id, at.user_id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return readUser(row);
}

/** Another company behaves as if it did not exist. */
export function checkCompany(ctx: Context, companyId: number): void {
  if (companyId !== ctx.caller.companyId) throw notFound();
}

/** Makes a user; the first of its teams becomes the active one. */
export async function createUser(ctx: Context, companyId: number, body: CreateUser): Promise<Answer> {
  checkCompany(ctx, companyId);
  checkMayCreate(ctx.caller, body);
  const teamIds = body.team_ids ?? [];
  const roleIds = body.role_ids ?? [];
  const [companyFound, taken, teamsFound, rolesFound, ssoFound] = await ctx.deps.db.read([
    companyById(companyId),
    userByEmail(body.email),
    teamsByIds(companyId, teamIds),
    rolesByIds(companyId, roleIds),
    ssoFacts(companyId, body.sso),
  ]);
  const companyRow = companyFound!.rows[0];
  if (!companyRow) throw notFound();
  const company = readCompany(companyRow);
  const teams = readTeams(teamsFound!);
  const roles = readRoles(rolesFound!);
  const errors = [
    ...missing("team_ids", "team", teamIds, teams),
    ...missing("role_ids", "role", roleIds, roles),
  ];
  if (taken!.rows.length > 0) {
    errors.push(fieldError("email", "unique", "Somebody signs in by this address already."));
  }
  errors.push(...ssoErrors(ssoFound!, body.sso));
  if (errors.length > 0) throw invalid(...errors);
  checkTeams(ctx.caller, requireReach(ctx.caller, "users.create"), teams);
  checkRoles(ctx.caller, roles);

  const user = newUser({
    company_id: companyId,
    first_name: body.first_name,
    last_name: body.last_name,
    email: body.email,
    locale: body.locale?.code ?? company.locale,
    timezone: body.timezone?.name ?? company.timezone,
  }, {
    phone_number: body.phone_number ?? null,
    job_title: body.job_title ?? null,
    user_type: body.user_type?.id ?? userTypes.user,
    active_team_id: teamIds[0] ?? null,
    system_user: body.system_user ? 1 : 0,
    created_by: ctx.caller.userId,
    teams,
    roles,
  }, ctx.at);
  const password_hash = body.password == null
    ? null
    : await ctx.deps.passwords.hash(body.password, ctx.address());
  const presented = presentUser(user, ctx);
  checkRecordSize(presented, "team_ids");
  const change = userChange(user, presented, { password_hash, ...ssoCredentials(body.sso) }, [
    guardVersions("companies", [company]),
  ]);
  return await commit(ctx, change);
}
