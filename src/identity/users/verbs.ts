import { type Answer, created, ok } from "../../core/answer.ts";
import {
  type FieldError,
  fieldError,
  forbidden,
  invalid,
  missingReference,
  notFound,
} from "../../core/errors.ts";
import { userTypeName, userTypes } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { hashPassword } from "../../platform/crypto.ts";
import { presentCompany } from "../companies/present.ts";
import { companyById, readCompany } from "../companies/queries.ts";
import { outranks, reaches, requireReach } from "../permissions.ts";
import { type GivenRole, readRoles, rolesByIds } from "../roles/queries.ts";
import { readTeams, type TeamFacts, teamsByIds } from "../teams/queries.ts";
import { insertUser, newUser, userCreated } from "./insert.ts";
import { presentUser } from "./present.ts";
import { readUser, userByEmail, userById } from "./queries.ts";
import type { CreateUser } from "./schema.ts";
import { users } from "./table.ts";

/** The caller, with company and rights. */
export async function getMe(ctx: Context): Promise<Answer> {
  const { companyId, userId, rights } = ctx.caller;
  const [user, company] = await ctx.deps.db.read([userById(companyId, userId), companyById(companyId)]);
  const [userRow, companyRow] = [user!.rows[0], company!.rows[0]];
  if (!userRow || !companyRow) throw notFound();
  return ok(presentUser(readUser(userRow), ctx.now, {
    company: presentCompany(readCompany(companyRow), ctx.now),
    rights: [...rights],
  }));
}

export async function getUser(ctx: Context, at: { company_id: number; user_id: number }): Promise<Answer> {
  checkCompany(ctx, at.company_id);
  const [found] = await ctx.deps.db.read([userById(at.company_id, at.user_id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentUser(readUser(row), ctx.now));
}

/** Another company behaves as if it did not exist. */
export function checkCompany(ctx: Context, companyId: number): void {
  if (companyId !== ctx.caller.companyId) throw notFound();
}

/** Makes a user; the first of its teams becomes the active one. */
export async function createUser(ctx: Context, companyId: number, body: CreateUser): Promise<Answer> {
  checkCompany(ctx, companyId);
  checkMayCreate(ctx, body);
  const teamIds = body.team_ids ?? [];
  const roleIds = body.role_ids ?? [];
  const [companyFound, taken, teamsFound, rolesFound] = await ctx.deps.db.read([
    companyById(companyId),
    userByEmail(body.email),
    teamsByIds(companyId, teamIds),
    rolesByIds(companyId, roleIds),
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
  if (body.sso) {
    errors.push(fieldError("sso.provider_name", "exists", "The company has not set up such a provider."));
  }
  if (errors.length > 0) throw invalid(...errors);
  checkMayGive(ctx, teams, roles);

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
  const password_hash = body.password == null ? null : await hashPassword(body.password);
  const presented = presentUser(user, ctx.now);
  return await commit(ctx, {
    statements: [
      guardVersions("companies", [company]),
      guardVersions("teams", teams),
      guardVersions("groups", teams.flatMap(({ group }) => group ?? [])),
      guardVersions("roles", roles),
      ...insertUser(user, { password_hash }),
    ],
    events: [userCreated(user, presented)],
    answer: created(presented),
    idFrom: users,
  });
}

/** What can be refused before anything is read. */
function checkMayCreate({ caller }: Context, body: CreateUser): void {
  const reach = requireReach(caller, "users.create");
  if (reach !== "all" && !body.team_ids?.length) {
    throw forbidden(
      `A user of type ${caller.userType} makes users in teams of their own: name them in team_ids.`,
    );
  }
  if (body.sso && !caller.trusted) throw forbidden("A trusted client is required for single sign-on.");
  const type = userTypeName(body.user_type?.id ?? userTypes.user);
  if (type !== "user" || body.role_ids?.length) requireReach(caller, "users.promote");
  if (outranks(type, caller.userType)) {
    throw forbidden("Nobody makes a user of a higher type than their own.");
  }
}

/** Teams within the caller's reach, and roles without a right that the caller lacks. */
function checkMayGive({ caller }: Context, teams: readonly TeamFacts[], roles: readonly GivenRole[]): void {
  const reach = requireReach(caller, "users.create");
  const outside = teams.find((team) => !reaches(caller, reach, { id: team.id!, group_id: team.group_id }));
  if (outside) throw forbidden(`The team ${outside.id} is not one that you may put users into.`);
  const held: ReadonlySet<string> = caller.rights;
  for (const role of roles) {
    const lacking = role.rights.find((right) => !held.has(right));
    if (lacking) throw forbidden(`The role ${role.id} has the right ${lacking}, which you lack.`);
  }
}

function missing(
  path: string,
  what: string,
  named: readonly number[],
  found: readonly { id: number | null }[],
): FieldError[] {
  const known = new Set(found.map(({ id }) => id));
  return named.flatMap((id, index) => known.has(id) ? [] : missingReference(`${path}[${index}]`, what));
}
