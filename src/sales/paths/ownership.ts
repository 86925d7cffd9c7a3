/** Who may write relations paths and lead types, which belong to the company, a team or a group. */
import type { Caller } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { statement } from "../../db/statements.ts";
import { checkNamedOwner, type Owner, ownerArgs, ownerColumns, ownerGuard } from "../../identity/owners.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";

/** What the decision needs to know; the company's settings, and the team or group named. */
export function ownerFacts(companyId: number, owner: Owner): Statement {
  return statement(
    "select c.teams_can_create_relations_paths as teams_can, c.groups_can_create_relations_paths as groups_can, " +
      `${ownerColumns} from companies c where c.id = ?`,
    ...ownerArgs(owner),
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
  checkNamedOwner(caller, owner, facts);
}

/** Refuses the batch when what `checkOwner` decided on is no longer so. */
export function ownerGuards(companyId: number, owner: Owner, facts: Row): Statement[] {
  return [
    guardThat(
      "owner",
      "exists (select 1 from companies c where c.id = ? and c.teams_can_create_relations_paths = ? " +
        "and c.groups_can_create_relations_paths = ?)",
      [companyId, facts.teams_can!, facts.groups_can!],
    ),
    ownerGuard(companyId, owner, facts),
  ];
}
