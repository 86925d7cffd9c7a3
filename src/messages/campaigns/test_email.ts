/**
 * Sends a test e-mail of a campaign, with the values of the first recipient that the caller sees, else with
 * examples.
 */
import { accepted } from "../../core/answer.ts";
import { conflict, type FieldError, Problem } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Filtering } from "../../customers/filter_catalogue.ts";
import { checkVisible, chooseOwner, type Owner, seesOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeTestMailLimit, makeWrittenMailLimits } from "../../identity/attempts/limits.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { makeCampaignDomain } from "../campaign_settings/derived_values.ts";
import type { UserFacts } from "../placeholders/catalogue.ts";
import { findExample } from "../placeholders/examples.ts";
import { selectTemplateById } from "../templates/queries.ts";
import { type Audience, compileAudience, limitToSeen, readAudience } from "./audience.ts";
import { checkMessage } from "./checks.ts";
import { domainMissing } from "./create.ts";
import { composeCampaignMail } from "./email.ts";
import { readRecords, selectRecordsToCompose } from "./records.ts";
import { makeLinks } from "./links.ts";
import { requireCampaign, selectCampaignById } from "./queries.ts";
import { checkReferences, readReferences, selectReferences } from "./references.ts";
import { makeAudience } from "./recipients.ts";
import { composeMessageValues, type Snapshot } from "./snapshot.ts";
import { checkFilter, composeMessageAfter, throwErrors } from "./write.ts";
import type { CampaignRow, CampaignTestBody } from "./record.ts";

/** The members of a campaign that a test needs. */
interface Tested extends Pick<CampaignRow, "id" | "type" | "subject" | "content" | "sender"> {
  readonly frame: string | null;
}

/**
 * Returns 202 with the caller's address, to which the campaign of the body is sent. `prefetched`: a row of
 * `prefetchNewAudience`.
 */
export async function testNewCampaign(
  ctx: Context,
  filtering: Filtering,
  body: CampaignTestBody,
  prefetched: Row | null,
) {
  checkType(body.type);
  const { companyId, userId } = ctx.caller;
  const owner = chooseOwner(ctx.caller, body);
  const named = {
    template_id: body.template_id ?? null,
    relations_path_id: null,
    users: "[]",
    user_id: userId,
  };
  const errors: FieldError[] = [];
  const headers: Record<string, string> = {};
  const filter = checkFilter(ctx, filtering, body.filter ?? null, errors, headers);
  const audience = prefetched &&
    makeAudience(prefetched, owner, { company_id: companyId, type: body.type, filter }, ctx);
  const test = prepareTest(ctx, filtering, audience);
  const references = selectReferences(companyId, named);
  const [facts, sender, template, ...results] = await ctx.deps.db.read([
    selectOwnerFacts(companyId, owner),
    selectSender(companyId, sql`${userId}`),
    selectTemplateById(companyId, named.template_id ?? 0),
    ...references,
    ...test.reads,
  ]);
  checkVisible(ctx.caller, owner, facts!.rows[0]!);
  const message = await composeMessageAfter(
    { subject: null, content: null, sender: null },
    body.message,
    errors,
  );
  const draft = {
    ...message,
    type: body.type,
    approved: false,
    template_id: named.template_id,
    relations_path_id: null,
    task: null,
  };
  checkMessage(draft, () => true, errors);
  checkReferences(ctx.caller, draft, owner, readReferences(results), errors);
  throwErrors(errors);
  const row = sender!.rows[0]!;
  const frame = (template!.rows[0]?.content ?? null) as string | null;
  const tested: Tested = { id: makeId(ctx.now), ...draft, frame };
  const reads = results.slice(references.length);
  return { ...await sendTest(ctx, test.attempts, row, String(row.email), tested, reads), headers };
}

/**
 * Returns 202 with the address, to which the stored campaign is sent. `prefetched`: the row of `prefetchAudience`, null
 * for a campaign of another company.
 */
