/**
 * Which mail to send next. Taking one moves the moment at which it is due past the time that an attempt can
 * take: so nobody else takes it meanwhile, and when its sender dies it becomes due again by itself.
 */
import { statement } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a claim holds: longer than an attempt can take. */
export const leaseMs = 60_000;

/** Mails that one process sends at once. */
export const mostAtOnce = 5;

/** A mail that was taken, as its row has it. */
export interface Claimed {
  readonly id: string;
  /** Which attempt this is, from 1. */
  readonly attempts: number;
  readonly created_at: string;
  readonly to_address: string;
  readonly subject: string;
  /** Sealed. */
  readonly body: string;
}

/** Takes the mail that has been due for longest at `now` (epoch milliseconds). */
export function claim(now: number): Statement {
  return statement(
    "update mails set due_at = ?, attempts = attempts + 1 where id = (select id from mails indexed by mails_due " +
      "where status = 'pending' and due_at <= ? order by due_at, id limit 1) " +
      "returning id, attempts, created_at, to_address, subject, body",
    now + leaseMs,
    now,
  );
}

/** What `claim` took; null when nothing is due. */
export function claimed(rows: readonly Row[]): (Row & Claimed) | null {
  return rows[0] as (Row & Claimed) | undefined ?? null;
}
