/**
 * A deleted company can come back whole until its erasure begins. Until then its work waits: nothing is sent,
 * nothing escalates, and nothing ends for want of the company.
 */
import { type Sql, sql } from "./statements.ts";

/** SQL: whether the company with an id (SQL) exists and is not deleted. */
export function isLiveCompany(companyId: Sql): Sql {
  return sql`exists (select 1 from companies live where live.id = ${companyId} and live.deleted_at is null)`;
}
