/** The owner of an indicator set, and who may see and write it. */
import { type Caller, isAdmin, type Member } from "../../core/access.ts";
import { fieldError, forbidden, invalid, notFound } from "../../core/errors.ts";
import type { Scope } from "../../db/scope.ts";
import { checkNamedOwner, mayOwn, type Owner, seesOwner } from "../../identity/owners.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import type { IndicatorSetRow } from "./record.ts";
import { type Belonging, type SetScope, setScopeOf } from "./scopes.ts";

/** A set as it is stored. */
export type IndicatorSet = IndicatorSetRow;

/** The members of a request body that define the owner. */
export interface GivenBelonging {
  readonly scope?: SetScope | undefined;
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

/**
 * Returns the columns of the owner after a change. `before` is null for a new set, which is private by
 * default. Throws 422 for members that contradict each other.
 */
export function belongingAfter(before: Belonging | null, given: GivenBelonging): Belonging {
  const { team_id, group_id } = given;
  checkScope(before, given);
  if (team_id) return { private: 0, team_id, group_id: null };
  if (group_id) return { private: 0, team_id: null, group_id };
  if (given.scope === "company") return { private: 0, team_id: null, group_id: null };
  const isKept = before !== null && given.scope !== "user" &&
    !(before.team_id !== null && team_id === null) && !(before.group_id !== null && group_id === null);
  if (!isKept) return { private: 1, team_id: null, group_id: null };
  return { private: before.private, team_id: before.team_id, group_id: before.group_id };
}

function checkScope(before: Belonging | null, { scope, team_id, group_id }: GivenBelonging): void {
  if (team_id && group_id) {
    throw invalid(fieldError("group_id", "excluded", "A set belongs to a team or a group, not to both."));
  }
  for (const [name, value] of [["team", team_id], ["group", group_id]] as const) {
    const path = `${name}_id`;
    if (value && scope !== undefined && scope !== name) {
      throw invalid(fieldError(path, "excluded", `A set of the scope ${scope} has no ${name}.`));
    }
    const isKept = value === undefined && before !== null && setScopeOf(before) === name;
    if (!value && scope === name && !isKept) {
      throw invalid(fieldError(path, "required", `A set of the scope ${name} has a ${name}.`));
    }
  }
}

/**
 * Throws 403 or 422 unless the caller may give a set to this owner. `facts`: the row that `ownerFacts` reads.
 */
export function checkBelonging(caller: Caller, makerId: number, to: Belonging, facts: Row): void {
  const scope = setScopeOf(to);
  if (scope === "user" && makerId !== caller.userId) {
    throw forbidden("Only the user who made it may make an indicator set private.");
  }
  if (scope === "company" && !isAdmin(caller)) throw forbidden(adminsOnly);
  checkNamedOwner(caller, to, facts);
}

/** Returns the set; 404 when the caller does not see it. */
export function seenSet(caller: Caller, found: Result): IndicatorSetRow & Row {
  const set = found.rows[0] as (IndicatorSetRow & Row) | undefined;
  if (!set || !seesSet(caller, set)) throw notFound();
  return set;
}

/**
 * Whether the caller sees the set. Only its maker sees a private set; a shared one is visible like a
 * template.
 */
export function seesSet(caller: Member, set: Owner & Pick<IndicatorSetRow, "private" | "user_id">): boolean {
  return set.private === 1 ? set.user_id === caller.userId : seesOwner(caller, set);
}

/** Throws 403 unless the caller, who sees the set, may write it. `set` must be read with `factsOfOwner`. */
export function checkMayWriteSet(caller: Caller, set: IndicatorSetRow & Row): void {
  if (set.private === 1 || mayOwn(caller, set, set)) return;
  throw forbidden(
    setScopeOf(set) === "company"
      ? adminsOnly
      : "The indicator set belongs to a team or group that you may not write for.",
  );
}

/** Returns the scope for lists, with the same sets as `seesSet`. */
export function setScope(caller: Caller): Scope {
  const { companyId, userId } = caller;
  const stream = isAdmin(caller)
    ? { column: "private_to", values: [null, userId] }
    : { column: "reader", values: ownersSeen(caller) };
  return { companyId, streams: [stream] };
}

/** Returns the values of the column `reader` for the sets that a caller sees who is no admin. */
export function ownersSeen({ userId, visibleTeamIds, groupIds }: Caller): string[] {
  return [
    "",
    `u${userId}`,
    `k${userId}`,
    ...visibleTeamIds.map((id) => `t${id}`),
    ...groupIds.map((id) => `g${id}`),
  ];
}

const adminsOnly = "Only an admin may write indicator sets of the whole company.";
