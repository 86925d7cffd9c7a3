/** Sends an e-mail of a campaign to somebody who tries it out, with the values of the first recipient. */
import { accepted } from "../../core/answer.ts";
import { conflict, type FieldError, Problem } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { object } from "../../core/json.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Filtering } from "../../customers/saved_filters/run.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { testMailLimit } from "../../identity/attempts/limits.ts";
import type { Owner } from "../../identity/owners.ts";
import type { Row } from "../../platform/database/database.ts";
import { checkOwner, ownerFacts, ownerOfNew } from "../belonging.ts";
import { domainOf } from "../campaign_settings/derived.ts";
import type { UserFacts } from "../placeholders/catalogue.ts";
import { templateById } from "../templates/queries.ts";
import { type Audience, audienceColumns, audienceOf, audienceSql } from "./audience.ts";
import { checkMessage } from "./checks.ts";
import { domainMissing } from "./create.ts";
import { mailOf } from "./email.ts";
import { recordsOf, recordsRead } from "./facts.ts";
import { linksOf } from "./links.ts";
import { campaignById, seenCampaign } from "./queries.ts";
import { checkReferences, referencesOf, referencesRead } from "./references.ts";
import type { CampaignBody } from "./schema.ts";
import { messageValues, type Snapshot } from "./snapshot.ts";
import type { CampaignRow } from "./table.ts";
import { filterOf, messageAfter, throwErrors } from "./write.ts";

/** What a test needs of a campaign. */
interface Tested extends Pick<CampaignRow, "id" | "type" | "subject" | "content" | "sender"> {
  readonly frame: string | null;
  readonly audience: Audience | null;
}

/** Returns 202 with the caller's address, to which the campaign of the body is sent. */
export async function testNewCampaign(ctx: Context, filtering: Filtering, body: CampaignBody) {
  checkType(body.type);
  const { companyId, userId } = ctx.caller;
  const owner = ownerOfNew(ctx.caller, body);
  const named = {
    template_id: body.template_id ?? null,
    relations_path_id: null,
    users: "[]",
    user_id: userId,
  };
  const [facts, settings, template, ...results] = await ctx.deps.db.read([
    ownerFacts(companyId, owner),
    senderRead(ctx, ownedBy(owner, companyId, userId)),
    templateById(companyId, named.template_id ?? 0),
    ...referencesRead(companyId, named),
  ]);
  checkOwner(ctx.caller, owner, facts!.rows[0]!);
  const errors: FieldError[] = [];
  const filter = filterOf(ctx, filtering, body.filter ?? null, errors);
  const message = messageAfter({ subject: null, content: null, sender: null }, body.message, errors);
  const draft = {
    type: body.type,
    name: body.name,
    description: null,
    approved: false,
    ...message,
    template_id: named.template_id,
    relations_path_id: null,
    filter,
    send_at: null,
    task: null,
  };
  checkMessage(draft, () => true, errors);
  checkReferences(ctx.caller, draft, owner, referencesOf(results), errors);
  throwErrors(errors);
  const row = settings!.rows[0]!;
  return await sendTest(ctx, filtering, row, String(row.email), {
    id: newId(ctx.now),
    ...draft,
    frame: (template!.rows[0]?.content ?? null) as string | null,
    audience: audienceOf(row, { company_id: companyId, type: body.type, filter }, ctx),
  });
}

/** Returns 202 with the address, to which the stored campaign is sent. */
export async function testCampaign(ctx: Context, filtering: Filtering, id: string, to: string) {
  const { companyId } = ctx.caller;
  const [found, settings, template] = await ctx.deps.db.read([
    campaignById(companyId, id),
    senderRead(ctx, sql`campaigns`, id),
    sql`select content from templates where company_id = ${companyId}
      and id = (select template_id from campaigns where id = ${id})`,
  ]);
  const campaign = seenCampaign(ctx.caller, found!);
  checkType(campaign.type);
  const row = settings!.rows[0]!;
  return await sendTest(ctx, filtering, row, to, {
    ...campaign,
    frame: (template!.rows[0]?.content ?? null) as string | null,
    audience: audienceOf(row, campaign, ctx),
  });
}

function checkType(type: CampaignRow["type"]): void {
  if (type === "email") return;
  throw conflict("campaign_state", "Only a campaign by e-mail can be tested.");
}

/** SQL: a campaign that is not stored, with its owner and user. */
function ownedBy({ team_id, group_id }: Owner, companyId: number, userId: number): Sql {
  return sql`(select null as id, ${companyId} as company_id, ${team_id} as team_id, ${group_id} as group_id,
    ${userId} as user_id)`;
}

/** Reads the sender of a campaign: its user, the domain, and what its recipients are selected by. */
function senderRead({ caller }: Context, from: Sql, id: string | null = null) {
  return sql`select ${audienceColumns}, w.first_name, w.last_name, w.email, w.phone_number, w.signature_email,
    s.domain, s.domain_slug from ${from} o join users w on w.id = o.user_id
    left join campaign_settings s on s.company_id = o.company_id
    where o.id is ${id} and o.company_id = ${caller.companyId}`;
}

async function sendTest(ctx: Context, { contributions }: Filtering, row: Row, to: string, campaign: Tested) {
  const { deps, caller: { companyId, userId } } = ctx;
  const settings = row as Row & { domain: string | null; domain_slug: string | null };
  const domain = domainOf(deps, settings);
  if (domain === null) throw domainMissing();
  const { first_name, last_name, email, phone_number, signature_email } = row as Row & UserFacts;
  const snapshot: Snapshot = {
    subject: campaign.subject,
    content: campaign.content ?? "",
    frame: campaign.frame,
    margins: { margin_top: null, margin_right: null, margin_bottom: null, margin_left: null },
    sender: { name: campaign.sender ?? "", address: `no-reply@${domain}` },
    user: { first_name, last_name, email, phone_number, signature_email },
  };
  const attempts = new Attempts(ctx, [testMailLimit(userId)]);
  const [sent, ...found] = await deps.db.read([
    attempts.read,
    ...recordsRead(firstOf(campaign.audience, contributions), sql`${companyId}`),
  ]);
  attempts.check(sent!);
  const { contacts, of } = recordsOf(found, snapshot);
  const linked = { id: campaign.id, company_id: companyId, origin: ctx.origin, custom_url: null };
  const { text: unsubscribe_url, oneClick } = linksOf(deps, linked, null);
  const about = { ...of([...contacts.values()][0] ?? null, ctx.now), unsubscribe_url };
  const values = { ...messageValues(snapshot, about, ctx.fields.seen, "email"), unsubscribe_url };
  return await commit(ctx, {
    statements: [attempts.guard, attempts.count],
    mails: [mailOf(snapshot, values, { to, oneClick })],
    answer: accepted(object({ email: to })),
  });
}

/** SQL: the id of the first recipient; none when the filter names a field that is gone. */
function firstOf(audience: Audience | null, contributions: Filtering["contributions"]): Sql {
  if (audience === null) return sql`select null`;
  try {
    const { consented, hasAddress, rows } = audienceSql(audience, contributions);
    return sql`select y.id from ${rows()} and ${consented("y")} and ${hasAddress("y")}
      order by y.created_at, y.id limit 1`;
  } catch (error) {
    if (error instanceof Problem) return sql`select null`;
    throw error;
  }
}
