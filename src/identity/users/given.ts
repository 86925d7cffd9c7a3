/** What somebody may give to a user: teams within their reach, and roles without a right that they lack. */
import type { Caller } from "../../core/access.ts";
import { type FieldError, forbidden, missingReference } from "../../core/errors.ts";
import { type Reach, reaches } from "../permissions.ts";
import type { GivenRole } from "../roles/queries.ts";
import type { TeamFacts } from "../teams/queries.ts";

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
