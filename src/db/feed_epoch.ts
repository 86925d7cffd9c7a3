/**
 * The epoch of the positions in the outbox. Restored data gives positions out anew, so that a cursor from before the
 * restore would pass over events. A restore begins an epoch, and older cursors are refused.
 */
import { makeId } from "../core/ids.ts";
import { type Sql, sql } from "./statements.ts";

/** Begins an epoch at `now` (epoch milliseconds). */
export function beginFeedEpoch(now: number): Sql {
  return sql`insert into feed_epochs (id, epoch) values (1, ${makeId(now)})
    on conflict (id) do update set epoch = excluded.epoch`;
}

/** SQL: the epoch; empty before the first restore. */
export const feedEpoch = sql`coalesce((select epoch from feed_epochs where id = 1), '')`;
