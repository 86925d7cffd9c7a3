/** Cancels an automated communication that waits. */
import { noContent } from "../../core/answer.ts";
import { conflict, notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { parseNextAutomated, selectNextAutomated } from "../case_parts/automated.ts";
import { requireVisibleCase, selectCaseById } from "../cases/queries.ts";
import { changeCase } from "../cases/write.ts";
import { endSend } from "./queue.ts";

/** Throws 409 `case_state` unless the communication is pending. */
export async function cancelAutomated(ctx: Context, caseId: string, id: string) {
  const [found, ...results] = await ctx.deps.db.read([
    sql`select s.status, s.subject, ${selectNextAutomated(sql`s.case_id`, sql`s.id`)} as next
      from automated_sends s
      where s.id = ${id} and s.case_id = ${caseId}`,
    ...selectCaseById(ctx.caller.companyId, caseId),
  ]);
  const before = requireVisibleCase(ctx, results);
  const send = found!.rows[0];
  if (!send) throw notFound();
  if (send.status !== "pending") {
    throw conflict("case_state", `It is ${send.status}; only one that is pending can be cancelled.`);
  }
  const { statements, event } = changeCase(ctx, before, {}, {
    next_automated: parseNextAutomated(send.next),
  });
  return await commit(ctx, {
    statements: [
      ...endSend({ id, status: "cancelled", reason: null, subject: String(send.subject) }, ctx.at),
      ...statements,
    ],
    events: [event],
    answer: noContent,
  });
}
