/** Begins to send campaigns that are due. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { isReleased } from "../../db/hold.ts";
import { isLiveCompany } from "../../db/live_company.ts";
import { readMemberRow } from "../../db/caller_guard.ts";
import { selectColumns, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { seesOwner } from "../../identity/owners.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { beginWork } from "../../staged/work.ts";
import { makeCampaignDomain } from "../campaign_settings/derived_values.ts";
import type { UserFacts } from "../placeholders/catalogue.ts";
import { type Audience, audienceColumns, readAudience } from "./audience.ts";
import { draftNotice, maySend, selectAdmins, type Sending, sendingColumns } from "./may_send.ts";
import type { Snapshot, SnapshotMargins } from "./snapshot.ts";
import { type CampaignRow, campaigns } from "./record.ts";

/** The staged work that writes the recipients of a campaign. */
export const recipientsWorkKind = "campaign_recipients";

/** The payload of the staged work. */
export interface RecipientsProgress {
  readonly audience: Audience;
  /** The last contact that was considered: when it was created, and its id. */
  readonly after: readonly [string, string];
}

/** The error of messages that were sent without the template. */
const templateLeftOut = "The template was left out: the campaign's user may not read it any more.";

/** Campaigns that one run begins. */
const mostAtOnce = 100;

/**
 * Begins the campaigns that are due at `now` (epoch milliseconds); returns their number. Those of a deleted company
 * wait.
 */
export async function startCampaigns(deps: Deps, now: number): Promise<number> {
  const at = formatTimestamp(now);
  const [due] = await deps.db.read([
    sql`select id from campaigns indexed by campaigns_due where status = 'pending' and stage is null
      and send_at <= ${at} and ${isReleased("campaigns")} and ${isLiveCompany(sql`campaigns.company_id`)}
      order by send_at limit ${mostAtOnce} + 0`,
  ]);
  for (const { id } of due!.rows) await retrying(() => startCampaign({ deps, now, at }, String(id)));
  return due!.rows.length;
}

type Found = Sending & CampaignRow & UserFacts & SnapshotMargins & {
  readonly frame: string | null;
  readonly frame_team_id: number | null;
  readonly frame_group_id: number | null;
  readonly frame_kept_for: number | null;
  readonly domain: string | null;
  readonly domain_slug: string | null;
};

async function startCampaign(author: Author, id: string): Promise<void> {
  const [found] = await author.deps.db.read([selectCampaignToStart(id)]);
  const campaign = found!.rows[0] as Found | undefined;
  if (!campaign || campaign.status !== "pending" || campaign.stage !== null) return;
  const audience = readAudience(campaign, campaign, author);
  const domain = makeCampaignDomain(author.deps, campaign);
  if (audience === null || domain === null) {
    return await returnToDraft(author, campaign, "its user or its domain is gone");
  }
  const user = readMemberRow(audience.member);
  if (!maySend(campaign, user)) {
    return await returnToDraft(author, campaign, "its user may not send it any more");
  }
  const isFrameSeen = seesOwner(user, {
    team_id: campaign.frame_team_id,
    group_id: campaign.frame_group_id,
    kept_for: campaign.frame_kept_for,
  });
  const progress: RecipientsProgress = { audience, after: ["", ""] };
  const { company_id } = campaign;
  await commit(author, {
    companyId: company_id,
    statements: [
      ...change(
        author,
        campaign,
        sql`stage = 'recipients', snapshot = ${JSON.stringify(makeSnapshot(campaign, domain, isFrameSeen))}`,
      ),
      beginWork(author, { kind: recipientsWorkKind }, { company_id, subject: id, payload: progress }),
    ],
    answer: noContent,
  });
}

function selectCampaignToStart(id: string): Statement {
  return sql`select ${selectColumns(campaigns, "o")}, ${audienceColumns}, t.content as frame,
    t.team_id as frame_team_id,
    t.group_id as frame_group_id, t.kept_for as frame_kept_for, ${sendingColumns}, t.margin_top,
    t.margin_right, t.margin_bottom, t.margin_left, w.first_name, w.last_name, w.email, w.phone_number,
    w.signature_email, s.domain, s.domain_slug from campaigns o join users w on w.id = o.user_id
    left join templates t on t.id = o.template_id and t.company_id = o.company_id
    left join campaign_settings s on s.company_id = o.company_id where o.id = ${id}`;
}

/** `isFrameSeen`: whether the campaign's user sees the template; otherwise it is left out. */
function makeSnapshot(campaign: Found, domain: string, isFrameSeen: boolean): Snapshot {
  const { subject, content, sender } = campaign;
  const frame = isFrameSeen ? campaign.frame : null;
  const { margin_top, margin_right, margin_bottom, margin_left } = campaign;
  const { first_name, last_name, email, phone_number, signature_email } = campaign;
  return {
    subject,
    content: content ?? "",
    frame,
    margins: { margin_top, margin_right, margin_bottom, margin_left },
    left_out: campaign.frame !== null && !isFrameSeen ? templateLeftOut : null,
    sender: { name: sender ?? "", address: `no-reply@${domain}` },
    user: { first_name, last_name, email, phone_number, signature_email },
  };
}

/**
 * Makes a campaign that may not be sent a draft again, and notifies its user and the admins. `why`: the end of a
 * sentence.
 */
export async function returnToDraft(
  author: Author,
  campaign: Pick<CampaignRow, "id" | "version" | "company_id" | "user_id" | "name">,
  why: string,
): Promise<void> {
  const { company_id, user_id, name } = campaign;
  const [admins] = await author.deps.db.read([selectAdmins(company_id)]);
  const notified = draftNotice(
    user_id,
    admins!.rows,
    `The campaign ${name} waits for approval again: ${why}.`,
  );
  await commit(author, {
    companyId: company_id,
    statements: change(
      author,
      campaign,
      sql`status = 'draft', stopped_reason = ${`It waits for approval again: ${why}.`}`,
    ),
    notifications: [notified],
    answer: noContent,
  });
}

function change(
  { at }: Author,
  { id, version }: Pick<CampaignRow, "id" | "version">,
  set: Statement,
): Statement[] {
  return [
    sql`update campaigns set ${set}, updated_at = ${at}, version = version + 1
      where id = ${id} and version = ${version}`,
    guardChanged("campaign"),
  ];
}
