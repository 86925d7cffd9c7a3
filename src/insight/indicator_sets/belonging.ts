/** Who an indicator set belongs to, who sees it, and who may write it. */
import { type Caller, isAdmin, type Member } from "../../core/access.ts";
import { fieldError, forbidden, invalid, notFound } from "../../core/errors.ts";
import type { Scope } from "../../db/scope.ts";
import { checkNamedOwner, mayOwn, type Owner, seesOwner } from "../../identity/owners.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import type { IndicatorSetRow } from "./table.ts";

/** A set as it is stored. */
export type IndicatorSet = IndicatorSetRow;

export const setScopes = ["user", "team", "group", "company"] as const;
export type SetScope = (typeof setScopes)[number];

/** The columns that say who a set belongs to. */
export type Belonging = Pick<IndicatorSetRow, "private" | "team_id" | "group_id">;

/** The members of a body about it. */
export interface GivenBelonging {
  readonly scope?: SetScope | undefined;
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

export function setScopeOf({ private: isPrivate, team_id, group_id }: Belonging): SetScope {
  return isPrivate === 1 ? "user" : team_id !== null ? "team" : group_id !== null ? "group" : "company";
}

/**
 * The belonging after a change; `before` is null for a new set, which is private by default. Throws 422 for members
 * that contradict each other.
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

/** Throws 403 or 422 unless the caller may give a set to this owner. `facts`: of `ownerFacts`. */
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

/** Whether the caller sees it: the maker alone, if it is private, else as templates are seen. */
export function seesSet(caller: Member, set: Owner & Pick<IndicatorSetRow, "private" | "user_id">): boolean {
  return set.private === 1 ? set.user_id === caller.userId : seesOwner(caller, set);
}

/** Throws 403 unless the caller, who sees the set, may write it. It was read with `factsOfOwner`. */
export function checkMayWriteSet(caller: Caller, set: IndicatorSetRow & Row): void {
  if (set.private === 1 || mayOwn(caller, set, set)) return;
  throw forbidden(
    setScopeOf(set) === "company"
      ? adminsOnly
      : "The indicator set belongs to a team or group that you may not write for.",
  );
}

/** The scope of `seesSet` for lists. */
export function setScope(caller: Caller): Scope {
  const { companyId, userId } = caller;
  const stream = isAdmin(caller)
    ? { column: "private_to", values: [null, userId] }
    : { column: "owner", values: ownersSeen(caller) };
  return { companyId, streams: [stream] };
}

/** What stands in the column `owner` of the sets that a caller sees who is no admin. */
export function ownersSeen({ userId, visibleTeamIds, groupIds }: Caller): string[] {
  return ["", `u${userId}`, ...visibleTeamIds.map((id) => `t${id}`), ...groupIds.map((id) => `g${id}`)];
}

const adminsOnly = "Only an admin may write indicator sets of the whole company.";
