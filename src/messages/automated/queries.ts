/** Reads of automated communications. */
import type { Caller } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { composeJsonMembers, selectColumns, sql } from "../../db/statements.ts";
import { factsOfOwner, ownerScope, seesOwner } from "../../identity/owners.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type AutomatedRecord, presentAutomated, readAutomatedRow } from "./present.ts";
import { automatedSorts } from "./schema.ts";
import { automatedCommunications } from "./table.ts";

const members = ["id", "name", "delay_days", "offset_from_midnight", "template_id", "subject", "content"];

const communicationsJson = sql`(select json_group_array(json_object(${composeJsonMembers(members, "m")},
    'attachments', (select json_group_array(a.value order by a.key) from json_each(m.attachments) a
      where exists (select 1 from files f where f.id = a.value)) || '', 'chosen_by', m.chosen_by || '') order by m.position)
  from automated_messages m where m.definition_id = o.id)`;

const automatedColumns = sql`${selectColumns(automatedCommunications, "o")},
  ${communicationsJson} as communications`;

export const automatedList: List = {
  table: "automated_communications",
  alias: "o",
  columns: automatedColumns,
  sorts: automatedSorts,
  order: "-created_at",
  isCounted: true,
};

/** Returns a page of the automated communications that the caller sees, and their number. */
export function listAutomated(ctx: Context, paging: Paging): Promise<ListPage> {
  const scope = ownerScope(ctx.caller);
  const owners = scope.streams?.flatMap(({ values }) => values.map(String)) ?? null;
  return readList(ctx, automatedList, {
    scope,
    paging,
    // The counters have the owner in their column `status`.
    totals: [selectTotal("automated_communications", makeCompanyScope(ctx.caller), owners)],
  });
}

/** Reads an automated communication of the company for `requireAutomated`, with the facts of its owner. */
export function selectAutomated(companyId: number, id: string): Statement {
  return sql`select ${automatedColumns}, ${factsOfOwner} from automated_communications o
    where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the automated communication; throws 404 when the caller does not see it. */
export function requireAutomated(caller: Caller, found: Result): AutomatedRecord & Row {
  const row = found.rows[0];
  if (!row) throw notFound();
  const { owner: _owner, ...columns } = row;
  const record = readAutomatedRow(columns) as AutomatedRecord & Row;
  if (!seesOwner(caller, record)) throw notFound();
  return record;
}

export async function getAutomated(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectAutomated(ctx.caller.companyId, id)]);
  return ok(presentAutomated(requireAutomated(ctx.caller, found!)));
}
