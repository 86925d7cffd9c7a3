/** Checks changes of a user's type, roles and teams. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { listRightsInForce, nameUserType } from "../../core/rights.ts";
import { outranks, requireReach } from "../permissions.ts";
import type { GivenRole } from "../roles/queries.ts";
import { checkRoles, checkTeams } from "./permissions.ts";
import type { UserFacts } from "./queries.ts";

/** A user before and after a change. */
export interface Promotion {
  readonly before: UserFacts;
  readonly after: UserFacts;
  /** The rights of the user's roles before the change. */
  readonly held: readonly string[];
  /** The roles that the body names; null when it names none. */
  readonly named: readonly GivenRole[] | null;
}

/** Throws 403 when type, roles or teams change in a way that the caller may not make. */
export function checkMayPromote(caller: Caller, { before, after, held, named }: Promotion): void {
  const moved = [...without(after.teams, before.teams), ...without(before.teams, after.teams)];
  const added = without(after.roles, before.roles);
  const taken = without(before.roles, after.roles);
  const retyped = before.user_type !== after.user_type;
  if (!retyped && moved.length + added.length + taken.length === 0) return;
  checkTeams(caller, requireReach(caller, "users.promote"), moved);
  checkRoles(caller, (named ?? []).filter(({ id }) => added.some((role) => role.id === id)));
  // This also prevents callers from giving themselves a higher type.
  if (retyped && outranks(nameUserType(after.user_type), caller.userType)) {
    throw forbidden(
      `A user of type ${nameUserType(after.user_type)} is required to give this user type.`,
    );
  }
  checkLost(caller, before, after, held, named?.flatMap(({ rights }) => rights) ?? held);
}

/**
 * Throws 403 when another user would lose a right that the caller lacks. The caller could otherwise take the
 * right away and then change the user's e-mail address, which needs all of the user's rights.
 */
function checkLost(
  caller: Caller,
  before: UserFacts,
  after: UserFacts,
  held: readonly string[],
  kept: readonly string[],
): void {
  if (isAdmin(caller) || before.id === caller.userId) return;
  const inForce = (user: UserFacts, rights: readonly string[]) =>
    listRightsInForce(nameUserType(user.user_type), rights);
  const lost = [...findMissing(held, kept), ...findMissing(inForce(before, held), inForce(after, kept))];
  const [lacking] = findMissing(lost, [...caller.rights]);
  if (lacking) throw forbidden(`The user would lose the right ${lacking}, which you lack.`);
}

function findMissing(some: readonly string[], others: readonly string[]): string[] {
  const there = new Set(others);
  return some.filter((name) => !there.has(name));
}

function without<T extends { readonly id: number | null }>(some: readonly T[], others: readonly T[]): T[] {
  const ids = new Set(others.map(({ id }) => id));
  return some.filter(({ id }) => !ids.has(id));
}
