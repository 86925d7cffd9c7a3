/** Owners of records: the company, a team or a group, and who may choose which. */
import { type Sql, sql } from "../db/statements.ts";
import type { Caller } from "../core/access.ts";
import { invalid, missingReference } from "../core/errors.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";

/** Both null: the company owns it. */
export interface Owner {
  readonly team_id: number | null;
  readonly group_id: number | null;
}

/** SQL: columns over a company `c` for `checkNamedOwner`. */
export function ownerColumns({ team_id, group_id }: Owner): Sql {
  return sql`(select t.id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_id,
    (select t.group_id from teams t where t.id = ${team_id} and t.company_id = c.id) as team_group_id,
    (select g.id from groups g where g.id = ${group_id} and g.company_id = c.id) as group_id`;
}

/**
 * Admins may name every team and group, group admins their own groups and those groups' teams, others their
 * own teams. Throws 422 for another, and for one that does not exist.
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

/** Whether the caller may own records of an existing team or group; the caller throws 403 itself. */
export function mayOwn(caller: Caller, owner: Owner, facts: Row): boolean {
  if (caller.userType === "admin") return true;
  if (owner.team_id !== null) return mayOwnTeam(caller, { ...facts, team_id: owner.team_id });
  return owner.group_id !== null && mayOwnGroup(caller, owner);
}

function mayOwnTeam(caller: Caller, facts: Row): boolean {
  if (facts.team_id === null) return false;
  if (caller.userType === "admin" || caller.teamIds.includes(Number(facts.team_id))) return true;
  const group = facts.team_group_id;
  return caller.userType === "group_admin" && group !== null && caller.groupIds.includes(Number(group));
}

function mayOwnGroup(caller: Caller, facts: { readonly group_id?: Row[string] }): boolean {
  if (facts.group_id === null || facts.group_id === undefined) return false;
  if (caller.userType === "admin") return true;
  return caller.userType === "group_admin" && caller.groupIds.includes(Number(facts.group_id));
}
