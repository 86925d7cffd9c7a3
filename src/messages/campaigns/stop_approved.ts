/**
 * Makes approved campaigns drafts again when something that they name is removed, so that none of them reaches
 * more contacts than it was approved for.
 */
import type { FieldUse } from "../../customers/fields/uses.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import type { TeamReassignment } from "../../identity/teams/deletion.ts";
import type { Author } from "../../db/commit.ts";
import { notificationStatement } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/**
 * Makes the approved campaigns among `rows` (SQL over their columns) drafts, and notifies their users and the
 * admins. `why`: the rest of the sentence "waits for approval again: …".
 */
export function stopApproved(
  author: Author,
  companyId: number,
  rows: Sql,
  why: string,
): Statement[] {
  const waiting = sql`company_id = ${companyId} and status = 'pending' and stage is null and ${rows}`;
  const isAdmin = sql`select id from users where company_id = ${companyId} and user_type = 1
    and deleted_at is null and exists (select 1 from campaigns where ${waiting})`;
  // Each user is shown the own campaigns alone, and an admin all.
  const names = sql`(select group_concat(name, ', ') from campaigns where ${waiting}
    and (user_id = r.user_id or exists (select 1 from users a where a.id = r.user_id and a.user_type = 1)))`;
  return [
    notificationStatement(author, companyId, {
      type: "custom",
      to: [{
        select: sql`select user_id from campaigns where ${waiting} union ${isAdmin}`,
      }],
      data: { user: author.caller ? { id: author.caller.userId } : null },
      message: sql`${names} || ${`: waits for approval again, because ${why}.`}`,
    }),
    sql`update campaigns set status = 'draft', updated_at = ${author.at}, version = version + 1 where ${waiting}`,
  ];
}

/** Stops the campaigns of a deleted group. */
export const campaignsOfGroup: GroupDeletion = (author, companyId, groupId) =>
  stopApproved(
    author,
    companyId,
    sql`owner = ${`g${groupId}`}`,
    "its group was deleted",
  );

/** Stops the campaigns of a deleted team before they go to the successor, whose customers are others. */
export function withTeamCampaigns(others: TeamReassignment): TeamReassignment {
  return {
    ...others,
    step(deletion, take) {
      const { company_id, team_id } = deletion;
      const { reads, apply } = others.step(deletion, take);
      return {
        reads,
        apply(author, successor, results) {
          const step = apply(author, successor, results);
          const owned = sql`owner = ${`t${team_id}`}`;
          const stopped = stopApproved(
            author,
            company_id,
            owned,
            "its team was deleted",
          );
          const naming = stopApproved(
            author,
            company_id,
            namesId("%team_id", team_id),
            "its filter names a deleted team",
          );
          return {
            ...step,
            statements: [...stopped, ...naming, ...step.statements],
          };
        },
      };
    },
  };
}

/** SQL: whether the filter compares a field, given as a pattern of `like`, with the id. */
export function namesId(field: string, id: number): Sql {
  return sql`exists (select 1 from json_tree(filter) n where n.type = 'object' and n.value ->> '$.field' like ${field}
    and exists (select 1 from json_tree(n.value, '$.value') named where cast(named.atom as integer) = ${id}))`;
}

/** Stops the campaigns whose filters name a field that is deleted or retyped, or a deleted option of it. */
export const campaignsOfField: FieldUse = (author, companyId, names, why) =>
  stopApproved(author, companyId, names(sql`filter`), why);
