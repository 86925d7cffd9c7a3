/** The queue of pending automated communications: reads those that are due, and ends them. */
import { isReleased } from "../../db/hold.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { deleteSetAside, isSetAside } from "../../staged/set_aside.ts";
import { type AutomatedSendRow, automatedSends } from "./table.ts";

export type { AutomatedSendRow };

/** The name of the queue under which automated communications are set aside. */
export const automatedQueue = "automated_sends";

/** SQL: the columns of `automated_sends` under an alias. */
export function sendColumns(alias: string): Sql {
  return selectColumns(automatedSends, alias);
}

/** SQL over `s`: the queue is not held, and the company is there. */
const mayBeSent = sql`exists (select 1 from companies c where c.id = s.company_id and c.deleted_at is null)
    and ${isReleased("automated-communications")}`;

/**
 * Reads the ids of the communications that are due at `now` (epoch milliseconds), by time, and not set aside. None is
 * due unless the condition (SQL over `s`) holds.
 */
export function selectDueSends(now: number, most: number, condition: Sql = mayBeSent): Statement {
  return sql`select s.id, s.company_id, s.case_id from automated_sends s indexed by automated_sends_due
    where s.status = 'pending' and s.due_at <= ${now}
    and not ${isSetAside(automatedQueue, sql`s.id`, sql`0`, now)}
    and ${condition} order by s.due_at, s.id limit ${most} + 0`;
}

/** Ends a pending communication. Rejects the batch when it is no longer pending. */
export function endSend(
  { id, status, reason, subject }: Pick<AutomatedSendRow, "id" | "status" | "reason" | "subject">,
  at: string,
): Statement[] {
  return [
    sql`update automated_sends set status = ${status}, reason = ${reason}, subject = ${subject},
      updated_at = ${at} where id = ${id} and status = 'pending'`,
    guardChanged("automated_send"),
    deleteSetAside(automatedQueue, [id]),
  ];
}

/** Records that the mail of a communication failed, or was skipped after all. */
export function failSend(
  id: string,
  status: "failed" | "skipped",
  reason: string | null,
  at: string,
): Statement {
  return sql`update automated_sends set status = ${status}, reason = ${reason}, updated_at = ${at}
    where id = ${id} and status = 'sent'`;
}
