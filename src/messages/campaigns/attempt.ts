/** Sends a message of a campaign once. A failure is a result. */
import { planRetry, type RetryClock } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import { refuseAddress } from "../../customers/refusals/refusals.ts";
import type { Deps } from "../../deps.ts";
import { plainPace } from "../../later/line.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { giveBack, retryAt, type Rows } from "../../later/rows.ts";
import { DatabaseUnavailable, type Statement } from "../../platform/database/database.ts";
import { MailFailed } from "../../platform/mail/mail.ts";
import { pause } from "../../platform/pause.ts";
import { type ClaimedMessage, isStillClaimed, selectCurrent, skip } from "./claim.ts";
import { type SentCampaignFacts } from "./records.ts";
import { SharedFacts } from "./shared_facts.ts";
import { composeOpenedPicture } from "../opened_picture.ts";
import { composeBounceAddress } from "../return_address.ts";
import { makeLinks } from "./links.ts";
import { TooLong } from "../placeholders/render.ts";
import { composeCampaignMail } from "./email.ts";
import { composeMessageValues, type MessageValues } from "./snapshot.ts";

/** Characters of an error that are kept. */
const errorLength = 500;
/** Consecutive failures of the mail server after which a run ends. */
const mostFailures = 3;

const nothing: Attempted = { serverFailed: false, recording: [] };

/** The queue of e-mails, for one run. */
export function makeCampaignQueue(deps: Deps, rows: Rows): Queue<ClaimedMessage, Attempted> {
  const facts = new SharedFacts(deps);
  const postponeMessage = (message: ClaimedMessage, due: number): Attempted => {
    return { serverFailed: false, recording: [giveBack(rows, message, due)] };
  };
  let failures = 0;
  return {
    ...plainPace,
    prepare: (messages) => facts.prepare(messages),
    async attempt(message, moment) {
      const { now, isHeld } = moment;
      const wait = message.waitFor();
      if (wait > 0) await pause(wait, deps.stopping);
      try {
        const known = await facts.of(message);
        // The campaign was stopped.
        if (known === null) return nothing;
        if (deps.stopping?.aborted || !isHeld()) return postponeMessage(message, now());
        const [current] = await deps.db.read([selectCurrent("email", message)]);
        const { stage, is_wanted, is_bounced } = current!.rows[0]!;
        if (stage !== "sending") return nothing;
        // Its contact was merged after the claim: the next one reads the contact that the message has now.
        if (is_wanted === 1 && !known.contacts.has(message.contact_id)) {
          return postponeMessage(message, now());
        }
        const against = is_wanted !== 1 ? "no_consent" : is_bounced === 1 ? "bounced" : null;
        return against === null
          ? await sendOne({ deps, rows, facts: known }, message, moment)
          : { serverFailed: false, recording: [skip(message, against, now())] };
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        return postponeMessage(message, now());
      }
    },
    isServerDown({ serverFailed }) {
      failures = serverFailed ? failures + 1 : 0;
      return failures === mostFailures;
    },
  };
}

async function sendOne(
  { deps, rows, facts }: { readonly deps: Deps; readonly rows: Rows; readonly facts: SentCampaignFacts },
  message: ClaimedMessage,
  clock: RetryClock,
): Promise<Attempted> {
  const now = () => clock.now();
  const contact = facts.contacts.get(message.contact_id)!;
  const { campaign } = facts;
  const logged = { campaign: campaign.id, message: message.id, attempt: message.attempts };
  try {
    const { text: unsubscribe_url, oneClick } = makeLinks(deps, campaign, {
      contactId: contact.id,
      email: message.email,
    });
    const records = { ...facts.of(contact, now()), unsubscribe_url };
    const values = {
      ...composeMessageValues(facts.snapshot, records, facts.fields, "email"),
      unsubscribe_url,
    };
    const about = { kind: "campaign_message", id: String(message.id) } as const;
    const picture = campaign.tracks === 1 && campaign.origin !== null
      ? composeOpenedPicture(deps.secretsKey, campaign.origin, about)
      : "";
    const mail = await composeCampaignMail(facts.snapshot, values, { to: message.email, oneClick, picture });
    const sent = await deps.mailer.send({
      ...mail,
      ...composeBounceAddress(deps, about),
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
    const retry = failure === "refused" ? null : planRetry(message.attempts, clock);
    deps.log.error({ event: retry === null ? "mail_failed" : "mail_delayed", ...logged, error: reason });
    const recording = retry === null
      ? sql`update campaign_messages set status = 'failed', error = ${reason},
          updated_at = ${formatTimestamp(now())} where ${isStillClaimed(message)}`
      : retryAt(rows, message, retry, reason);
    const { company_id } = campaign;
    const bounce = error instanceof MailFailed && error.isForRecipient
      ? [refuseAddress(deps, { company_id, email: message.email }, "bounced", formatTimestamp(now()))]
      : [];
    return { serverFailed: failure === "server", recording: [recording, ...bounce] };
  }
}

/**
 * Records a sent message, also when another sender has claimed it meanwhile, or its contact was deleted or merged: such a
 * message is skipped and has no data, and gets none. Counts it once, even if two senders have sent it.
 */
function recordSent(
  message: ClaimedMessage,
  { campaign, snapshot }: SentCampaignFacts,
  subject: string,
  values: MessageValues,
  now: number,
): Statement[] {
  const at = formatTimestamp(now);
  return [
    sql`update campaign_messages set status = 'sent', error = ${snapshot.left_out ?? null}, sent_at = ${at},
      updated_at = ${at},
      subject = iif(status = 'pending', ${subject}, null),
      "values" = iif(status = 'pending', ${JSON.stringify(values)}, null)
      where id = ${message.id} and (status = 'pending' or (status = 'skipped' and email is null))`,
    sql`update campaigns set total_sent = total_sent + changes() where id = ${campaign.id}`,
  ];
}
