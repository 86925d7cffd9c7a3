/** What somebody may make of a user, and give to one: teams within their reach, and roles without a right that they lack. */
import type { Caller } from "../../core/access.ts";
import { type FieldError, forbidden, missingReference, notFound } from "../../core/errors.ts";
import { userTypeName, userTypes } from "../../core/rights.ts";
import type { Context } from "../../db/context.ts";
import { outranks, type Reach, reaches, requireReach } from "../permissions.ts";
import type { GivenRole } from "../roles/queries.ts";
import type { TeamFacts } from "../teams/queries.ts";
import type { UserFacts } from "./queries.ts";
import type { CreateUser } from "./schema.ts";

/** What a new user is to be. */
export type Wanted = Partial<Pick<CreateUser, "team_ids" | "role_ids" | "user_type" | "sso">>;

/** What can be refused before anything is read. */
export function checkMayCreate(caller: Caller, wanted: Wanted): void {
  const reach = requireReach(caller, "users.create");
  if (reach !== "all" && !wanted.team_ids?.length) {
    throw forbidden(
      `A user of type ${caller.userType} makes users in teams of their own: name them in team_ids.`,
    );
  }
  if (wanted.sso && !caller.trusted) throw forbidden("A trusted client is required for single sign-on.");
  const type = userTypeName(wanted.user_type?.id ?? userTypes.user);
  if (type !== "user" || wanted.role_ids?.length) requireReach(caller, "users.promote");
  if (outranks(type, caller.userType)) {
    throw forbidden(`A user of type ${type} is required: nobody gives a type above their own.`);
  }
}

/** An error for each id that was named and not found. */
export function missing(
  path: string,
  what: string,
  named: readonly number[],
  found: readonly { readonly id: number | null }[],
): FieldError[] {
  const known = new Set(found.map(({ id }) => id));
  return named.flatMap((id, index) => known.has(id) ? [] : missingReference(`${path}[${index}]`, what));
}

/** 403 when one of the teams lies outside of the reach. */
export function checkTeams(caller: Caller, reach: Reach, teams: readonly TeamFacts[]): void {
  const outside = teams.find((team) => !isWithin(caller, reach, team));
  if (outside) {
    throw forbidden(`The team ${outside.id} is not one that you may put users into or take out of.`);
  }
}

export function isWithin(caller: Caller, reach: Reach, team: TeamFacts): boolean {
  return reaches(caller, reach, { id: team.id!, group_id: team.group_id });
}

/** 403 when one of the roles has a right that the caller lacks. */
export function checkRoles(caller: Caller, roles: readonly GivenRole[]): void {
  const held: ReadonlySet<string> = caller.rights;
  for (const role of roles) {
    const lacking = role.rights.find((right) => !held.has(right));
    if (lacking) throw forbidden(`The role ${role.id} has the right ${lacking}, which you lack.`);
  }
}

/** Another company behaves as if it did not exist. */
export function checkCompany(ctx: Context, companyId: number): void {
  if (companyId !== ctx.caller.companyId) throw notFound();
}

/** Oneself, and users within reach of no higher type. */
export function checkMayUpdate(caller: Caller, user: UserFacts): void {
  if (user.id === caller.userId) return;
  const reach = requireReach(caller, "users.update");
  if (reach !== "all" && !user.teams.some((team) => isWithin(caller, reach, team))) {
    throw forbidden("The user is in none of the teams that you look after.");
  }
  if (outranks(userTypeName(user.user_type), caller.userType)) {
    throw forbidden(
      `A user of type ${
        userTypeName(user.user_type)
      } is required: nobody edits a higher type than their own.`,
    );
  }
}
