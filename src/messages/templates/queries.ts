/** Reads of templates. */
import type { Caller } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { identifier, joinSql, selectColumns, sql } from "../../db/statements.ts";
import { factsOfOwner, ownerScope, requireSeen, seesOwner } from "../../identity/owners.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { columnIs } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { searchSelection } from "../../lists/search.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { placeholders } from "../placeholders/catalogue.ts";
import { presentFullTemplate } from "./present.ts";
import { type TemplateListQuery, templateSorts } from "./schema.ts";
import { Template, type TemplateRow, templates } from "./record.ts";

export const templateList: List = {
  table: "templates",
  alias: "template",
  columns: joinSql(Object.keys(Template.shape).map((name) => identifier("template", name)), ", "),
  sorts: templateSorts,
  order: "-created_at",
  isCounted: true,
};

/** A page of the templates that the caller sees, and their number. */
export function listTemplates(ctx: Context, query: TemplateListQuery, paging: Paging): Promise<ListPage> {
  const scope = ownerScope(ctx.caller);
  const owners = scope.streams?.flatMap(({ values }) => values.map(String)) ?? null;
  const words = searchSelection("templates_search", searchScope(ctx.caller.companyId), query.search);
  return readList(ctx, templateList, {
    scope,
    paging,
    selection: {
      conditions: [
        ...(query.type ? [columnIs("type", query.type, 0.5)] : []),
        ...(query.campaign === undefined ? [] : [columnIs("campaign", query.campaign ? 1 : 0, 0.5)]),
        ...words.conditions,
      ],
      paths: words.paths,
    },
    // The counters have the owner in their column `status`.
    totals: [selectTotal("templates", makeCompanyScope(ctx.caller), owners)],
  });
}

/** Reads a template of the company for `readVisibleTemplate`, with the facts of its owner. */
export function selectTemplateById(companyId: number, id: number): Statement {
  return sql`select ${selectColumns(templates, "o")}, ${factsOfOwner} from templates o
    where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Reads the result of `selectTemplateById`; null when the template does not exist or the caller does not see it. */
export function readVisibleTemplate(caller: Caller, found: Result): TemplateRow | null {
  const template = found.rows[0] as TemplateRow & Row | undefined;
  return template && seesOwner(caller, template) ? template : null;
}

export async function getTemplate(ctx: Context, id: number) {
  const [found] = await ctx.deps.db.read([selectTemplateById(ctx.caller.companyId, id)]);
  return ok(presentFullTemplate(requireSeen<TemplateRow>(ctx.caller, found!), ctx.fields.seen));
}

/** Returns the placeholders that the caller can use. */
export function listPlaceholders(ctx: Context) {
  const all = placeholders(ctx.fields.seen);
  const data = all.map(({ name, description, types }) => ({ name, description, types }));
  return Promise.resolve(ok({ data }));
}
