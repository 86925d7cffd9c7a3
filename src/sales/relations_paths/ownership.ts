/** Who may write relations paths and lead types, which belong to the company, a team or a group. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { rawSql, sql } from "../../db/statements.ts";
import { checkNamedOwner, mayOwn, type Owner, ownerColumns, ownerGuard } from "../../identity/owners.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";

const settings =
  "c.teams_can_create_relations_paths as teams_can, c.groups_can_create_relations_paths as groups_can";

/** What a body says of the owner. */
export interface Named {
  readonly team_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
}

/** What `checkOwner` needs to know; the company's settings, and the team or group named. */
export function ownerFacts(companyId: number, { team_id = null, group_id = null }: Named): Statement {
  return sql`select ${rawSql(settings)}, ${ownerColumns({ team_id, group_id })} from companies c
    where c.id = ${companyId}`;
}

/** What `checkMayWrite` needs to know of a record that is there. */
export function writeFacts(
  table: "relations_paths" | "lead_types",
  id: string,
  companyId: number,
): Statement {
  return sql`select ${
    rawSql(settings)
  }, (select t.group_id from teams t where t.id = o.team_id) as team_group_id
    from ${
    rawSql(table)
  } o join companies c on c.id = o.company_id where o.id = ${id} and o.company_id = ${companyId}`;
}

/**
 * An admin writes all; a group admin what own groups and their teams own, a team admin what own teams own,
 * each when the company's setting allows it. Throws 403, or 422 for a team or group that is not theirs.
 */
export function checkOwner(caller: Caller, owner: Owner, facts: Row): void {
  checkSettings(caller, facts);
  if (!isAdmin(caller) && owner.team_id === null && owner.group_id === null) throw forbidden(adminsOnly);
  checkNamedOwner(caller, owner, facts);
}

/** The same of what is there and the caller sees: 403 when it is not theirs to change. */
export function checkMayWrite(caller: Caller, owner: Owner, facts: Row): void {
  checkSettings(caller, facts);
  if (mayOwn(caller, owner, facts)) return;
  const shared = owner.team_id === null && owner.group_id === null;
  throw forbidden(shared ? adminsOnly : "It belongs to a team or group that is not yours.");
}

const adminsOnly = "Only an admin may write what belongs to the whole company.";

function checkSettings(caller: Caller, facts: Row): void {
  const reach = requireReach(caller, "paths.write");
  if (reach === "own_teams" && facts.teams_can !== 1) {
    throw forbidden("The company's setting teams_can_create_relations_paths is off.");
  }
  if (reach === "own_groups" && facts.groups_can !== 1) {
    throw forbidden("The company's setting groups_can_create_relations_paths is off.");
  }
}

/** Whose it is after a change: a team that is named takes the place of a group, and the other way round. */
export function ownerAfter({ team_id, group_id }: Owner, named: Named): Owner {
  if (named.team_id) return { team_id: named.team_id, group_id: null };
  if (named.group_id) return { team_id: null, group_id: named.group_id };
  return {
    team_id: named.team_id === undefined ? team_id : null,
    group_id: named.group_id === undefined ? group_id : null,
  };
}

export function sameOwner(one: Owner, other: Owner): boolean {
  return one.team_id === other.team_id && one.group_id === other.group_id;
}

/** Refuses the batch when what `checkOwner` or `checkMayWrite` decided on is no longer so. */
export function ownerGuards(companyId: number, owner: Owner, facts: Row): Statement[] {
  return [
    guardThat(
      "owner",
      sql`exists (select 1 from companies c where c.id = ${companyId} and c.teams_can_create_relations_paths = ${facts
        .teams_can!}
      and c.groups_can_create_relations_paths = ${facts.groups_can!})`,
    ),
    ownerGuard(companyId, owner, facts),
  ];
}

/** A change of who owns it, decided: `owner` is whose it is afterwards. */
export interface OwnerChange {
  readonly owner: Owner;
  readonly guards: readonly Statement[];
}

/**
 * Decides on the owner of what the caller changes. `facts` are of the record, `named` of the body. What an
 * admin may do depends on neither.
 */
export function changeOwner(
  caller: Caller,
  before: Owner,
  body: Named,
  { facts, named }: { readonly facts: Row; readonly named: Row },
): OwnerChange {
  const owner = ownerAfter(before, body);
  const moves = !sameOwner(before, owner);
  if (moves) checkOwner(caller, owner, named);
  return {
    owner,
    guards: [
      ...(isAdmin(caller) ? [] : ownerGuards(caller.companyId, before, facts)),
      ...(moves ? ownerGuards(caller.companyId, owner, named) : []),
    ],
  };
}
