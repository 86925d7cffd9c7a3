/** Owners of records: the company, a team or a group, and who may choose which. */
import { type Sql, sql } from "../db/statements.ts";
import { type Caller, isAdmin, type Member, seesTeam } from "../core/access.ts";
import { invalid, missingReference } from "../core/errors.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";

/** The owner of a record. Both null: the company. */
export interface Owner {
  readonly team_id: number | null;
  readonly group_id: number | null;
  /** The maker of a record whose team or group is deleted, see `keepForMakers`. */
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
export function ownerAfter({ team_id, group_id }: Owner, given: GivenOwner): Owner {
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

export function sameOwner(one: Owner, other: Owner): boolean {
  return one.team_id === other.team_id && one.group_id === other.group_id;
}

/** SQL: columns over a company `c` for `checkNamedOwner`. */
export function ownerColumns({ team_id, group_id }: Owner): Sql {
  return sql`(select t.id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_id,
    (select t.group_id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_group_id,
    (select g.id from groups g where g.id = ${group_id} and g.company_id = c.id) as group_id`;
}

/** Reads the facts of an owner, for `checkNamedOwner` and `ownerGuard`. */
export function ownerFacts(companyId: number, { team_id = null, group_id = null }: GivenOwner): Statement {
  return sql`select ${ownerColumns({ team_id, group_id })} from companies c where c.id = ${companyId}`;
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
export function ownerGuard(companyId: number, owner: Owner, facts: Row): Statement {
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
export function recordGuards(caller: Caller, record: Owner & Row): Statement[] {
  return isAdmin(caller) || isKeptFor(caller, record) ? [] : [ownerGuard(caller.companyId, record, record)];
}

/** Whether the caller may change records of this owner, a team or group that exists. Does not throw. */
export function mayOwn(caller: Member, owner: Owner, facts: Row): boolean {
  if (caller.userType === "admin" || isKeptFor(caller, owner)) return true;
  if (owner.team_id !== null) return mayOwnTeam(caller, { ...facts, team_id: owner.team_id });
  return owner.group_id !== null && mayOwnGroup(caller, owner);
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
