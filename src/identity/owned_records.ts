/**
 * Reassigns records of deleted teams, groups and users that only need another owner: they go to the successor of a
 * team. Without one they keep the id of their owner, and their maker and admins alone see them: nobody is shown
 * records of others.
 */
import { type Blocker, isBlocked } from "../db/blockers.ts";
import type { DeletableKind } from "../db/references.ts";
import { identifier, sql } from "../db/statements.ts";
import type { Statement } from "../platform/database/database.ts";
import type { GroupDeletion } from "./groups/deletion.ts";
import { reassignAtOnce, type UserReassignment } from "./users/deletion.ts";
import type { TeamPart } from "./teams/deletion.ts";

/** A table with the columns `team_id`, `group_id`, `owner`, `kept_for`. */
export interface OwnedRecords {
  readonly table: string;
  /** The column that has the id of the maker. */
  readonly maker: string;
  /** Its column `private_to` names the maker of a record that nobody else sees. */
  readonly isPrivate?: true;
  /** The kind of record, if others may name it. */
  readonly kind?: DeletableKind;
  /** Its column `members` keeps the users of the deleted team. */
  readonly members?: true;
}

/** Reassigns the rows of these tables when a team is deleted. */
export function reassignTeamRecords(tables: readonly OwnedRecords[]): TeamPart {
  return {
    leaving: (companyId, teamId) => keepMembers(tables, companyId, teamId),
    atOnce(author, { company_id, team_id, successor_id }) {
      const owner = `t${team_id}`;
      return successor_id === null
        ? keepForMakers(tables, company_id, owner)
        : reassign(tables, company_id, owner, successor_id, author.at);
    },
  };
}

/**
 * Private records of a deleted user go to the successor; without one they are deleted, except those that other records
 * name. Shared ones stay.
 */
export function reassignPrivateRecords(
  tables: readonly OwnedRecords[],
  blockers: (kind: DeletableKind) => readonly Blocker[],
): UserReassignment {
  return reassignAtOnce(({ company_id, user_id }, { at }, successor) =>
    tables.filter(({ isPrivate }) => isPrivate).map(({ table, maker, kind }) => {
      const own = sql`company_id = ${company_id} and private_to = ${user_id}`;
      if (successor !== null) {
        return sql`update ${identifier(table)} set ${identifier(maker)} = ${successor.id}, updated_at = ${at},
          version = version + 1 where ${own}`;
      }
      return kind === undefined
        ? sql`delete from ${identifier(table)} where ${own}`
        : sql`delete from ${identifier(table)} where ${own}
          and not ${isBlocked(blockers(kind), identifier(table, "id"), company_id)}`;
    })
  );
}

/** Leaves the records of a deleted group to their makers. */
export function keepGroupRecords(tables: readonly OwnedRecords[]): GroupDeletion {
  return (_author, companyId, groupId) => keepForMakers(tables, companyId, `g${groupId}`);
}

/** Leaves the records of a deleted team or group, such as `t7` or `g3`, to their makers. */
function keepForMakers(tables: readonly OwnedRecords[], companyId: number, owner: string): Statement[] {
  return tables.map(({ table, maker }) =>
    sql`update ${identifier(table)} set kept_for = ${identifier(maker)}, version = version + 1
      where company_id = ${companyId} and owner = ${owner}`
  );
}

/** Adds the users who belong to the team to the members that its records remember. */
function keepMembers(tables: readonly OwnedRecords[], companyId: number, teamId: number): Statement[] {
  return tables.filter(({ members }) => members).map(({ table }) =>
    sql`update ${identifier(table)} set members = (select json_group_array(id) from (
      select value as id from json_each(members) union select user_id from team_members where team_id = ${teamId}))
      where company_id = ${companyId} and team_id = ${teamId}`
  );
}

function reassign(
  tables: readonly OwnedRecords[],
  companyId: number,
  owner: string,
  teamId: number,
  at: string,
): Statement[] {
  return tables.map(({ table }) =>
    sql`update ${identifier(table)} set team_id = ${teamId}, group_id = null, updated_at = ${at},
      version = version + 1 where company_id = ${companyId} and owner = ${owner}`
  );
}
