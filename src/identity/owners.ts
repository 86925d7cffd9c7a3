/**
 * Decides who owns a record, who sees it and who may write it. A record belongs to the company, a group or a team.
 * Records with the column `private` can belong to their maker alone, too.
 */
import { type Caller, isAdmin, type Member, seesTeam } from "../core/access.ts";
import { fieldError, forbidden, invalid, missingReference, notFound } from "../core/errors.ts";
import { makeCompanyScope, type Scope } from "../db/scope.ts";
import { type Sql, sql } from "../db/statements.ts";
import { guardThat, type Result, type Row, type Statement } from "../platform/database/database.ts";

/** The owner of a record. Both null: the company. */
export interface Owner {
  readonly team_id: number | null;
  readonly group_id: number | null;
  /** The maker of a record whose team or group is deleted, see `keepFor`. */
  readonly kept_for?: number | null | undefined;
}

/** The team or group that a body names. */
export interface GivenOwner {
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

/** Whether a body names a team or a group, not both. */
export function isOwnedOnce({ team_id, group_id }: GivenOwner): boolean {
  return (team_id ?? null) === null || (group_id ?? null) === null;
}

/** The owner after a change. A given team replaces a group, and a given group replaces a team. */
export function chooseOwnerAfter({ team_id, group_id }: Owner, given: GivenOwner): Owner {
  if (given.team_id) return { team_id: given.team_id, group_id: null };
  if (given.group_id) return { team_id: null, group_id: given.group_id };
  return {
    team_id: given.team_id === undefined ? team_id : null,
    group_id: given.group_id === undefined ? group_id : null,
  };
}

/**
 * Whether the caller sees a record of this owner: of the company, a visible team or an own group, or one that is
 * kept for the caller.
 */
export function seesOwner(caller: Member, owner: Owner): boolean {
  const { team_id, group_id } = owner;
  if (isKeptFor(caller, owner)) return true;
  if (group_id === null) return seesTeam(caller, team_id);
  return isAdmin(caller) || caller.groupIds.includes(group_id);
}

/** Whether the caller made the record, whose team or group is deleted: then the caller and admins have it. */
export function isKeptFor(caller: Member, { kept_for = null }: Pick<Owner, "kept_for">): boolean {
  return kept_for === caller.userId;
}

export function isSameOwner(one: Owner, other: Owner): boolean {
  return one.team_id === other.team_id && one.group_id === other.group_id;
}

/** SQL: columns over a company `c` for `checkNamedOwner`. */
export function selectOwnerColumns({ team_id, group_id }: Owner): Sql {
  return sql`(select t.id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_id,
    (select t.group_id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_group_id,
    (select g.id from groups g where g.id = ${group_id} and g.company_id = c.id) as group_id`;
}

/** Reads the facts of an owner, for `checkNamedOwner` and `guardOwner`. */
export function selectOwnerFacts(
  companyId: number,
  { team_id = null, group_id = null }: GivenOwner,
): Statement {
  return sql`select ${selectOwnerColumns({ team_id, group_id })} from companies c where c.id = ${companyId}`;
}

/** SQL columns over a record `o`: the facts of its owner. */
export const factsOfOwner = sql`(select t.group_id from teams t where t.id = o.team_id) as team_group_id`;

/**
 * Checks the owner that a body names: admins may name every team and group, group admins their own groups and
 * the teams of these, others their own teams. Throws 422 for another owner, and for one that does not exist.
 */
export function checkNamedOwner(caller: Caller, owner: Owner, facts: Row): void {
  if (owner.team_id !== null && !mayOwnTeam(caller, facts)) {
    throw invalid(missingReference("team_id", "team"));
  }
  if (owner.group_id !== null && !mayOwnGroup(caller, facts)) {
    throw invalid(missingReference("group_id", "group"));
  }
}

/** Refuses the batch when the team or group has changed since `checkNamedOwner`. */
export function guardOwner(companyId: number, owner: Owner, facts: Row): Statement {
  const { team_id, group_id } = owner;
  const group = facts.team_group_id!;
  return guardThat(
    "owner",
    sql`(${team_id} is null or exists (select 1 from teams t
      where t.id = ${team_id} and t.company_id = ${companyId} and t.group_id is ${group}))
      and (${group_id} is null or exists (select 1 from groups g
      where g.id = ${group_id} and g.company_id = ${companyId}))`,
  );
}

/**
 * Refuses the batch when the owner of a stored record, which was read with its facts, has changed. Admins may
 * write for every owner, also for a team or group that was deleted, and makers what is kept for them.
 */
export function guardOwnerOfRecord(caller: Caller, record: Owner & Row): Statement[] {
  return isAdmin(caller) || isKeptFor(caller, record) ? [] : [guardOwner(caller.companyId, record, record)];
}

/** Whether the caller may change records of this owner, a team or group that exists. Does not throw. */
export function mayOwn(caller: Member, owner: Owner, facts: Row): boolean {
  if (caller.userType === "admin" || isKeptFor(caller, owner)) return true;
  if (owner.team_id !== null) return mayOwnTeam(caller, { ...facts, team_id: owner.team_id });
  return owner.group_id !== null && mayOwnGroup(caller, owner);
}

/** Whether the caller may change a record that they see. Group admins see the teams of their groups and their own. */
export function mayChangeSeen(caller: Caller, owner: Owner): boolean {
  if (mayOwn(caller, owner, { team_group_id: null })) return true;
  return caller.userType === "group_admin" && owner.team_id !== null &&
    caller.visibleTeamIds.includes(owner.team_id);
}

function mayOwnTeam(caller: Member, facts: Row): boolean {
  if (facts.team_id === null) return false;
  if (caller.userType === "admin" || caller.teamIds.includes(Number(facts.team_id))) return true;
  const group = facts.team_group_id;
  return caller.userType === "group_admin" && group !== null && caller.groupIds.includes(Number(group));
}

function mayOwnGroup(caller: Member, facts: { readonly group_id?: Row[string] }): boolean {
  if (facts.group_id === null || facts.group_id === undefined) return false;
  if (caller.userType === "admin") return true;
  return caller.userType === "group_admin" && caller.groupIds.includes(Number(facts.group_id));
}

/** The owner of a new record: that of the body, else the active team, else the company. */
export function chooseOwner({ activeTeamId }: Caller, { team_id, group_id }: GivenOwner): Owner {
  if (group_id) return { team_id: null, group_id };
  return { team_id: team_id === undefined ? activeTeamId : team_id, group_id: null };
}

/**
 * The owner of a copy: that of the original where it exists and the caller may write there, else the caller's
 * active team.
 * Throws 403 without one. `team`: the facts of the active team.
 */
export function chooseOwnerOfCopy(
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
  if (isAdmin(caller)) return makeCompanyScope(caller);
  return { companyId: caller.companyId, streams: [{ column: "reader", values: listReaders(caller) }] };
}

/** Returns the record; 404 when the caller does not see it. */
export function requireSeen<R extends Owner>(caller: Caller, found: Result): R & Row {
  const record = found.rows[0] as (R & Row) | undefined;
  if (!record || !seesOwner(caller, record)) throw notFound();
  return record;
}

/** Throws 403 unless the caller, who sees the record, may write it. `facts`: those of its owner. */
export function checkMayWrite(
  caller: Caller,
  record: Owner & { readonly private?: unknown },
  facts: Row,
): void {
  if (record.private === 1 || mayOwn(caller, record, facts)) return;
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
  checkMayWrite(caller, before, before);
  const owner = chooseOwnerAfter(before, body);
  const guards = guardOwnerOfRecord(caller, before);
  if (isSameOwner(before, owner)) {
    return {
      owner: { team_id: before.team_id, group_id: before.group_id, kept_for: before.kept_for ?? null },
      guards,
    };
  }
  checkOwner(caller, owner, facts);
  return {
    owner: { ...owner, kept_for: null },
    guards: [...guards, guardOwner(caller.companyId, owner, facts)],
  };
}

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

export function makeScopeOfBelonging({ private: isPrivate, team_id, group_id }: Belonging): SharingScope {
  return isPrivate === 1 ? "user" : team_id !== null ? "team" : group_id !== null ? "group" : "company";
}

/**
 * Returns the columns of the owner after a change. `before` is null for a new record, which is private by default.
 * Throws 422 for members that contradict each other.
 */
export function chooseBelongingAfter(before: Belonging | null, given: GivenBelonging): Belonging {
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
    const isKept = value === undefined && before !== null && makeScopeOfBelonging(before) === name;
    if (!value && scope === name && !isKept) {
      throw invalid(fieldError(path, "required", `With the scope ${name} it has a ${name}.`));
    }
  }
}

