/** SQL about users for the queries of other features. */
import { type Sql, sql } from "../../db/statements.ts";

/** SQL: the first and the last name of the user of an id (SQL); null without one. */
export function userName(id: Sql): Sql {
  return sql`(select u.first_name || ' ' || u.last_name from users u where u.id = ${id})`;
}

/** SQL: the e-mail address of the user of an id (SQL). */
export function userEmail(id: Sql): Sql {
  return sql`(select u.email from users u where u.id = ${id})`;
}
