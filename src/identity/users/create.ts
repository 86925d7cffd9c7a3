import { checkRecordSize } from "../../core/budgets.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { userTypes } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/statements.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { requireReach } from "../permissions.ts";
import { readRoles, selectRolesByIds } from "../roles/queries.ts";
import { checkSso, makeSsoCredentials, selectSsoFacts } from "../sso/user_sso.ts";
import { readTeams, selectTeamsByIds } from "../teams/queries.ts";
import { checkCompany } from "./check_company.ts";
import { checkMayCreate, checkRoles, checkTeams, listMissing } from "./permissions.ts";
import { presentUser } from "./present.ts";
import { selectUserByEmail } from "./queries.ts";
import type { CreateUser } from "./record.ts";
import { makeUser, userChange } from "./write.ts";

/** Creates a user; the first of its teams becomes the active one. */
export async function createUser(ctx: Context, companyId: number, body: CreateUser) {
  checkCompany(ctx, companyId);
  checkMayCreate(ctx.caller, body);
  const teamIds = body.team_ids ?? [];
  const roleIds = body.role_ids ?? [];
  const [companyFound, taken, teamsFound, rolesFound, ssoFound] = await ctx.deps.db.read([
    companyById(companyId),
    selectUserByEmail(body.email),
    selectTeamsByIds(companyId, teamIds),
    selectRolesByIds(companyId, roleIds),
    selectSsoFacts(companyId, body.sso),
  ]);
  const company = readOwn(companyFound);
  const teams = readTeams(teamsFound!);
  const roles = readRoles(rolesFound!);
  const errors = [
    ...listMissing("team_ids", "team", teamIds, teams),
    ...listMissing("role_ids", "role", roleIds, roles),
  ];
  if (taken!.rows.length > 0) {
    errors.push(fieldError("email", "unique", "A user already has this e-mail address."));
  }
  errors.push(...checkSso(ssoFound!, body.sso));
  if (errors.length > 0) throw invalid(...errors);
  checkTeams(ctx.caller, requireReach(ctx.caller, "users.create"), teams);
  checkRoles(ctx.caller, roles);

  const user = makeUser(body, {
    company_id: companyId,
    locale: body.locale?.code ?? company.locale,
    timezone: body.timezone?.name ?? company.timezone,
    user_type: body.user_type?.id ?? userTypes.user,
    active_team_id: teamIds[0] ?? null,
    created_by: ctx.caller.userId,
    teams,
    roles,
  }, ctx.at);
  const password_hash = body.password == null
    ? null
    : await ctx.deps.passwords.hash(body.password, ctx.address());
  const presented = presentUser(user, ctx);
  checkRecordSize(presented, "team_ids");
  const change = userChange(user, presented, { password_hash, ...makeSsoCredentials(body.sso) }, [
    guardVersions("companies", [company]),
  ]);
  return await commit(ctx, change);
}
