/** What belongs to the company, to a team or to a group: whom a caller may make it for. */
import { type Sql, sql } from "../db/statements.ts";
import type { Caller } from "../core/access.ts";
import { invalid, missingReference } from "../core/errors.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";

/** Neither: the company. */
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
 * An admin names every team and group; a group admin own groups and their teams, others own teams. 422 for
 * another, and for one that is not there.
 */
export function checkNamedOwner(caller: Caller, owner: Owner, facts: Row): void {
  if (owner.team_id !== null && !mayOwnTeam(caller, facts)) {
    throw invalid(missingReference("team_id", "team"));
  }
  if (owner.group_id !== null && !mayOwnGroup(caller, facts)) {
    throw invalid(missingReference("group_id", "group"));
  }
}

/** Refuses the batch when the team or group that `checkNamedOwner` saw is no longer so. */
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

/** The same as a question, about a team or group that is there; 403 is said elsewhere. */
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
