/**
 * Claims the next mail to send. A claim moves the due time past the longest attempt, so that no other sender
 * takes the mail, and it becomes due again when its sender dies.
 */
import { furthestDue } from "../../core/retries.ts";
import { stepRows } from "../../db/expiry.ts";
import { literal, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";

/** Milliseconds of a claim, longer than the longest attempt. */
export const leaseMs = 60_000;

/** The row of a claimed mail. */
export interface Claimed {
  readonly id: string;
  /** Number of this attempt, from 1. */
  readonly attempts: number;
  readonly created_at: string;
  readonly to_address: string;
  readonly subject: string;
  /** Sealed. */
  readonly body: string;
}

/**
 * Claims the mail that has been due longest at `now` (epoch milliseconds), and reports whether there are
 * more.
 */
export function claimStatements(now: number): Statement[] {
  return [
    sql`update mails set due_at = ${now + leaseMs}, attempts = attempts + 1
      where id = (select id ${due(now)} order by due_at, id limit 1)
      returning id, attempts, created_at, to_address, subject, body`,
    sql`select exists (select 1 ${due(now)}) as more`,
  ];
}

function due(now: number): Sql {
  return sql`from mails indexed by mails_due where status = 'pending' and due_at <= ${now}`;
}

/**
 * Makes mails due at `now` whose due time is further away than any wait: a clock that was ahead wrote it.
 * Limited; see `changes`.
 */
export function bringSomeBack(now: number): Statement {
  return sql`update mails set due_at = ${now} where id in (select id from mails indexed by mails_due
    where status = 'pending' and due_at > ${furthestDue(now)} limit ${literal(stepRows)})`;
}

/** Reads the results of `claimStatements`, the last of their batch; null when no mail is due. */
export function claimed(results: readonly Row[][]): { taken: (Row & Claimed) | null; more: boolean } {
  const [taken, more] = results.slice(-2);
  return { taken: taken![0] as (Row & Claimed) | undefined ?? null, more: more![0]!.more === 1 };
}
