/** Writes notifications in the batch that causes them: one row for each recipient. */
import { lifetimes } from "../../core/lifetimes.ts";
import type { Cause, NotificationDraft, Notify, Recipients } from "../../db/notifications.ts";
import { composeStampedId } from "../../db/outbox.ts";
import type { ShownByType } from "../../db/shown_records.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** How long an unlisted notification is kept, in milliseconds: longer than sending is retried. */
const keptFor = lifetimes.unlistedNotification;

/** Returns the function that writes notifications. `shownTypes`: what they show of records. */
export function notifyWith(shownTypes: ShownByType): Notify {
  return (cause, companyId, draft) =>
    insertNotifications(cause, companyId, draft, shownTypes.get(draft.type)!);
}

function insertNotifications(
  { now, at, deps }: Cause,
  companyId: number,
  notice: NotificationDraft,
  { names, shown }: NonNullable<ReturnType<ShownByType["get"]>>,
): Statement {
  const { type, data, more = [], except = null, message = null, isMailed = false } = notice;
  const reached = notice.to.map((to) => selectReached(to, companyId));
  const user = "user" in data ? data.user : null;
  // Without the user who caused the notification, who is read when it is shown.
  const ids = [data, ...more].map((each) => {
    const named = each as Readonly<Record<string, { readonly id: string | number } | null>>;
    return Object.fromEntries(names.map((name) => [name, named[name]!.id]));
  });
  const pushing = deps.pusher !== null;
  // A window function would double the cost; only several notifications to one user need it.
  const id = composeStampedId(now, more.length > 0 ? sql`row_number() over ()` : sql`r.user_id`);
  const users = reached.length === 0 ? sql`null` : joinSql(reached, " union ");
  const hidden = now + keptFor;
  return sql`insert into notifications
      (id, company_id, user_id, type, sender_id, data, message, unsent, expires_at, created_at)
    with reported (number, data) as materialized (
      select n.key, json_object(${shown}) from (select ${companyId} as company) own
      cross join json_each(${JSON.stringify(ids)}) n
    ),
    reached (user_id, company_id, app, mail, push) as materialized (
      select u.id, u.company_id, coalesce(p.app, 1), u.email_notifications = 1 and coalesce(p.mail, 1),
        ${pushing ? wantsPush : sql`0`}
      from users u left join notification_preferences p on p.user_id = u.id and p.type = ${type}
      where +u.company_id = ${companyId} and u.deleted_at is null and u.id is not ${except} and u.id in (${users})
    )
    select ${id}, r.company_id, r.user_id, ${type}, ${user?.id ?? null}, t.data, ${message},
      ${isMailed ? sql`0` : sql`r.mail`} + 2 * r.push, iif(r.app, null, ${hidden}), ${at}
    from reported t cross join reached r where r.app or r.mail or r.push order by t.number, r.user_id`;
}

const wantsPush = sql`coalesce(p.push, 1) and exists (select 1 from devices d where d.user_id = u.id)`;

/** SQL: whether the user of an alias `a` has the right `agency`. Admins have every right. */
const hasAgency = sql`(a.user_type = 1 or exists (select 1 from user_roles r
  join role_rights g on g.role_id = r.role_id where r.user_id = a.id and g.right_name = 'agency'))`;

/** SQL: the ids of the recipients. May include deleted users and users of other companies. */
function selectReached(to: Recipients, companyId: number): Sql {
  if ("select" in to) return to.select;
  if ("users" in to) return sql`select value from json_each(${JSON.stringify(to.users)})`;
  if ("teams" in to) {
    const teams = JSON.stringify(to.teams);
    return sql`select m.user_id from json_each(${teams}) t join team_members m on m.team_id = t.value`;
  }
  return to.agencyOf === null
    ? sql`select a.id from users a where a.company_id = ${companyId} and a.deleted_at is null and ${hasAgency}`
    : sql`select a.id from team_members m join users a on a.id = m.user_id
        where m.team_id = ${to.agencyOf} and ${hasAgency}`;
}
