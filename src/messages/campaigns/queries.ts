/** Reads of campaigns. */
import { limitToTeams } from "../../identity/teams/list_conditions.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Caller } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { identifier, joinSql, selectColumns, type Sql, sql } from "../../db/statements.ts";
import { factsOfOwner, type Owner, ownerScope, seesOwner } from "../../identity/owners.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import { columnIn, columnIs } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { searchSelection } from "../../lists/search.ts";
import { selectTotal } from "../../lists/totals.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type CampaignFacts, presentFullCampaign } from "./present.ts";
import { type CampaignListQuery, campaignSorts } from "./schema.ts";
import { type CampaignRow, campaigns } from "./record.ts";

const listed: readonly (keyof CampaignRow)[] = [
  "id",
  "company_id",
  "team_id",
  "group_id",
  "user_id",
  "type",
  "status",
  "stopped_reason",
  "name",
  "description",
  "subject",
  "sender",
  "template_id",
  "filter",
  "send_at",
  "task",
  "relations_path_id",
  "sent_at",
  "total_sent",
  "created_at",
  "updated_at",
];

/** SQL: the JSON of the users (a JSON list of ids), as answers show them. */
export function selectUsersJson(ids: Sql): Sql {
  return sql`(select json_group_array(json_object('id', u.id, 'name', trim(u.first_name || ' ' || u.last_name))
    order by d.key) from json_each(${ids}) d join users u on u.id = d.value)`;
}

/** SQL: a template as answers of campaigns show it. */
export function selectTemplateJson(companyId: Sql, id: Sql): Sql {
  return sql`(select json_object('id', t.id, 'type', t.type, 'company_id', t.company_id, 'title', t.title,
    'user_id', t.user_id) from templates t where t.id = ${id} and t.company_id = ${companyId})`;
}

/** SQL: a user's name. */
export function selectNameOfUser(id: Sql): Sql {
  return sql`(select trim(u.first_name || ' ' || u.last_name) from users u where u.id = ${id})`;
}

/** SQL: the data of other records that an alias `o` of campaigns shows. */
const shown = sql`${selectNameOfUser(sql`o.user_id`)} as user_name,
  ${selectTemplateJson(sql`o.company_id`, sql`o.template_id`)} as template,
  iif(o.task is null, null, ${selectUsersJson(sql`o.task -> '$.distribute_users'`)}) as users`;

export const campaignList: List = {
  table: "campaigns",
  alias: "o",
  columns: sql`${joinSql(listed.map((name) => identifier("o", name)), ", ")}, ${shown}`,
  sorts: campaignSorts,
  order: "-created_at",
  isCounted: true,
};

/** A page of the campaigns that the caller sees, and their number. */
export function listCampaigns(
  ctx: Context,
  query: CampaignListQuery,
  paging: Paging,
): Promise<ListPage> {
  const scope = ownerScope(ctx.caller);
  const owners = scope.streams?.flatMap(({ values }) => values.map(String)) ??
    null;
  const words = searchSelection(
    "campaigns_search",
    searchScope(ctx.caller.companyId),
    query.search,
  );
  const types = query.types ?? query.type;
  return readList(ctx, campaignList, {
    scope,
    paging,
    selection: {
      conditions: [
        ...(query.status ? [columnIs("status", query.status, 0.3)] : []),
        ...(types ? [columnIn("type", types, 0.3)] : []),
        ...(query.teams ? [limitToTeams(query.teams)] : []),
        ...words.conditions,
      ],
      paths: words.paths,
    },
    // The counters have the owner in their column `status`.
    totals: [selectTotal("campaigns", makeCompanyScope(ctx.caller), owners)],
  });
}

/** A campaign as it was read, with the facts of its owner. */
export type CampaignRecord =
  & CampaignFacts
  & Pick<CampaignRow, "seq" | "stage" | "snapshot" | "version">
  & Row;

/** Reads a campaign of the company for `requireCampaign`. */
export function selectCampaignById(companyId: number, id: string): Statement {
  return sql`select ${selectColumns(campaigns, "o")}, ${shown}, ${factsOfOwner} from campaigns o
    where o.id = ${id} and o.company_id = ${companyId}`;
}

/** Returns the campaign; 404 when the caller does not see it. */
export function requireCampaign(caller: Caller, found: Result): CampaignRecord {
  const campaign = found.rows[0] as CampaignRecord | undefined;
  if (!campaign || !seesOwner(caller, campaign as Owner)) throw notFound();
  return campaign;
}

export async function getCampaign(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([
    selectCampaignById(ctx.caller.companyId, id),
  ]);
  return ok(presentFullCampaign(ctx.deps, requireCampaign(ctx.caller, found!)));
}
