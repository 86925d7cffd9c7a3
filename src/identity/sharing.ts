/**
 * Records that are private to their maker, or shared with a team, a group or the company: who sees them, who writes
 * them, and who may own them.
 */
import { type Caller, isAdmin, type Member } from "../core/access.ts";
import { fieldError, forbidden, invalid } from "../core/errors.ts";
import type { Scope } from "../db/scope.ts";
import type { Row } from "../platform/database/database.ts";
import { checkNamedOwner, mayOwn, type Owner, seesOwner } from "./owners.ts";

export const sharingScopes = ["user", "team", "group", "company"] as const;
export type SharingScope = (typeof sharingScopes)[number];

/** The columns that define the owner. */
export interface Belonging {
  readonly private: number;
  readonly team_id: number | null;
  readonly group_id: number | null;
}

/** The members of a request body that define the owner. */
export interface GivenBelonging {
  readonly scope?: SharingScope | undefined;
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

/** A stored record, its maker, and its kind in messages, such as `indicator set`. */
export interface Shared {
  readonly record: Owner & Pick<Belonging, "private">;
  readonly maker: number | null;
}

export function scopeOfBelonging({ private: isPrivate, team_id, group_id }: Belonging): SharingScope {
  return isPrivate === 1 ? "user" : team_id !== null ? "team" : group_id !== null ? "group" : "company";
}

/**
 * Returns the columns of the owner after a change. `before` is null for a new record, which is private by default.
 * Throws 422 for members that contradict each other.
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
    throw invalid(fieldError("group_id", "excluded", "It belongs to a team or a group, not to both."));
  }
  for (const [name, value] of [["team", team_id], ["group", group_id]] as const) {
    const path = `${name}_id`;
    if (value && scope !== undefined && scope !== name) {
      throw invalid(fieldError(path, "excluded", `With the scope ${scope} it has no ${name}.`));
    }
    const isKept = value === undefined && before !== null && scopeOfBelonging(before) === name;
    if (!value && scope === name && !isKept) {
      throw invalid(fieldError(path, "required", `With the scope ${name} it has a ${name}.`));
    }
  }
}

/** Throws 403 or 422 unless the caller may give a record to this owner. `facts`: the row of `ownerColumns`. */
export function checkBelonging(
  caller: Caller,
  maker: number | null,
  to: Belonging,
  facts: Row,
  what: string,
): void {
  const scope = scopeOfBelonging(to);
  if (scope === "user" && maker !== caller.userId) {
    throw forbidden(`Only the user who made it may make ${what} private.`);
  }
  if (scope === "company" && !isAdmin(caller)) throw forbidden(adminsOnly);
  checkNamedOwner(caller, to, facts);
}

/** Whether the caller sees the record: its maker alone sees a private one; a shared one is seen like a template. */
export function seesShared(caller: Member, { record, maker }: Shared): boolean {
  return record.private === 1 ? maker === caller.userId : seesOwner(caller, record);
}

/** Throws 403 unless the caller, who sees the record, may write it. `facts`: those of its owner. */
export function checkMayWriteShared(caller: Caller, { record }: Pick<Shared, "record">, facts: Row): void {
  if (record.private === 1 || mayOwn(caller, record, facts)) return;
  throw forbidden(
    record.team_id === null && record.group_id === null
      ? adminsOnly
      : "It belongs to a team or group that you may not write for.",
  );
}

/** Returns the scope for lists, with the same records as `seesShared`, by the columns `reader` and `private_to`. */
export function sharedScope(caller: Member): Scope {
  const { companyId, userId } = caller;
  const stream = isAdmin(caller)
    ? { column: "private_to", values: [null, userId] }
    : { column: "reader", values: ownersSeen(caller) };
  return { companyId, streams: [stream] };
}

/** Returns the values of the column `reader` for the records that a caller sees who is no admin. */
export function ownersSeen({ userId, visibleTeamIds, groupIds }: Member): string[] {
  return [
    "",
    `u${userId}`,
    `k${userId}`,
    ...visibleTeamIds.map((id) => `t${id}`),
    ...groupIds.map((id) => `g${id}`),
  ];
}

const adminsOnly = "Only an admin may write records of the whole company.";
