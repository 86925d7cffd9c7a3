/** Reads the records that the caller opened last, as far as the caller still sees them. */
import { ok } from "../../core/answer.ts";
import { foundAccounts } from "../../customers/accounts/global_search.ts";
import { foundContacts } from "../../customers/contacts/global_search.ts";
import type { Context } from "../../db/context.ts";
import { testScope } from "../../db/scope.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import type { FoundKind } from "../../lists/global_search.ts";
import { type ListReads, prepareReads } from "../../lists/list.ts";
import { foundCases } from "../../sales/cases/global_search.ts";
import { foundLeads } from "../../sales/leads/global_search.ts";
import { parseOpened, type RecentType, recentTypes, selectOpened } from "./note_opened.ts";

const kinds: Readonly<Record<RecentType, FoundKind>> = {
  account: foundAccounts,
  contact: foundContacts,
  case: foundCases,
  lead: foundLeads,
};

/** Returns the records in the order in which they were opened, the latest first. */
export async function listRecent(ctx: Context) {
  const { caller, deps: { db } } = ctx;
  const reads = recentTypes.map((type) => ({ type, reads: prepareReadsOfKind(ctx, type) }));
  const [stored, ...results] = await db.read([
    sql`select ${selectOpened(sql`${caller.userId}`)} as opened`,
    ...reads.flatMap(({ reads }) => reads.statements),
  ]);
  const titles = new Map<string, string>();
  let from = 0;
  for (const { type, reads: { statements, takePage } } of reads) {
    for (const row of takePage(results.slice(from, from += statements.length)).rows) {
      const { id, title } = kinds[type].present(row, ctx);
      titles.set(`${type} ${id}`, title);
    }
  }
  return ok({
    data: parseOpened(stored!.rows[0]!.opened as string | null).flatMap(({ type, id, at }) => {
      const title = titles.get(`${type} ${id}`);
      return title === undefined ? [] : [{ type, id, title, at }];
    }),
  });
}

/** Reads those of a kind that are stored for the caller, in the scope of the caller's list. */
function prepareReadsOfKind(ctx: Context, type: RecentType): ListReads {
  const { list, request } = kinds[type];
  const { scope, fixedConditions = [] } = request(ctx);
  const { table, order, sorts } = list;
  const conditions = [testScope(scope, "r"), ...fixedConditions.map(({ test }) => test("r"))];
  const ids = sql`select r.id from json_each(${selectOpened(sql`${ctx.caller.userId}`)}) o
    join ${identifier(table)} r on r.id = o.value ->> 'id'
    where o.value ->> 'type' = ${type} and ${joinSql(conditions, " and ")}`;
  const sort = { column: sorts[order.replace(/^-/, "")]!, descending: order.startsWith("-") };
  const paging = { page: 1, per_page: 100, sort, after: null, offset: 0 };
  return prepareReads(list, { scope, fixedConditions, ids, paging, totals: [] });
}
