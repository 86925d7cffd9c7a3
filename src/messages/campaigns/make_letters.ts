/** Makes the letters of campaigns as PDF, one for each recipient. */
import { makeId } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { fitsQuota, guardQuota } from "../../library/usage.ts";
import { PlainLine, plainPace } from "../../later/line.ts";
import { Loop } from "../../later/loop.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { giveBack, retryAt } from "../../later/rows.ts";
import { composeContactName } from "../../customers/contacts/present.ts";
import {
  DatabaseUnavailable,
  guardChanged,
  GuardRefused,
  type Statement,
} from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import { planRetry, type RetryClock } from "../../core/retries.ts";
import { makeLetter, mostPages, TooManyPages } from "../letters/make.ts";
import { TooLong } from "../placeholders/render.ts";
import { type ClaimedMessage, describeMessageRows, isStillClaimed, selectCurrent, skip } from "./claim.ts";
import type { SentCampaignFacts } from "./records.ts";
import { finishCampaigns } from "./finish.ts";
import { composeMessage, composeMessageValues } from "./snapshot.ts";
import { SharedFacts } from "./shared_facts.ts";
import { waitForQuota } from "./wait_for_quota.ts";
import { crc32 } from "./zip.ts";

/** The prefix of the storage keys of letters. */
export const letterFolder = "letters/";

/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;
/** The printer makes one letter of a company at a time; the second attempt stores another letter meanwhile. */
const atOnce = 2;

const rows = describeMessageRows("letter");

/** Makes the letters that are due; returns the number of attempts. */
export async function makeLetters(deps: Deps): Promise<number> {
  const { db, clock, stopping } = deps;
  const lease = new RowLease<ClaimedMessage>(rows, db);
  const run = new Loop(letterQueue(deps), lease, { db, clock, budget: jobBudget, stopping });
  const attempts = await run.run();
  // A thread that has made many letters holds much memory. The next letter starts a new thread.
  if (attempts > 0) await deps.printer.release();
  await finishCampaigns(deps, clock.now());
  return attempts;
}

const nothing: Attempted = { serverFailed: false, recording: [] };

function letterQueue(deps: Deps): Queue<ClaimedMessage, Attempted> {
  const shared = new SharedFacts(deps);
  // One after the other, so that the first of a campaign alone notifies its user.
  let waiting: Promise<void> = Promise.resolve();
  return {
    ...plainPace,
    line: () => new PlainLine<ClaimedMessage, Attempted>(atOnce, 0),
    prepare: (messages) => shared.prepare(messages),
    attempt: (message, clock) =>
      attempt(message, clock).catch((error) => {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        return { serverFailed: false, recording: [giveBack(rows, message, clock.now())] };
      }),
  };

  async function attempt(message: ClaimedMessage, clock: RetryClock): Promise<Attempted> {
    const now = () => clock.now();
    const facts = await shared.of(message);
    if (facts === null) return nothing;
    const { campaign } = facts;
    const [current, quota] = await deps.db.read([
      selectCurrent("letter", message),
      sql`select ${fitsQuota(deps, campaign.company_id, 1)} as fits`,
    ]);
    const { stage, is_wanted } = current!.rows[0]!;
    // The campaign was stopped.
    if (stage !== "sending") return nothing;
    if (is_wanted !== 1) return { serverFailed: false, recording: [skip(message, "no_consent", now())] };
    // Its contact was merged after the claim: the next one reads the contact that the message has now.
    if (!facts.contacts.has(message.contact_id)) {
      return { serverFailed: false, recording: [giveBack(rows, message, now())] };
    }
    if (quota!.rows[0]!.fits !== 1 || !await makeOne(deps, facts, message, clock)) {
      waiting = waiting.catch(() => {}).then(() => waitForQuota(deps, campaign, message, now()));
      await waiting;
    }
    return nothing;
  }
}

/** Makes and stores one letter. Returns false when the company has no room for it. */
async function makeOne(
  deps: Deps,
  facts: SentCampaignFacts,
  message: ClaimedMessage,
  clock: RetryClock,
): Promise<boolean> {
  const now = clock.now();
  const { campaign, snapshot } = facts;
  const contact = facts.contacts.get(message.contact_id)!;
  const at = formatTimestamp(now);
  try {
    const values = composeMessageValues(snapshot, facts.of(contact, now), facts.fields, "letter");
    const { html } = await composeMessage(snapshot, values);
    const title = composeContactName(contact) ?? campaign.name;
    const { bytes } = await makeLetter(deps, {
      html,
      title,
      companyId: campaign.company_id,
      ...snapshot.margins,
    });
    const object = { key: `${letterFolder}${makeId(now)}`, type: "application/pdf", bytes };
    await deps.db.write([announceObjects({ now, at }, campaign.company_id, [object], sql`select 1`)]);
    await withStored({ deps, now, at }, [object], () =>
      deps.db.write([
        sql`update campaign_messages set status = 'sent', error = ${snapshot.left_out ?? null},
          sent_at = ${at}, updated_at = ${at},
          object = ${object.key}, letter_size = ${bytes.length}, letter_crc = ${crc32(bytes)},
          "values" = ${JSON.stringify(values)} where ${isStillClaimed(message)}`,
        guardChanged("message"),
        sql`update campaigns set total_sent = total_sent + 1 where id = ${campaign.id}`,
        ...takeObjects({ now, at }, [object]),
        ...guardQuota(deps, campaign.company_id),
      ]));
  } catch (error) {
    if (error instanceof GuardRefused && error.guard === "file_quota") return false;
    // Another process has made it meanwhile, or it was skipped.
    if (!(error instanceof GuardRefused)) await deps.db.write([recordFailure(deps, message, error, clock)]);
  }
  return true;
}

function recordFailure(deps: Deps, message: ClaimedMessage, error: unknown, clock: RetryClock): Statement {
  const isTooLong = error instanceof TooManyPages || error instanceof TooLong;
  const { error: fault } = describeError(error);
  const reason = isTooLong ? `The letter has more than ${mostPages} pages.` : "The letter could not be made.";
  const retry = isTooLong ? null : planRetry(message.attempts, clock);
  deps.log.error({
    event: retry === null ? "letter_failed" : "letter_delayed",
    message: message.id,
    error: fault,
  });
  return retry === null
    ? sql`update campaign_messages set status = 'failed', error = ${reason},
        updated_at = ${formatTimestamp(clock.now())}
        where ${isStillClaimed(message)}`
    : retryAt(rows, message, retry, reason);
}
