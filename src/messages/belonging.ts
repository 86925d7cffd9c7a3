/**
 * Decides who sees and who may write templates, campaigns and automated communications. They belong to the
 * company, a group or a team.
 */
import { type Caller, isAdmin } from "../core/access.ts";
import { forbidden, invalid, missingReference, notFound } from "../core/errors.ts";
import { companyScope, type Scope } from "../db/scope.ts";
import {
  checkNamedOwner,
  type GivenOwner,
  mayOwn,
  type Owner,
  ownerAfter,
  ownerGuard,
  recordGuards,
  sameOwner,
  seesOwner,
} from "../identity/owners.ts";
import type { Result, Row, Statement } from "../platform/database/database.ts";

/** The owner of a new record: that of the body, else the active team, else the company. */
export function ownerOfNew({ activeTeamId }: Caller, { team_id, group_id }: GivenOwner): Owner {
  if (group_id) return { team_id: null, group_id };
  return { team_id: team_id === undefined ? activeTeamId : team_id, group_id: null };
}

/**
 * The owner of a copy: that of the original where it exists and the caller may write there, else the caller's
 * active team.
 * Throws 403 without one. `team`: the facts of the active team.
 */
export function ownerOfCopy(
  caller: Caller,
  original: Owner & Row,
  team: Row,
): { readonly owner: Owner; readonly facts: Row } {
  const isKept = (original.kept_for ?? null) !== null;
  if (!isKept && mayOwn(caller, original, original)) return { owner: original, facts: original };
  const owner = { team_id: caller.activeTeamId, group_id: null };
  if (owner.team_id === null || !mayOwn(caller, owner, team)) {
    throw forbidden("It belongs where you may not write, and you have no active team for the copy.");
  }
  return { owner, facts: team };
}

/** Throws 403 for the company unless the caller is an admin, 422 for a team or group that is not the caller's. */
export function checkOwner(caller: Caller, owner: Owner, facts: Row): void {
  if (!isAdmin(caller) && isCompanys(owner)) throw forbidden(adminsOnly);
  checkNamedOwner(caller, owner, facts);
}

/** Throws 422 for a team or group that does not exist or that the caller does not see. */
export function checkVisible(caller: Caller, owner: Owner, facts: Row): void {
  const isSeen = seesOwner(caller, owner);
  if (owner.team_id !== null && (facts.team_id === null || !isSeen)) {
    throw invalid(missingReference("team_id", "team"));
  }
  if (owner.group_id !== null && (facts.group_id === null || !isSeen)) {
    throw invalid(missingReference("group_id", "group"));
  }
}

/** The rule of `seesOwner` as a scope for lists, by the column `reader`. */
export function ownerScope(caller: Caller): Scope {
  if (isAdmin(caller)) return companyScope(caller);
  const teams = caller.visibleTeamIds.map((id) => `t${id}`);
  const values = ["", `k${caller.userId}`, ...teams, ...caller.groupIds.map((id) => `g${id}`)];
  return { companyId: caller.companyId, streams: [{ column: "reader", values }] };
}

/** Returns the record; 404 when the caller does not see it. */
export function seen<R extends Owner>(caller: Caller, found: Result): R & Row {
  const record = found.rows[0] as (R & Row) | undefined;
  if (!record || !seesOwner(caller, record)) throw notFound();
  return record;
}

/** Throws 403 unless the caller may write the record, which was read with `factsOfOwner`. */
export function checkMayWrite(caller: Caller, record: Owner & Row): void {
  if (mayOwn(caller, record, record)) return;
  throw forbidden(
    isCompanys(record) ? adminsOnly : "It belongs to a team or group that you may not write for.",
  );
}

/** The owner after a change, with the guards of the batch. `facts`: those of the owner in the body. */
export function changeOwner(
  caller: Caller,
  before: Owner & Row,
  body: GivenOwner,
  facts: Row,
): { readonly owner: Owner; readonly guards: Statement[] } {
  checkMayWrite(caller, before);
  const owner = ownerAfter(before, body);
  const guards = recordGuards(caller, before);
  if (sameOwner(before, owner)) {
    return {
      owner: { team_id: before.team_id, group_id: before.group_id, kept_for: before.kept_for ?? null },
      guards,
    };
  }
  checkOwner(caller, owner, facts);
  return {
    owner: { ...owner, kept_for: null },
    guards: [...guards, ownerGuard(caller.companyId, owner, facts)],
  };
}

const adminsOnly = "Only an admin may write records of the whole company.";

function isCompanys({ team_id, group_id }: Owner): boolean {
  return team_id === null && group_id === null;
}
