/** The users and teams that a note notifies; they must be able to see it. */
import { type FieldError, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { selectVisibleTeamIds } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { mentions } from "./facts.ts";
import type { NoteBody } from "./record.ts";

type Notify = NoteBody["notify"];

/** The two reads of `checkMentions`. `team` is SQL for the note's team. */
export function selectMentioned({ caller: { companyId } }: Context, notify: Notify, team: Sql): Statement[] {
  const users = JSON.stringify(notify?.users ?? []);
  const teams = JSON.stringify(notify?.teams ?? []);
  return [
    sql`select u.id from users u where u.id in (select value from json_each(${users})) and u.company_id = ${companyId}
      and u.deleted_at is null and (u.user_type = 1 or ${team} is null
      or ${team} in (${selectVisibleTeamIds(sql`u.id`)}))`,
    sql`select t.id from teams t where t.id in (select value from json_each(${teams})) and t.company_id = ${companyId}
      and (${team} is null or t.id = ${team}
      or t.group_id = (select own.group_id from teams own where own.id = ${team}))`,
  ];
}

/** Adds an error for each user and team that cannot see the note. */
export function checkMentions(notify: Notify, [users, teams]: readonly Result[], errors: FieldError[]): void {
  const check = (what: "users" | "teams", found: Result) => {
    const there = new Set(found.rows.map(({ id }) => id));
    notify?.[what]?.forEach((id, index) => {
      if (!there.has(id)) errors.push(missingReference(`notify.${what}[${index}]`, what.slice(0, -1)));
    });
  };
  check("users", users!);
  check("teams", teams!);
}

/** Rejects the batch when a user or team of the request can no longer see the note. */
export function guardMentions(ctx: Context, notify: Notify, team: Sql): Statement[] {
  const counts = [notify?.users, notify?.teams].map((ids) => new Set(ids).size);
  if (counts[0]! + counts[1]! === 0) return [];
  return selectMentioned(ctx, notify, team).map((read, index) =>
    guardThat("mentions", sql`(select count(*) from (${read})) = ${counts[index]!}`)
  );
}

/**
 * Returns `notes.mentions` for the users and teams of the request. A team counts as somebody other than the
 * author.
 */
export function encodeMentions({ caller }: Context, notify: Notify): number {
  const users = notify?.users ?? [];
  const teams = notify?.teams ?? [];
  if (users.length === 0 && teams.length === 0) return 0;
  return teams.length > 0 || users.some((id) => id !== caller.userId)
    ? mentions.some | mentions.other
    : mentions.some;
}

/** Notifies the users and teams of the request. A note without a case notifies nobody. */
export function draftMentionNotifications(
  ctx: Context,
  case_id: string | null,
  notify: Notify,
): NotificationDraft[] {
  const to = [
    ...(notify?.users?.length ? [{ users: notify.users }] : []),
    ...(notify?.teams?.length ? [{ teams: notify.teams }] : []),
  ];
  if (case_id === null || to.length === 0) return [];
  return [{ type: "note", to, data: { user: { id: ctx.caller.userId }, case: { id: case_id } } }];
}
