/**
 * Which mail to send next. Taking one moves the moment at which it is due past the time that an attempt can
 * take: so nobody else takes it meanwhile, and when its sender dies it becomes due again by itself.
 */
import { furthestDue } from "../../core/retries.ts";
import { stepRows } from "../../db/expiry.ts";
import { statement } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a claim holds: longer than an attempt can take. */
export const leaseMs = 60_000;

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

/** Takes the mail that has been due for longest at `now` (epoch milliseconds), and looks for more. */
export function claimStatements(now: number): Statement[] {
  return [
    statement(
      `update mails set due_at = ?, attempts = attempts + 1 where id = (select id ${due} order by due_at, id limit 1) ` +
        "returning id, attempts, created_at, to_address, subject, body",
      now + leaseMs,
      now,
    ),
    statement(`select exists (select 1 ${due}) as more`, now),
  ];
}

const due = "from mails indexed by mails_due where status = 'pending' and due_at <= ?";

/** Makes those due at `now` that a clock that was ahead put off longer than any wait is; some of them, see `changes`. */
export function bringSomeBack(now: number): Statement {
  const far = "select id from mails indexed by mails_due where status = 'pending' and due_at > ?";
  return statement(
    `update mails set due_at = ? where id in (${far} limit ${stepRows})`,
    now,
    furthestDue(now),
  );
}

/** The last results of a batch that ended with `claimStatements`; nothing when no mail is due. */
export function claimed(results: readonly Row[][]): { taken: (Row & Claimed) | null; more: boolean } {
  const [taken, more] = results.slice(-2);
  return { taken: taken![0] as (Row & Claimed) | undefined ?? null, more: more![0]!.more === 1 };
}
