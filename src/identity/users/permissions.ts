/**
 * Checks who may create and change users: teams must be within the caller's reach, and roles must have no
 * right that the caller lacks.
 */
import type { Caller } from "../../core/access.ts";
import { type FieldError, forbidden, missingReference } from "../../core/errors.ts";
import { nameUserType, userTypes } from "../../core/rights.ts";
import { outranks, type Reach, reaches, requireReach } from "../permissions.ts";
import type { GivenRole } from "../roles/queries.ts";
import type { TeamFacts } from "../teams/queries.ts";
import type { UserFacts } from "./queries.ts";
import type { CreateUser } from "./record.ts";

/** The parts of a new user that need permission. */
export type Wanted = Partial<Pick<CreateUser, "team_ids" | "role_ids" | "user_type" | "sso">>;

/** Throws 403 when the caller may not create such a user. Needs no reads. */
export function checkMayCreate(caller: Caller, wanted: Wanted): void {
  const reach = requireReach(caller, "users.create");
  if (reach !== "all" && !wanted.team_ids?.length) {
    throw forbidden(
      `A user of type ${caller.userType} creates users in their own teams only: name them in team_ids.`,
    );
  }
  if (wanted.sso && !caller.trusted) throw forbidden("A trusted client is required for single sign-on.");
  const type = nameUserType(wanted.user_type?.id ?? userTypes.user);
  if (type !== "user" || wanted.role_ids?.length) requireReach(caller, "users.promote");
  if (outranks(type, caller.userType)) {
    throw forbidden(`A user of type ${type} is required to give this user type.`);
  }
}

/** Returns an error for each of the `named` ids that is not in `found`. */
export function listMissing(
  path: string,
  what: string,
  named: readonly number[],
  found: readonly { readonly id: number | null }[],
): FieldError[] {
  const known = new Set(found.map(({ id }) => id));
  return named.flatMap((id, index) => known.has(id) ? [] : missingReference(`${path}[${index}]`, what));
}

/** Throws 403 when a team is outside of the reach. */
export function checkTeams(caller: Caller, reach: Reach, teams: readonly TeamFacts[]): void {
  const outside = teams.find((team) => !isWithin(caller, reach, team));
  if (outside) {
    throw forbidden(`You may not add users to the team ${outside.id} or remove them from it.`);
  }
}

export function isWithin(caller: Caller, reach: Reach, team: TeamFacts): boolean {
  return reaches(caller, reach, { id: team.id!, group_id: team.group_id });
}

/** Throws 403 when a role has a right that the caller lacks. */
export function checkRoles(caller: Caller, roles: readonly GivenRole[]): void {
  const held: ReadonlySet<string> = caller.rights;
  for (const role of roles) {
    const lacking = role.rights.find((right) => !held.has(right));
    if (lacking) throw forbidden(`The role ${role.id} has the right ${lacking}, which you lack.`);
  }
}

/** Throws 403 unless the user is the caller, or within reach and of no higher type. */
export function checkMayUpdate(caller: Caller, user: UserFacts): void {
  if (user.id === caller.userId) return;
  const reach = requireReach(caller, "users.update");
  if (reach !== "all" && !user.teams.some((team) => isWithin(caller, reach, team))) {
    throw forbidden("The user is in none of the teams that you administer.");
  }
  if (outranks(nameUserType(user.user_type), caller.userType)) {
    const required = nameUserType(user.user_type);
    throw forbidden(
      `A user of type ${required} is required: nobody edits a higher type than their own.`,
    );
  }
}
