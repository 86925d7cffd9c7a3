/** Reads of the automated communications of a case. A user who sees the case sees them. */
import { formatTimestamp } from "../../core/time.ts";
import type { Context } from "../../db/context.ts";
import { makeOwnerScope } from "../../db/scope.ts";
import { selectColumns } from "../../db/statements.ts";
import { type ListQuery, page, parsePaging } from "../../http/lists.ts";
import { type List, readList } from "../../lists/list.ts";
import { selectOwnedTotal } from "../../lists/totals.ts";
import type { Row } from "../../platform/database/database.ts";
import { checkCaseAccess, selectCaseAccess } from "../cases/queries.ts";
import { automatedSendSorts } from "./schema.ts";
import { type AutomatedSendRow, automatedSends } from "./table.ts";

const sendList: List = {
  table: "automated_sends",
  alias: "s",
  columns: selectColumns(automatedSends, "s"),
  sorts: automatedSendSorts,
  order: "send_at",
};

/**
 * Returns a page of the communications of a case, by time. Throws 404 when the caller does not see the case.
 */
export async function listAutomatedOfCase(ctx: Context, caseId: string, query: ListQuery, url: string) {
  const paging = parsePaging(query, sendList);
  const { rows, total, extraResults: [access] } = await readList(ctx, sendList, {
    scope: makeOwnerScope(ctx.caller, "case_id", caseId),
    paging,
    totals: [selectOwnedTotal("automated_sends", ctx.caller.companyId, [caseId])],
    extraReads: [selectCaseAccess(ctx.caller.companyId, caseId)],
  });
  checkCaseAccess(ctx, access!);
  return page(
    { url, ctx },
    paging,
    rows,
    total,
    (row) => presentSend(row as Row & AutomatedSendRow),
  );
}

function presentSend({ id, name, subject, due_at, status, reason }: AutomatedSendRow) {
  return { id, name, subject, send_at: formatTimestamp(due_at), status, reason };
}
