/** The last activity of customers, after their cases have changed. */
import { identifier, sql } from "../../db/statements.ts";
import { renewActivity } from "../../customers/contacts/last_activity.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Updates the last activity of customers whose cases have changed. */
export function renewCaseActivity(
  customers: { readonly accounts: readonly string[]; readonly contacts: readonly string[] },
): Statement[] {
  return renewActivity(
    customers,
    (column, id) =>
      sql`(select max(cs.latest_activity_at) from cases cs where ${identifier("cs", column)} = ${id})`,
  );
}
