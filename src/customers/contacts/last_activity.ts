/** When something was last done for a customer: lists are ordered by it, and the records do not show it. */
import { statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** An activity at this time (a wire timestamp) on a case of the contact. An older one changes nothing. */
export function activityAt(
  contact: { readonly id: string; readonly account_id: string },
  at: string,
): Statement[] {
  const later = (table: string, id: string) =>
    statement(
      `update ${table} set last_activity_at = ? where id = ? and last_activity_at < ?`,
      at,
      id,
      at,
    );
  return [later("accounts", contact.account_id), later("contacts", contact.id)];
}
