/** Leads that failed to escalate: the timer sets them aside, so that they do not delay others, and retries later. */
import { clockSkew } from "../../core/clocks.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Database, Statement } from "../../platform/database/database.ts";

const minute = 60_000;
/** The longest pause between two attempts is two to the power of this, in minutes. */
const longestPause = 10;

/**
 * SQL: whether a lead is set aside at a moment in epoch milliseconds. A lead that has changed since is not, nor one
 * that a fast clock set aside for longer than any pause.
 */
export function isSetAside(now: number): Sql {
  return sql`exists (select 1 from timer_retries s where s.lead_id = leads.id and s.version = leads.version
    and s.due_at > ${now} and s.due_at <= ${now + (minute << longestPause) + clockSkew})`;
}

/** Sets a lead aside for a minute, and for twice as long each time in a row, up to 17 hours. Returns the attempts. */
export async function setAside(db: Database, id: string, now: number): Promise<number> {
  const [retry] = await db.write([
    sql`insert into timer_retries (lead_id, version, attempts, due_at) select id, version, 1, ${
      now + minute
    } from leads where id = ${id}
    on conflict (lead_id) do update set attempts = iif(version = excluded.version, attempts + 1, 1),
    due_at = ${now} + ${minute} * iif(version = excluded.version, 1 << min(attempts, ${longestPause}), 1), version = excluded.version
    returning attempts`,
  ]);
  return Number(retry!.rows[0]?.attempts ?? 0);
}

/** Forgets that the leads were set aside. */
export function forgetRetries(ids: readonly string[]): Statement {
  return sql`delete from timer_retries where lead_id in (select value from json_each(${
    JSON.stringify(ids)
  }))`;
}
