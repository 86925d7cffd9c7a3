/** One attempt to send a mail, with its result in the database and the log. */
import { lifetimes } from "../../core/lifetimes.ts";
import { nextAttempt } from "../../core/retries.ts";
import { formatTimestamp, parseTimestamp } from "../../core/time.ts";
import { mailOf } from "../../db/mails.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { MailFailed } from "../../platform/mail/mail.ts";
import type { Attempted } from "../worker_pool.ts";
import type { Claimed } from "./claim.ts";

/** Characters of an error that are kept. */
const errorLength = 500;

/** The dependencies of sending. */
export type SendingDeps = Pick<Deps, "db" | "log" | "mailer" | "secretsKey">;

/** Sends a mail once. Never throws: a failure is a result. Reads `now` after the attempt. */
export async function attempt(
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
