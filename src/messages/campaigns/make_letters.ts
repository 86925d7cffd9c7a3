/** Makes the letters of campaigns as PDF, one for each recipient. */
import { newId } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardRoom, hasRoom } from "../../library/usage.ts";
import { contactName } from "../../customers/contacts/present.ts";
import { guardChanged, GuardRefused, type Statement } from "../../platform/database/database.ts";
import { errorFields } from "../../platform/log.ts";
import { nextAttempt } from "../../core/retries.ts";
import { type Attempted, type Sending, WorkerPool } from "../../staged/worker_pool.ts";
import { makeLetter, mostPages, TooManyPages } from "../letters/make.ts";
import { TooLong } from "../placeholders/render.ts";
import {
  type ClaimedMessage,
  claimStatements,
  type Lot,
  lotOf,
  moreStatement,
  skip,
  standing,
  untouched,
} from "./claim.ts";
import { type CampaignFacts, campaignFacts, factsRead } from "./records.ts";
import { finishCampaigns } from "./finish.ts";
import { composeMessage, messageValues } from "./snapshot.ts";
import { stopUnpermitted } from "./stop_unpermitted.ts";
import { waitForRoom } from "./wait_for_room.ts";
import { crc32 } from "./zip.ts";

/** The prefix of the storage keys of letters. */
export const letterFolder = "letters/";

/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;
/** The printer makes one letter of a company at a time; the second worker stores another letter meanwhile. */
const workers = 2;
/** Letters of one claim. */
const lotSize = 5;

/** Makes the letters that are due; returns the number of claims. */
export async function makeLetters(deps: Deps): Promise<number> {
  const pool = new WorkerPool(
    deps.db,
    makingOf(deps),
    () => deps.clock.now(),
    jobBudget,
    workers,
    deps.stopping,
  );
  await pool.run();
  // A thread that has made many letters holds much memory. The next letter starts a new thread.
  if (pool.attempts > 0) await deps.printer.release();
  await finishCampaigns(deps, deps.clock.now());
  return pool.attempts;
}

function makingOf(deps: Deps): Sending<Lot> {
  return {
    claim: (now) => [...claimStatements("letter", now, lotSize), moreStatement("letter", now)],
    claimed: (results) => ({ taken: lotOf(results.at(-2)!), more: results.at(-1)![0]!.more === 1 }),
    once: null,
    attempt: (lot, now) => makeLot(deps, lot, now),
  };
}

async function makeLot(
  deps: Deps,
  { campaign_id: id, messages }: Lot,
  now: () => number,
): Promise<Attempted> {
  const contactIds = JSON.stringify(messages.map(({ contact_id }) => contact_id));
  const facts = campaignFacts(await deps.db.read(factsRead(id, contactIds)));
  if (!facts.maySend) {
    await stopUnpermitted(deps, facts.campaign, now());
    return { serverFailed: false, recording: [] };
  }
  for (const [index, message] of messages.entries()) {
    const [current, room] = await deps.db.read([
      standing("letter", id, message),
      sql`select ${hasRoom(deps, facts.campaign.company_id, 1)} as has_room`,
    ]);
    const { stage, is_wanted } = current!.rows[0]!;
    if (stage !== "sending") break;
    if (is_wanted !== 1) await deps.db.write([skip(message, "no_consent", now())]);
    else if (room!.rows[0]!.has_room !== 1 || !await makeOne(deps, facts, message, now())) {
      await waitForRoom(deps, facts.campaign, messages.slice(index), now());
      break;
    }
  }
  return { serverFailed: false, recording: [] };
}

/** Makes and stores one letter. Returns false when the company has no room for it. */
async function makeOne(
  deps: Deps,
  facts: CampaignFacts,
  message: ClaimedMessage,
  now: number,
): Promise<boolean> {
  const { campaign, snapshot } = facts;
  const contact = facts.contacts.get(message.contact_id)!;
  const at = formatTimestamp(now);
  try {
    const values = messageValues(snapshot, facts.of(contact, now), facts.fields, "letter");
    const { html } = await composeMessage(snapshot, values);
    const title = contactName(contact) ?? campaign.name;
    const { bytes } = await makeLetter(deps, {
      html,
      title,
      companyId: campaign.company_id,
      ...snapshot.margins,
    });
    const object = { key: `${letterFolder}${newId(now)}`, type: "application/pdf", bytes };
    await deps.db.write([announceObjects({ now, at }, campaign.company_id, [object], sql`select 1`)]);
    await withStored({ deps, now, at }, [object], () =>
      deps.db.write([
        sql`update campaign_messages set status = 'sent', error = ${
          snapshot.left_out ?? null
        }, sent_at = ${at}, updated_at = ${at},
          object = ${object.key}, letter_size = ${bytes.length}, letter_crc = ${crc32(bytes)}, "values" = ${
          JSON.stringify(values)
        } where ${untouched(message)}`,
        guardChanged("message"),
        sql`update campaigns set total_sent = total_sent + 1 where id = ${campaign.id}`,
        ...takeObjects({ now, at }, [object]),
        ...guardRoom(deps, campaign.company_id),
      ]));
  } catch (error) {
    if (error instanceof GuardRefused && error.guard === "file_quota") return false;
    // Another process has made it meanwhile, or it was skipped.
    if (!(error instanceof GuardRefused)) await deps.db.write([recordFailure(deps, message, error, now)]);
  }
  return true;
}

function recordFailure(deps: Deps, message: ClaimedMessage, error: unknown, now: number): Statement {
  const isTooLong = error instanceof TooManyPages || error instanceof TooLong;
  const { error: fault } = errorFields(error);
  const reason = isTooLong ? `The letter has more than ${mostPages} pages.` : "The letter could not be made.";
  const due = isTooLong ? null : nextAttempt(message.attempts, now);
  deps.log.error({
    event: due === null ? "letter_failed" : "letter_delayed",
    message: message.id,
    error: fault,
  });
  return due === null
    ? sql`update campaign_messages set status = 'failed', error = ${reason}, updated_at = ${
      formatTimestamp(now)
    }
        where ${untouched(message)}`
    : sql`update campaign_messages set due_at = ${due}, error = ${reason} where ${untouched(message)}`;
}
