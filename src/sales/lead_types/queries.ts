/** Reads of lead types. */
import { z } from "zod";
import { type Caller, isAdmin, listOwnTeams, seesOwned } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { foldText } from "../../core/text.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type List, readList } from "../../lists/list.ts";
import { selectTotal } from "../../lists/totals.ts";
import { makeCompanyScope, type Scope } from "../../db/scope.ts";
import { composeRowMembers, selectColumns, type Sql, sql } from "../../db/statements.ts";
import { describePage, type ListQuery, page, paging, parsePaging, sorting } from "../../http/lists.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { checkMayWritePath } from "../relations_paths/ownership.ts";
import { pathJson } from "../relations_paths/queries.ts";
import { LeadType, type LeadTypeRecord, type LeadTypeRow, leadTypes, presentLeadType } from "./record.ts";

const pathsJson = sql`(select json_group_array(${pathJson} order by e.key)
  from json_each(lt.relations_path_ids) e join relations_paths p on p.id = e.value)`;

const leadTypeObject = sql`json_object(${composeRowMembers(leadTypes, "lt")}, 'relations_paths',
  json(${pathsJson}))`;

/** SQL: the lead type of an id (SQL) as JSON for `parseLeadType`. */
export function selectLeadTypeJson(id: Sql): Sql {
  return sql`(select ${leadTypeObject} from lead_types lt where lt.id = ${id})`;
}

/** SQL: the same without the paths, as if the type had none. */
export function selectBriefLeadTypeJson(id: Sql): Sql {
  return sql`(select json_object(${composeRowMembers(leadTypes, "lt")}, 'relations_paths', json('[]'))
    from lead_types lt where lt.id = ${id})`;
}

const rowColumns = sql`${selectColumns(leadTypes, "lt")}, ${pathsJson} as relations_paths`;

const leadTypeList: List = {
  table: "lead_types",
  alias: "lt",
  columns: rowColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

export const LeadTypePage = describePage(LeadType, "LeadTypePage");
export const LeadTypeListQuery = z.object({ ...paging, ...sorting(leadTypeList.sorts) });

/** Reads a row of `selectLeadTypeById`. */
function readLeadTypeRow(row: Row): LeadTypeRecord {
  return {
    ...row,
    escalation_user_ids: JSON.parse(row.escalation_user_ids as string),
    team_settings: JSON.parse(row.team_settings as string),
    relations_paths: JSON.parse(row.relations_paths as string),
  } as LeadTypeRecord;
}

/** Reads the JSON of `selectLeadTypeJson`. */
export function parseLeadType(text: string): LeadTypeRecord {
  const row = JSON.parse(text) as LeadTypeRow & Pick<LeadTypeRecord, "relations_paths">;
  return {
    ...row,
    escalation_user_ids: JSON.parse(row.escalation_user_ids),
    team_settings: JSON.parse(row.team_settings),
  };
}

/** Reads a lead type of the company for `readLeadTypeRow`, without a check of visibility. */
export function selectLeadTypeById(id: string, companyId: number): Statement {
  return sql`select ${rowColumns} from lead_types lt where lt.id = ${id} and lt.company_id = ${companyId}`;
}

/** Reads the lead types of the ids or names, without case, as JSON for `parseLeadType`: the oldest first. */
export function selectNamedLeadTypes(companyId: number, texts: readonly string[]): Statement {
  const among = (values: readonly string[]) =>
    sql`(select value from json_each(${JSON.stringify([...new Set(values)])}))`;
  const ids = texts.map((text) => text.toLowerCase());
  return sql`select ${leadTypeObject} as type_json from lead_types lt where lt.company_id = ${companyId}
    and (lt.id in ${among(ids)} or ${composeCaseFold("lt", "name")} in ${among(texts.map(foldText))})
    order by lt.created_at, lt.id`;
}

/**
 * Reads the results of `selectLeadTypeById` and `selectPathWriteFacts`. Throws 404 when the caller does not see the type, 403
 * when the caller may not change it.
 */
export function requireLeadTypeToWrite(caller: Caller, found: Result, facts: Result): LeadTypeRecord {
  const row = found.rows[0];
  const type = row ? readLeadTypeRow(row) : null;
  if (!type || !seesOwned(caller, type)) throw notFound();
  checkMayWritePath(
    caller,
    { team_id: type.team_id, group_id: null, kept_for: type.kept_for },
    facts.rows[0]!,
  );
  return type;
}

export async function getLeadType(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectLeadTypeById(id, ctx.caller.companyId)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const type = readLeadTypeRow(row);
  if (!seesOwned(ctx.caller, type)) throw notFound();
  return ok(presentLeadType(type));
}

export async function listLeadTypes(ctx: Context, query: ListQuery, url: string) {
  const asked = parsePaging(query, leadTypeList);
  const { rows, total } = await readList(ctx, leadTypeList, {
    scope: typeScope(ctx.caller),
    paging: asked,
    totals: selectTypeTotals(ctx.caller),
  });
  return page(
    { url, ctx },
    asked,
    rows,
    total,
    (row) => presentLeadType(readLeadTypeRow(row)),
  );
}

/**
 * The totals of `typeScope`. The counters know teams alone, so the few kept types are counted. None is in both: they
 * name a deleted team, to which nobody belongs.
 */
function selectTypeTotals(caller: Caller): Statement[] {
  const owned = selectTotal("lead_types", makeOwnedScope(caller));
  if (isAdmin(caller)) return [owned];
  const kept = sql`select count(*) as n from lead_types lt
    where lt.company_id = ${caller.companyId} and lt.kept_for = ${caller.userId}`;
  return [owned, kept];
}

/** The scope of `seesOwned`: types of the company and of own teams, and those that are kept for the caller. */
function typeScope(caller: Caller): Scope {
  const { companyId, streams } = makeOwnedScope(caller);
  return {
    companyId,
    streams: streams && [...streams, { column: "kept_for", values: [caller.userId] }],
  };
}

function makeOwnedScope(caller: Caller): Scope {
  if (isAdmin(caller)) return makeCompanyScope(caller);
  const values = [null, ...listOwnTeams(caller)];
  return { companyId: caller.companyId, streams: [{ column: "team_id", values }] };
}
