/**
 * Queues automated communications that are due. Several processes may run it at once: each communication is
 * queued once.
 */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit, retrying } from "../../db/commit.ts";
import { readCompanyFields } from "../../fields/field_sets.ts";
import type { MailEnd } from "../../db/mails.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import {
  DatabaseUnavailable,
  guardThat,
  type Row,
  type Statement,
} from "../../platform/database/database.ts";
import {
  automatedQueue,
  type AutomatedSendRow,
  endSend,
  failSend,
  selectDueSends,
} from "../../sales/automated_sends/queue.ts";
import { changeCase } from "../../sales/cases/write.ts";
import { setRecordAside } from "../../staged/set_aside.ts";
import { TooLong } from "../placeholders/render.ts";
import { type Answerable, keepAnswerable } from "./answerable.ts";
import { type AutomatedEmail, composeAutomatedEmail, type Sendable } from "./email.ts";
import { type DueSend, hasRefused, selectSendFacts, sendFacts } from "./records.ts";
import { findReasonAgainst } from "./verdict.ts";

/** The most communications of one read. */
const most = 50;
/** Milliseconds after which a run queues no more; the next run continues. */
const jobBudget = 40_000;

/** Queues or skips what is due at `now` (epoch milliseconds), and returns the number. Sets aside what fails. */
export async function queueAutomated(deps: Deps, now: number): Promise<number> {
  const until = performance.now() + jobBudget;
  let count = 0;
  while (performance.now() < until) {
    const due = await readDue(deps, now);
    if (due.length === 0) break;
    for (const send of due) count += await queueOne(deps, send, now);
  }
  return count;
}

async function readDue({ db }: Deps, now: number): Promise<DueSend[]> {
  const [due] = await db.read([selectDueSends(now, most)]);
  return due!.rows.map(readDueSend);
}

/** Returns a row of `selectDueSends`. */
export function readDueSend({ id, company_id, case_id }: Row): DueSend {
  return { id: String(id), company_id: Number(company_id), case_id: String(case_id) };
}

/** Cancels a communication that is due. */
export async function cancelDue(deps: Deps, due: DueSend, now: number): Promise<number> {
  return await retrying(() =>
    decide(
      deps,
      due,
      now,
      (_author, { send: { subject } }) =>
        Promise.resolve({ status: "cancelled", reason: null, subject, email: null }),
    )
  );
}

async function queueOne(deps: Deps, due: DueSend, now: number): Promise<number> {
  try {
    return await retrying(() => decide(deps, due, now));
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    await setRecordAside(deps, {
      queue: automatedQueue,
      record: due.id,
      company_id: due.company_id,
      version: 0,
      error,
    }, now);
    return 0;
  }
}

/** How a due communication ends. */
interface End {
  readonly status: AutomatedSendRow["status"];
  readonly reason: string | null;
  readonly subject: string;
  readonly email: AutomatedEmail | null;
}

/** Queues or skips a communication in one commit. Returns 0 when another process was faster. */
async function decide(
  deps: Deps,
  due: DueSend,
  now: number,
  end: (author: Author, facts: Answerable) => Promise<End> = decideEnd,
): Promise<number> {
  const found = sendFacts(await deps.db.read(selectSendFacts(due)));
  if (found === null) return 0;
  const at = formatTimestamp(now);
  const facts = await keepAnswerable(deps.db, found, at);
  const author = { deps, now, at, fields: readCompanyFields(facts.fields.all, null) };
  const { status, reason, subject, email } = await end(author, facts);
  const changed = facts.of && changeCase(author, facts.of, {}, { next_automated: facts.next });
  await commit(author, {
    companyId: due.company_id,
    statements: [
      ...endSend({ id: due.id, status, reason, subject }, at),
      ...(email ? [...guardConsent(due), email.statement] : []),
      ...(changed?.statements ?? []),
    ],
    events: changed ? [changed.event] : [],
    mails: email ? [email.mail] : [],
    answer: noContent,
  });
  return 1;
}

/**
 * Fails the commit when another contact has refused the address meanwhile. The case and its contact have
 * their own guards.
 */
function guardConsent({ company_id, case_id }: DueSend): Statement[] {
  return [guardThat("consent", sql`not ${hasRefused(company_id, case_id)}`)];
}

async function decideEnd(author: Author, facts: Answerable): Promise<End> {
  const { subject } = facts.send;
  const against = findReasonAgainst(facts);
  if (against !== null) return { status: "skipped", reason: against, subject, email: null };
  try {
    const email = await composeAutomatedEmail(author, facts as Sendable);
    return { status: "sent", reason: facts.leftOut, subject: email.subject, email };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { status: "failed", reason: "The rendered text is too long.", subject, email: null };
  }
}

/** Records a mail that could not be sent, or that the contact did not want any more. */
export function endAutomated({ id, outcome, error, at }: MailEnd): Statement[] {
  if (outcome === "sent") return [];
  const reason = outcome === "kept" ? "There is no mail server." : error;
  return [failSend(id, outcome === "unwanted" ? "skipped" : "failed", reason, at)];
}
