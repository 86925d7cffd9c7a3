/** Deliveries that wait for an attempt, for the metrics. */
import { isLiveCompany } from "../../db/live_company.ts";
import { sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Reads `n`, and `due`: when the first of them was due, epoch milliseconds. Those of a deleted company do not count. */
export const waitingDeliveries: Statement = sql`select count(*) as n, min(due_at) as due from deliveries
  where status = 'pending' and ${isLiveCompany(sql`deliveries.company_id`)}`;