/** Throws 403 or 422 unless the caller may give a record to this owner. `facts`: the row of `selectOwnerColumns`. */
export function checkBelonging(
  caller: Caller,
  maker: number | null,
  to: Belonging,
  facts: Row,
  what: string,
): void {
  const scope = makeScopeOfBelonging(to);
  if (scope === "user" && maker !== caller.userId) {
    throw forbidden(`Only the user who made it may make ${what} private.`);
  }
  if (scope !== "user") checkOwner(caller, to, facts);
}

/** Whether the caller sees the record: its maker alone sees a private one; a shared one is seen like a template. */
export function seesShared(caller: Member, { record, maker }: Shared): boolean {
  return record.private === 1 ? maker === caller.userId : seesOwner(caller, record);
}

/** Returns the scope for lists, with the same records as `seesShared`, by the columns `reader` and `private_to`. */
export function makeSharedScope(caller: Member): Scope {
  const { companyId, userId } = caller;
  const stream = isAdmin(caller)
    ? { column: "private_to", values: [null, userId] }
    : { column: "reader", values: listOwnersSeen(caller) };
  return { companyId, streams: [stream] };
}

/** Returns the values of the column `reader` for the records that a caller sees who is no admin. */
export function listOwnersSeen(member: Member): string[] {
  const [companys, ...others] = listReaders(member);
  return [companys!, `u${member.userId}`, ...others];
}

/** Returns the values of `reader` for records of the company, teams and groups, and for those kept for the member. */
function listReaders({ userId, visibleTeamIds, groupIds }: Member): string[] {
  return ["", `k${userId}`, ...visibleTeamIds.map((id) => `t${id}`), ...groupIds.map((id) => `g${id}`)];
}

export const adminsOnly = "Only an admin may write records of the whole company.";

function isCompanys({ team_id, group_id }: Owner): boolean {
  return team_id === null && group_id === null;
}
