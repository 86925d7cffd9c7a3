/** Sends the messages of a lot, one after the other, and records each at once. */
import { nextAttempt } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import { refuseAddress } from "../../customers/refusals/refusals.ts";
import type { Deps } from "../../deps.ts";
import { type Attempted, type Once, recordPatiently } from "../../staged/worker_pool.ts";
import type { Statement } from "../../platform/database/database.ts";
import { MailFailed } from "../../platform/mail/mail.ts";
import { type ClaimedMessage, leaseMs, type Lot, skip, standing, untouched } from "./claim.ts";
import { type CampaignFacts, campaignFacts, factsRead } from "./records.ts";
import { openedPicture } from "../opened_picture.ts";
import { bounceAddress } from "../return_address.ts";
import { linksOf } from "./links.ts";
import { stopUnpermitted } from "./stop_unpermitted.ts";
import { TooLong } from "../placeholders/render.ts";
import { mailOf } from "./email.ts";
import { type MessageValues, messageValues } from "./snapshot.ts";

/** Characters of an error that are kept. */
const errorLength = 500;
/** Consecutive failures of the mail server after which a sender ends. */
const mostFailures = 3;

/** Milliseconds of a lease that are kept for the last attempt. */
const attemptMs = 60_000;

/** How messages are sent once: see `WorkerPool`. */
export const lotsOnce: Once<Lot> = {
  beginWithin: leaseMs - attemptMs,
  keysOf: ({ messages }) => messages.map(({ id }) => `campaign message ${id}`),
  giveBack: ({ messages }, due) => messages.map((message) => giveBack(message, due)),
};

/** Never throws for a message that cannot be sent: a failure is a result. `pace` waits before each message. */
export async function sendLot(
  deps: Deps,
  lot: Lot,
  { now, isHeld }: { readonly now: () => number; readonly isHeld: () => boolean },
  pace: (index: number) => Promise<void>,
): Promise<Attempted> {
  const { campaign_id: id, messages } = lot;
  const contactIds = JSON.stringify(messages.map(({ contact_id }) => contact_id));
  const facts = campaignFacts(await deps.db.read(factsRead(id, contactIds)));
  if (!facts.maySend) {
    await stopUnpermitted(deps, facts.campaign, now());
    return { serverFailed: false, recording: [] };
  }
  let recording: Statement[] = [];
  let failures = 0;
  for (const [index, message] of messages.entries()) {
    await pace(index);
    if (deps.stopping?.aborted || !isHeld()) {
      return { serverFailed: false, recording: messages.slice(index).map((one) => giveBack(one)) };
    }
    const [current] = await deps.db.read([standing("email", id, message)]);
    const { stage, is_wanted, is_bounced } = current!.rows[0]!;
    // The campaign was stopped.
    if (stage !== "sending") break;
    const against = is_wanted !== 1 ? "no_consent" : is_bounced === 1 ? "bounced" : null;
    const result = against === null
      ? await sendOne(deps, facts, message, now)
      : { serverFailed: false, recording: [skip(message, against, now())] };
    failures = result.serverFailed ? failures + 1 : 0;
    if (failures === mostFailures) {
      const rest = messages.slice(index + 1);
      return { serverFailed: true, recording: [...result.recording, ...rest.map((one) => giveBack(one))] };
    }
    // The last result is recorded with the next claim.
    if (index === messages.length - 1) recording = [...result.recording];
    else await recordPatiently(deps, result.recording);
  }
  return { serverFailed: false, recording };
}

async function sendOne(
  deps: Deps,
  facts: CampaignFacts,
  message: ClaimedMessage,
  now: () => number,
): Promise<Attempted> {
  const contact = facts.contacts.get(message.contact_id)!;
  const { campaign } = facts;
  const logged = { campaign: campaign.id, message: message.id, attempt: message.attempts };
  try {
    const { text: unsubscribe_url, oneClick } = linksOf(deps, campaign, {
      contactId: contact.id,
      email: message.email,
    });
    const records = { ...facts.of(contact, now()), unsubscribe_url };
    const values = { ...messageValues(facts.snapshot, records, facts.fields, "email"), unsubscribe_url };
    const about = { kind: "campaign_message", id: String(message.id) } as const;
    const picture = campaign.tracks === 1 && campaign.origin !== null
      ? openedPicture(deps.secretsKey, campaign.origin, about)
      : "";
    const mail = await mailOf(facts.snapshot, values, { to: message.email, oneClick, picture });
    const sent = await deps.mailer.send({
      ...mail,
      ...bounceAddress(deps, about),
      id: `campaign-${campaign.id}-${message.id}`,
      at: parseTimestamp(campaign.send_at ?? "") ?? now(),
      isBulk: true,
    });
    if (sent === "kept") throw new MailFailed("There is no mail server.", "refused");
    return { serverFailed: false, recording: recordSent(message, facts, mail.subject, values, now()) };
  } catch (error) {
    const failure = error instanceof MailFailed
      ? error.failure
      : error instanceof TooLong
      ? "refused"
      : "deferred";
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
    const due = failure === "refused" ? null : nextAttempt(message.attempts, now());
    deps.log.error({ event: due === null ? "mail_failed" : "mail_delayed", ...logged, error: reason });
    const recording = due === null
      ? sql`update campaign_messages set status = 'failed', error = ${reason},
          updated_at = ${formatTimestamp(now())} where ${untouched(message)}`
      : sql`update campaign_messages set due_at = ${due}, error = ${reason} where ${untouched(message)}`;
    const { company_id } = campaign;
    const bounce = error instanceof MailFailed && error.isForRecipient
      ? [refuseAddress(deps, { company_id, email: message.email }, "bounced", formatTimestamp(now()))]
      : [];
    return { serverFailed: failure === "server", recording: [recording, ...bounce] };
  }
}

/** Records a sent message. Counts it once, even if two senders have sent it. */
function recordSent(
  message: ClaimedMessage,
  { campaign, snapshot }: CampaignFacts,
  subject: string,
  values: MessageValues,
  now: number,
): Statement[] {
  const at = formatTimestamp(now);
  return [
    sql`update campaign_messages set status = 'sent', error = ${
      snapshot.left_out ?? null
    }, sent_at = ${at}, updated_at = ${at},
      subject = ${subject}, "values" = ${JSON.stringify(values)} where ${untouched(message)}`,
    sql`update campaigns set total_sent = total_sent + changes() where id = ${campaign.id}`,
  ];
}

/** Makes a message that was not tried due at once, and does not count the attempt. */
function giveBack(message: ClaimedMessage, due = 0): Statement {
  return sql`update campaign_messages set due_at = ${due}, attempts = attempts - 1 where ${
    untouched(message)
  }`;
}
