/** Reads the messages of campaigns. */
import { isAdmin, seesTeam } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeOwnerScope } from "../../db/scope.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import { columnIs, type ListCondition, makeTestCondition } from "../../lists/conditions.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { selectOwnedTotal } from "../../lists/totals.ts";
import type { Row } from "../../platform/database/database.ts";
import { isHidden, listNamesOfTexts } from "../placeholders/kept_values.ts";
import { composeEmail } from "./email.ts";
import { requireCampaign, selectCampaignById } from "./queries.ts";
import { type CampaignMessageQuery, messageSorts } from "./schema.ts";
import { composeMessage, type MessageValues, type Snapshot } from "./snapshot.ts";
import { type CampaignMessageRow, campaignMessageStatuses } from "./table.ts";
import type { CampaignRow } from "./record.ts";

const columns = [
  "id",
  "campaign_id",
  "contact_id",
  "status",
  "subject",
  "email",
  "sent_at",
  "error",
  "opened_at",
  "created_at",
  "updated_at",
] as const;

type ListedMessage = Pick<CampaignMessageRow, typeof columns[number]>;

/** With the values, from which the subject is filled for its reader. */
type ReadMessage = ListedMessage & Pick<CampaignMessageRow, "values">;

export const messageList: List = {
  table: "campaign_messages",
  alias: "m",
  columns: sql`${joinSql(columns.map((name) => identifier("m", name)), ", ")}, m."values"`,
  sorts: messageSorts,
  order: "id",
};

/**
 * Returns a page of the messages of a campaign to contacts that the caller sees. Throws 404 for a campaign
 * that the caller does not see.
 */
export async function listMessages(
  ctx: Context,
  id: string,
  query: CampaignMessageQuery,
  paging: Paging,
): Promise<ListPage> {
  const found = await readList(ctx, messageList, {
    scope: makeOwnerScope(ctx.caller, "campaign_id", id),
    paging,
    fixedConditions: [
      ...limitToSeenMessages(ctx),
      ...(query.status ? [columnIs("status", query.status, 0.2)] : []),
    ],
    // The counters have the campaign with the status in their column `status`.
    totals: [
      selectOwnedTotal(
        "campaign_messages",
        ctx.caller.companyId,
        (query.status ? [query.status] : campaignMessageStatuses).map((status) => `${id} ${status}`),
        isAdmin(ctx.caller) ? null : [0, ...ctx.caller.visibleTeamIds],
      ),
    ],
    extraReads: [selectCampaignById(ctx.caller.companyId, id)],
  });
  const campaign = requireCampaign(ctx.caller, found.extraResults[0]!);
  return { ...found, rows: await Promise.all(found.rows.map((row) => presentTo(ctx, campaign, row))) };
}

/**
 * Returns the message with the subject that the caller may see. The stored one is as it was sent: most readers
 * see it.
 */
async function presentTo(ctx: Context, { type, snapshot }: Sent, row: Row): Promise<Row> {
  const { subject, values } = row as Row & ReadMessage;
  if (type !== "email" || snapshot === null || !subject || !values?.includes('"scope"')) return row;
  const [{ subject: text }, own] = [JSON.parse(snapshot) as Snapshot, JSON.parse(values) as MessageValues];
  if (![...listNamesOfTexts([text])].some((name) => isHidden(own[name], ctx.caller))) return row;
  const line = { ...JSON.parse(snapshot) as Snapshot, content: "", frame: null };
  return { ...row, subject: (await composeMessage(line, own, ctx.caller)).subject };
}

type Sent = Pick<CampaignRow, "type" | "snapshot">;

/**
 * Limits messages to contacts that the caller sees, because a campaign of the company also reaches contacts
 * of other teams.
 */
function limitToSeenMessages({ caller }: Context): ListCondition[] {
  if (isAdmin(caller)) return [];
  const teams = JSON.stringify(caller.visibleTeamIds);
  return [
    makeTestCondition((own) => {
      const team = sql`+${identifier(own, "team_id")}`;
      return sql`(${team} is null or ${team} in (select value from json_each(${teams})))`;
    }, 1),
  ];
}

export function presentMessage(message: ListedMessage) {
  return pickMembers(message);
}

function pickMembers(message: ListedMessage) {
  const { id, campaign_id, contact_id, status, subject, email } = message;
  const { sent_at, error, opened_at, created_at, updated_at } = message;
  return {
    id,
    campaign_id,
    contact_id,
    status,
    subject,
    email,
    sent_at,
    error,
    opened_at,
    created_at,
    updated_at,
  };
}

/** Returns the message with its content as it was sent. */
export async function getMessage(ctx: Context, campaignId: string, id: number) {
  const [found, messages] = await ctx.deps.db.read([
    selectCampaignById(ctx.caller.companyId, campaignId),
    sql`select ${messageList.columns}, m.team_id from campaign_messages m
      where m.id = ${id} and m.campaign_id = ${campaignId}`,
  ]);
  const campaign = requireCampaign(ctx.caller, found!);
  const message = messages!.rows[0] as Row & CampaignMessageRow | undefined;
  if (!message || !seesTeam(ctx.caller, message.team_id)) throw notFound();
  const shown = await presentTo(ctx, campaign, message) as Row & CampaignMessageRow;
  return ok({ ...pickMembers(shown), content: await composeContent(ctx, campaign, message.values) });
}

async function composeContent({ caller }: Context, { type, snapshot }: Sent, values: string | null) {
  if (snapshot === null || values === null) return null;
  const [shared, own] = [JSON.parse(snapshot) as Snapshot, JSON.parse(values) as MessageValues];
  return (await (type === "email" ? composeEmail : composeMessage)(shared, own, caller)).html;
}
