/** Rights to write relations paths and lead types, which belong to the company, a team or a group. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { identifier, sql } from "../../db/statements.ts";
import {
  adminsOnly,
  checkOwner,
  chooseOwnerAfter,
  factsOfOwner,
  type GivenOwner,
  guardOwner,
  isKeptFor,
  isSameOwner,
  mayOwn,
  type Owner,
  selectOwnerColumns,
} from "../../identity/owners.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";

const settings =
  sql`c.teams_can_create_relations_paths as teams_can, c.groups_can_create_relations_paths as groups_can`;

/** The read of `checkPathOwner`: the settings of the company, and the given team or group. */
export function selectPathOwnerFacts(
  companyId: number,
  { team_id = null, group_id = null }: GivenOwner,
): Statement {
  return sql`select ${settings}, ${selectOwnerColumns({ team_id, group_id })} from companies c
    where c.id = ${companyId}`;
}

/** The read of `checkMayWritePath` for an existing record. */
export function selectPathWriteFacts(
  table: "relations_paths" | "lead_types",
  id: string,
  companyId: number,
): Statement {
  return sql`select ${settings}, ${factsOfOwner}
    from ${identifier(table)} o join companies c on c.id = o.company_id where o.id = ${id}
    and o.company_id = ${companyId}`;
}

/**
 * Admins write all records, group admins those of own groups and their teams, team admins those of own teams;
 * the last two only if the settings of the company allow it. Throws 403, or 422 for another team or group.
 */
export function checkPathOwner(caller: Caller, owner: Owner, facts: Row): void {
  checkSettings(caller, facts);
  checkOwner(caller, owner, facts);
}

/** Checks the same for an existing record that the caller sees. Throws 403. */
export function checkMayWritePath(caller: Caller, owner: Owner, facts: Row): void {
  checkSettings(caller, facts);
  if (mayOwn(caller, owner, facts)) return;
  const shared = owner.team_id === null && owner.group_id === null;
  throw forbidden(shared ? adminsOnly : "It belongs to a team or group that you do not belong to.");
}

function checkSettings(caller: Caller, facts: Row): void {
  const reach = requireReach(caller, "paths.write");
  if (reach === "own_teams" && facts.teams_can !== 1) {
    throw forbidden("The company's setting teams_can_create_relations_paths is off.");
  }
  if (reach === "own_groups" && facts.groups_can !== 1) {
    throw forbidden("The company's setting groups_can_create_relations_paths is off.");
  }
}

/** Rejects the batch when the facts of `checkPathOwner` or `checkMayWritePath` have changed since they were read. */
export function guardPathOwner(companyId: number, owner: Owner, facts: Row): Statement[] {
  return [guardCompanySettings(companyId, facts), guardOwner(companyId, owner, facts)];
}

function guardCompanySettings(companyId: number, facts: Row): Statement {
  return guardThat(
    "owner",
    sql`exists (select 1 from companies c where c.id = ${companyId} and c.teams_can_create_relations_paths = ${facts
      .teams_can!}
    and c.groups_can_create_relations_paths = ${facts.groups_can!})`,
  );
}

/** The same for a stored record: the team or group of one that is kept for its maker is deleted. */
function guardStored(caller: Caller, before: Owner, facts: Row): Statement[] {
  if (isAdmin(caller)) return [];
  const { companyId } = caller;
  return isKeptFor(caller, before)
    ? [guardCompanySettings(companyId, facts)]
    : guardPathOwner(companyId, before, facts);
}

/** `owner` is the owner after the change. */
export interface OwnerChange {
  readonly owner: Owner;
  readonly guards: readonly Statement[];
}

/**
 * Checks a change of the owner. `facts` are of the record, which an admin does not need; `newFacts` are of
 * the body, needed only if the owner changes.
 */
export function changePathOwner(
  caller: Caller,
  before: Owner,
  body: GivenOwner,
  { facts, newFacts }: { readonly facts: Row; readonly newFacts: Row },
): OwnerChange {
  const owner = chooseOwnerAfter(before, body);
  const changes = !isSameOwner(before, owner);
  if (changes) checkPathOwner(caller, owner, newFacts);
  return {
    owner: { ...owner, kept_for: changes ? null : before.kept_for ?? null },
    guards: [
      ...guardStored(caller, before, facts),
      ...(changes ? guardPathOwner(caller.companyId, owner, newFacts) : []),
    ],
  };
}
