/** Sends mail, started by jobs and after commits. */
import { lifetimes } from "../../core/lifetimes.ts";
import { nextAttempt } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { inSteps } from "../../db/expiry.ts";
import { mailOf } from "../../db/mails.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { MailFailed } from "../../platform/mail/mail.ts";
import { type Attempted, type Sending, WorkerPool } from "../worker_pool.ts";
import { bringSomeBack, type Claimed, claimed, claimStatements } from "./claim.ts";

/** Milliseconds after which a run starts no more mails; the next run continues. */
const jobBudget = 50_000;
const kickBudget = 20_000;

/** Characters of an error that are kept. */
const errorLength = 500;

/** The dependencies of sending. */
type SendingDeps = Pick<Deps, "db" | "log" | "mailer" | "secretsKey">;

/**
 * Sends the mails due at `now` (epoch milliseconds) and returns the number of attempts. Simultaneous runs in
 * several processes share the work. A mail server that does not answer ends the run.
 */
export async function sendDueMails(deps: SendingDeps, now: number): Promise<number> {
  await inSteps(deps.db, [bringSomeBack(now)]);
  const lanes = new WorkerPool(deps.db, sendingOf(deps), () => now, jobBudget);
  await lanes.run();
  return lanes.attempts;
}

export interface MailDispatcher {
  /** Sends due mails in the background. A lost call loses nothing. */
  kick(): void;
  /** Starts no more mails. */
  stop(): void;
}

/** Sends right after commits. */
export function startMailDispatcher(deps: SendingDeps & Pick<Deps, "clock" | "background">): MailDispatcher {
  const lanes = new WorkerPool(deps.db, sendingOf(deps), () => deps.clock.now(), kickBudget);
  return {
    kick: () => deps.background.run(() => lanes.run()),
    stop: () => lanes.stop(),
  };
}

function sendingOf(deps: SendingDeps): Sending<Row & Claimed> {
  return { claim: claimStatements, claimed, attempt: (mail, now) => attempt(deps, mail, now) };
}

/** Sends a mail once. Never throws: a failure is a result. Reads `now` after the attempt. */
async function attempt(
  deps: SendingDeps,
  mail: Row & Claimed,
  now: () => number,
): Promise<Attempted> {
  const about = { mail: mail.id, to: mail.to_address, subject: mail.subject, attempt: mail.attempts };
  try {
    const letter = {
      ...mailOf(mail, deps.secretsKey),
      id: mail.id,
      at: parseTimestamp(mail.created_at) ?? now(),
    };
    if (await deps.mailer.send(letter) === "kept") {
      deps.log.info({ event: "mail_without_server", ...about });
      return { serverFailed: false, recording: [end(mail, "kept", null, now())] };
    }
    deps.log.info({ event: "mail_sent", ...about });
    return { serverFailed: false, recording: [sql`delete from mails where id = ${mail.id}`] };
  } catch (error) {
    const failure = error instanceof MailFailed ? error.failure : "deferred";
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
    const due = failure === "refused" ? null : nextAttempt(mail.attempts, now());
    deps.log.error({
      event: due === null ? "mail_failed" : "mail_delayed",
      ...about,
      error: reason,
      ...(due === null ? {} : { due_at: formatTimestamp(due) }),
    });
    return {
      serverFailed: failure === "server",
      recording: [
        due === null
          ? end(mail, "failed", reason, now())
          : sql`update mails set due_at = ${due}, error = ${reason} where ${untouched(mail)}`,
      ],
    };
  }
}

/** A sender that took the mail over from a slower one has counted another attempt. */
function untouched({ id, attempts }: Claimed): Sql {
  return sql`id = ${id} and status = 'pending' and attempts = ${attempts}`;
}

function end(mail: Claimed, status: "kept" | "failed", error: string | null, now: number): Statement {
  return sql`update mails set status = ${status}, error = ${error}, due_at = null, expires_at = ${
    now + lifetimes.endedMail
  } where ${untouched(mail)}`;
}
