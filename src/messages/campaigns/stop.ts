/** Ends the sending of a campaign: messages that wait are skipped. */
import { ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { type Author, commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { beginWork, endWork } from "../../staged/work.ts";
import { draftSentNotification } from "./finish.ts";
import { presentFullCampaign } from "./present.ts";
import { requireCampaign, selectCampaignById } from "./queries.ts";
import { tasksWorkKind } from "./task_reads.ts";
import { recipientsWorkKind } from "./start.ts";
import type { CampaignRow } from "./record.ts";

const kind = "campaign_stop";

/** Messages that a step skips. */
const stepMessages = 1_000;

/** Returns the campaign, which is `sent`. Throws 409 `campaign_state` for one that is not being sent. */
export async function stopCampaign(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectCampaignById(companyId, id)]);
  const campaign = requireCampaign(ctx.caller, found!);
  checkMayWrite(ctx.caller, campaign, campaign);
  checkMatch(ctx, () => presentFullCampaign(ctx.deps, campaign));
  if (campaign.stage === null) throw conflict("campaign_state", notBeingSent(campaign));
  const sent_at = campaign.sent_at ?? ctx.at;
  const after = { ...campaign, status: "sent" as const, sent_at, updated_at: ctx.at };
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, campaign),
      ...stopStatements(ctx, campaign),
    ],
    notifications: campaign.status === "sent" ? [] : [draftSentNotification(campaign)],
    answer: ok(presentFullCampaign(ctx.deps, after)),
  });
}

/** Returns why a campaign cannot be stopped, and what takes a scheduled one back. */
function notBeingSent({ id, status }: Pick<CampaignRow, "id" | "status">): string {
  if (status === "sent") return "The campaign was sent already.";
  if (status === "draft") return "The campaign is a draft, which is not sent.";
  return "The campaign is scheduled and not being sent yet. To take it back, make it a draft: " +
    `PUT /v1/campaigns/${id} with {"approved": false}.`;
}

type Stopped = Pick<CampaignRow, "id" | "company_id" | "version" | "sent_at">;

/** Ends the sending of a campaign that is being sent. `reason`: why, as a sentence, when no user asks for it. */
export function stopStatements(
  author: Pick<Author, "deps" | "now" | "at">,
  campaign: Stopped,
  reason: string | null = null,
): Statement[] {
  return [
    ...endSending(author, campaign, reason),
    endWork(recipientsWorkKind, sql`select ${campaign.id}`),
    endWork(tasksWorkKind, sql`select ${campaign.id}`),
  ];
}

/** Ends the sending in the last step of its own work. */
export function endSending(
  author: Pick<Author, "deps" | "now" | "at">,
  { id, company_id, version, sent_at }: Stopped,
  reason: string | null,
): Statement[] {
  const { at } = author;
  return [
    sql`update campaigns set status = 'sent', stage = null, stopped_reason = ${reason},
      sent_at = ${sent_at ?? at}, updated_at = ${at},
      version = version + 1 where id = ${id} and version = ${version} and stage is not null`,
    guardChanged("campaign"),
    beginWork(author, { kind }, { company_id, subject: id }),
  ];
}

/** Ends the sending of all campaigns of `rows` (SQL over their columns), which are being sent. */
export function endAllSending({ at }: Pick<Author, "at">, rows: Sql, reason: string): Statement[] {
  const ids = sql`select id from campaigns where ${rows}`;
  return [
    sql`insert into staged_work (company_id, kind, subject, created_at)
      select company_id, ${kind}, id, ${at} from campaigns where ${rows}`,
    endWork(tasksWorkKind, ids),
    sql`update campaigns set status = 'sent', stage = null, stopped_reason = ${reason},
      sent_at = coalesce(sent_at, ${at}), updated_at = ${at}, version = version + 1 where ${rows}`,
  ];
}

/** Skips the waiting messages in steps. A message that is being sent is not interrupted. */
export const stoppingWork: StagedKind = {
  kind,
  step({ subject }, take) {
    const waiting = sql`select id from campaign_messages where campaign_id = ${subject} and status = 'pending'
      order by id`;
    const { ids, most } = take(waiting, stepMessages);
    return {
      reads: [sql`select count(*) as n from (${ids})`],
      apply: ({ at }, [counted]) => ({
        statements: [
          sql`update campaign_messages set status = 'skipped', error = 'stopped', updated_at = ${at}
            where id in (${ids})`,
        ],
        events: [],
        more: Number(counted!.rows[0]!.n) >= most,
      }),
    };
  },
};
