/** SQL about users for the queries of other features. */
import type { NotificationType } from "../../core/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";

/** SQL: the first and the last name of the user of an id (SQL); null without one. */
export function selectNameOfUser(id: Sql): Sql {
  return sql`(select u.first_name || ' ' || u.last_name from users u where u.id = ${id})`;
}

/** SQL: the e-mail address of the user of an id (SQL). */
export function selectEmailOfUser(id: Sql): Sql {
  return sql`(select u.email from users u where u.id = ${id})`;
}

/** SQL: 1 when the user of the alias `u` wants mails of a type; null without a user. */
export function wantsMails(type: NotificationType): Sql {
  return sql`(u.email_notifications = 1 and coalesce((select p.mail from notification_preferences p
    where p.user_id = u.id and p.type = ${type}), 1))`;
}
