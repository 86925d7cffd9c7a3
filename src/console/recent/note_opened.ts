/** The records that a user opened last in the console. */
import { formatTimestamp } from "../../core/time.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

export const recentTypes = ["account", "contact", "case", "lead"] as const;
export type RecentType = (typeof recentTypes)[number];

/** How many are kept. */
const most = 20;

export interface Opened {
  readonly type: RecentType;
  readonly id: string;
  readonly at: string;
}

/** SQL: what the user opened, as JSON; null: nothing yet. Read by `parseOpened`. */
export function selectOpened(userId: Sql): Sql {
  return sql`(select opened from recent_records where user_id = ${userId})`;
}

/** The latest first. */
export function parseOpened(stored: string | null): readonly Opened[] {
  return stored === null ? [] : JSON.parse(stored);
}

/** Notes that the user opens a record: it becomes the first, and the oldest may go. */
export function noteOpened(
  userId: number,
  { type, id }: Pick<Opened, "type" | "id">,
  now: number,
): Statement {
  const first = JSON.stringify({ type, id, at: formatTimestamp(now) } satisfies Opened);
  return sql`insert into recent_records (user_id, opened) values (${userId}, json_array(json(${first})))
    on conflict (user_id) do update set opened = (select json_group_array(json(v.value)) from (
      select excluded.opened ->> '$[0]' as value, -1 as place union all
      select o.value, o.key from json_each(recent_records.opened) o
        where o.value ->> 'type' <> ${type} or o.value ->> 'id' <> ${id}
      order by place limit ${most} + 0) v)`;
}