export async function testCampaign(
  ctx: Context,
  filtering: Filtering,
  id: string,
  to: string,
  prefetched: Row | null,
) {
  const { companyId } = ctx.caller;
  const selected = prefetched as Row & Pick<CampaignRow, "company_id" | "type" | "filter"> | null;
  const test = prepareTest(ctx, filtering, selected && readAudience(selected, selected, ctx));
  const [found, sender, template, ...results] = await ctx.deps.db.read([
    selectCampaignById(companyId, id),
    selectSender(companyId, sql`(select user_id from campaigns where id = ${id})`),
    sql`select content, team_id, group_id, kept_for from templates where company_id = ${companyId}
      and id = (select template_id from campaigns where id = ${id})`,
    ...test.reads,
  ]);
  const campaign = requireCampaign(ctx.caller, found!);
  checkType(campaign.type);
  const shown = template!.rows[0] as Row & Owner & { content: string } | undefined;
  const frame = shown && seesOwner(ctx.caller, shown) ? shown.content : null;
  return await sendTest(ctx, test.attempts, sender!.rows[0]!, to, { ...campaign, frame }, results);
}

function checkType(type: CampaignRow["type"]): void {
  if (type === "email") return;
  throw conflict("campaign_state", "Only a campaign by e-mail can be tested.");
}

/** Reads the sender of a campaign: its user (SQL of the id) and the domain. */
function selectSender(companyId: number, userId: Sql): Statement {
  return sql`select w.first_name, w.last_name, w.email, w.phone_number, w.signature_email, s.domain, s.domain_slug
    from users w left join campaign_settings s on s.company_id = w.company_id
    where w.id = ${userId} and w.company_id = ${companyId}`;
}

/** Returns the limit of test mails, and the reads of the limit and of the first recipient, for `sendTest`. */
function prepareTest(ctx: Context, { contributions }: Filtering, audience: Audience | null) {
  const { companyId, userId } = ctx.caller;
  const attempts = new Attempts(ctx, [makeTestMailLimit(userId), ...makeWrittenMailLimits(ctx)]);
  const records = selectRecordsToCompose(
    selectFirst(audience && limitToSeen(ctx.caller, audience), contributions),
    sql`${companyId}`,
  );
  return { attempts, reads: [attempts.read, ...records] };
}

/**
 * Commits the test mail. `sender`: a row of `selectSender`; `[sent, ...records]`: the results of the reads of
 * `prepareTest`.
 */
async function sendTest(
  ctx: Context,
  attempts: Attempts,
  sender: Row,
  to: string,
  campaign: Tested,
  [sent, ...records]: readonly Result[],
) {
  const { deps, caller: { companyId } } = ctx;
  const domain = makeCampaignDomain(
    deps,
    sender as Row & { domain: string | null; domain_slug: string | null },
  );
  if (domain === null) throw domainMissing();
  const { first_name, last_name, email, phone_number, signature_email } = sender as Row & UserFacts;
  const snapshot: Snapshot = {
    subject: campaign.subject,
    content: campaign.content ?? "",
    frame: campaign.frame,
    margins: { margin_top: null, margin_right: null, margin_bottom: null, margin_left: null },
    sender: { name: campaign.sender ?? "", address: `no-reply@${domain}` },
    user: { first_name, last_name, email, phone_number, signature_email },
  };
  attempts.check(sent!);
  const { contacts, of } = readRecords(records, snapshot);
  const linked = { id: campaign.id, company_id: companyId, origin: ctx.origin, custom_url: null };
  const { text: unsubscribe_url, oneClick } = makeLinks(deps, linked, null);
  const contact = [...contacts.values()][0] ?? null;
  const found = composeMessageValues(
    snapshot,
    { ...of(contact, ctx.now), unsubscribe_url },
    ctx.fields.seen,
    "email",
  );
  const shown = contact ? found : Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name, findExample(name, ctx.fields.seen) ?? value]),
  );
  const values = { ...shown, unsubscribe_url };
  return await commit(ctx, {
    statements: [attempts.guard, attempts.count],
    mails: [{ ...await composeCampaignMail(snapshot, values, { to, oneClick }), lane: "correspondence" }],
    answer: accepted({ email: to }),
  });
}

/** SQL: the id of the first recipient; null when the filter names a field that was deleted. */
function selectFirst(audience: Audience | null, contributions: Filtering["contributions"]): Sql {
  if (audience === null) return sql`select null`;
  try {
    const { consented, hasAddress, bounced, rows } = compileAudience(audience, contributions);
    return sql`select y.id from ${rows()} and ${consented("y")} and ${hasAddress("y")}
      and not ${bounced("y")}
      order by y.created_at, y.id limit 1`;
  } catch (error) {
    if (error instanceof Problem) return sql`select null`;
    throw error;
  }
}
