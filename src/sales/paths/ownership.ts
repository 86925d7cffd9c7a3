/** Who may write relations paths and lead types, which belong to the company, a team or a group. */
import type { Caller } from "../../core/access.ts";
import { forbidden, invalid, missingReference } from "../../core/errors.ts";
import { statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";

export interface Owner {
  readonly team_id: number | null;
  readonly group_id: number | null;
}

/** What the decision needs to know; the company's settings, and the team or group named. */
export function ownerFacts(companyId: number, owner: Owner): Statement {
  return statement(
    "select c.teams_can_create_relations_paths as teams_can, c.groups_can_create_relations_paths as groups_can, " +
      "(select t.id from teams t where t.id = ? and t.company_id = c.id) as team_id, " +
      "(select t.group_id from teams t where t.id = ? and t.company_id = c.id) as team_group_id, " +
      "(select g.id from groups g where g.id = ? and g.company_id = c.id) as group_id " +
      "from companies c where c.id = ?",
    owner.team_id,
    owner.team_id,
    owner.group_id,
    companyId,
  );
}

/**
 * An admin writes all; a group admin what own groups and their teams own, a team admin what own teams own,
 * each when the company's setting allows it. Throws 403, or 422 for a team or group that is not theirs.
 */
export function checkOwner(caller: Caller, owner: Owner, facts: Row): void {
  const { userType } = caller;
  if (userType === "user") {
    throw forbidden("A user may not write relations paths and lead types; an admin may.");
  }
  if (userType === "team_admin" && facts.teams_can !== 1) {
    throw forbidden("The company's setting teams_can_create_relations_paths is off.");
  }
  if (userType === "group_admin" && facts.groups_can !== 1) {
    throw forbidden("The company's setting groups_can_create_relations_paths is off.");
  }
  if (userType !== "admin" && owner.team_id === null && owner.group_id === null) {
    throw forbidden("Only an admin may write what belongs to the whole company; name a team or group.");
  }
  if (owner.team_id !== null && !mayOwnTeam(caller, facts)) {
    throw invalid(missingReference("team_id", "team"));
  }
  if (owner.group_id !== null && !mayOwnGroup(caller, facts)) {
    throw invalid(missingReference("group_id", "group"));
  }
}

/** Refuses the batch when what `checkOwner` decided on is no longer so. */
export function ownerGuard(companyId: number, owner: Owner, facts: Row): Statement {
  return guardThat(
    "owner",
    "exists (select 1 from companies c where c.id = ? and c.teams_can_create_relations_paths = ? " +
      "and c.groups_can_create_relations_paths = ?) " +
      "and (? is null or exists (select 1 from teams t where t.id = ? and t.company_id = ? and t.group_id is ?)) " +
      "and (? is null or exists (select 1 from groups g where g.id = ? and g.company_id = ?))",
    [
      companyId,
      facts.teams_can!,
      facts.groups_can!,
      owner.team_id,
      owner.team_id,
      companyId,
      facts.team_group_id!,
      owner.group_id,
      owner.group_id,
      companyId,
    ],
  );
}

function mayOwnTeam(caller: Caller, facts: Row): boolean {
  if (facts.team_id === null) return false;
  if (caller.userType === "admin" || caller.teamIds.includes(Number(facts.team_id))) return true;
  const group = facts.team_group_id;
  return caller.userType === "group_admin" && group !== null && caller.groupIds.includes(Number(group));
}

function mayOwnGroup(caller: Caller, facts: Row): boolean {
  if (facts.group_id === null) return false;
  if (caller.userType === "admin") return true;
  return caller.userType === "group_admin" && caller.groupIds.includes(Number(facts.group_id));
}
