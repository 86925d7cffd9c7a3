/** Leads that their timer could not move: set aside, so that they hold nobody up, and tried again later. */
import { clockSkew } from "../../core/clocks.ts";
import { sql } from "../../db/statements.ts";
import type { Database, Statement } from "../../platform/database/database.ts";

const minute = 60_000;
/** A power of two: of the minutes until a lead is tried again. */
const longestPause = 10;

/** SQL: whether a lead is set aside at a moment; takes `setAsideAt`. One that has changed since is not. */
export const isSetAside = "exists (select 1 from stuck_leads s where s.lead_id = leads.id " +
  "and s.version = leads.version and s.due_at > ? and s.due_at <= ?)";

/** What `isSetAside` takes; what a clock that was ahead has set aside for longer than any pause is not. */
export function setAsideAt(now: number): [after: number, until: number] {
  return [now, now + (minute << longestPause) + clockSkew];
}

/**
 * Sets a lead aside: for a minute, and each time in a row for twice as long, up to 17 hours. Gives how many times
 * it has been tried.
 */
export async function setAside(db: Database, id: string, now: number): Promise<number> {
  const [stuck] = await db.write([
    sql`insert into stuck_leads (lead_id, version, attempts, due_at) select id, version, 1, ${
      now + minute
    } from leads where id = ${id}
    on conflict (lead_id) do update set attempts = iif(version = excluded.version, attempts + 1, 1),
    due_at = ${now} + ${minute} * iif(version = excluded.version, 1 << min(attempts, ${longestPause}), 1), version = excluded.version
    returning attempts`,
  ]);
  return Number(stuck!.rows[0]?.attempts ?? 0);
}

/** Forgets that the leads were set aside. */
export function freed(ids: readonly string[]): Statement {
  return sql`delete from stuck_leads where lead_id in (select value from json_each(${JSON.stringify(ids)}))`;
}
