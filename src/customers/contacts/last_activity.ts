/** The time of the last activity for a customer. Lists are sorted by it; records do not show it. */
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Records an activity at `at` (a wire timestamp) on a case of the contact. An older one changes nothing. */
export function noteActivity(
  contact: { readonly id: string; readonly account_id: string },
  at: string,
): Statement[] {
  const raiseActivity = (table: string, id: string) =>
    sql`update ${identifier(table)} set last_activity_at = ${at} where id = ${id}
      and last_activity_at < ${at}`;
  return [raiseActivity("accounts", contact.account_id), raiseActivity("contacts", contact.id)];
}

/**
 * Recomputes the last activity of customers whose cases were deleted: the latest activity of their other
 * cases, or else their creation. `latest` returns SQL for that of the cases with the id in the `column`.
 */
export function renewActivity(
  customers: { readonly accounts: readonly string[]; readonly contacts: readonly string[] },
  latest: (column: "account_id" | "contact_id", id: Sql) => Sql,
): Statement[] {
  const computeActivity = (table: string, column: "account_id" | "contact_id", ids: readonly string[]) =>
    sql`update ${identifier(table)}
      set last_activity_at = max(created_at, coalesce(${latest(column, identifier(table, "id"))}, created_at))
      where id in (select value from json_each(${JSON.stringify(ids)}))`;
  return [
    computeActivity("accounts", "account_id", customers.accounts),
    computeActivity("contacts", "contact_id", customers.contacts),
  ];
}
