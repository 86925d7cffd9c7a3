/** Automated communications that wait: those that are due, one with its columns, and how they end. */
import { columnsOf, type Sql, sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { isAside, notAside } from "../../staged/set_aside.ts";
import { type AutomatedSendRow, automatedSends } from "./table.ts";

export type { AutomatedSendRow };

/** The queue of those that are set aside. */
export const automatedQueue = "automated_sends";

/** SQL: the columns of an alias. */
export function sendColumns(alias: string): Sql {
  return columnsOf(automatedSends, alias);
}

/** Reads the ids of those of existing companies that are due at `now` (epoch milliseconds), in their order. */
export function dueSends(now: number, most: number): Statement {
  return sql`select s.id, s.company_id, s.case_id from automated_sends s indexed by automated_sends_due
    where s.status = 'pending' and s.due_at <= ${now}
    and not ${isAside(automatedQueue, sql`s.id`, sql`0`, now)}
    and exists (select 1 from companies c where c.id = s.company_id and c.deleted_at is null)
    order by s.due_at, s.id limit ${most} + 0`;
}

/** Ends one that waits; rejects the batch when it no longer does. */
export function endSend(
  { id, status, reason, subject }: Pick<AutomatedSendRow, "id" | "status" | "reason" | "subject">,
  at: string,
): Statement[] {
  return [
    sql`update automated_sends set status = ${status}, reason = ${reason}, subject = ${subject},
      updated_at = ${at} where id = ${id} and status = 'pending'`,
    guardChanged("automated_send"),
    notAside(automatedQueue, [id]),
  ];
}

/** Records that the mail of one could not be sent, or was not sent any more. */
export function failSend(
  id: string,
  status: "failed" | "skipped",
  reason: string | null,
  at: string,
): Statement {
  return sql`update automated_sends set status = ${status}, reason = ${reason}, updated_at = ${at}
    where id = ${id} and status = 'sent'`;
}
