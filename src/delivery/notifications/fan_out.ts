/** Turns new notifications into mails and push messages, as their users want them. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import type { MailDraft } from "../../db/mails.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { notificationMail } from "../../identity/mails.ts";
import type { Clock } from "../../platform/clock.ts";
import { guardThat, type Value } from "../../platform/database/database.ts";
import { noticeColumns, noticeJoins, notificationOf } from "./present.ts";

/** Notifications per commit, which holds the write lock for well under 100 ms. */
const most = 100;

/** Bits of `unsent`. */
const byMail = 1;
const byPush = 2;

/**
 * Fans out the notifications that are unsent at the clock's time, until none is left or `goesOn` returns false.
 * Returns their number. Simultaneous runs share the work; each notification is handled once.
 */
export async function fanOut(deps: Deps, clock: Clock, goesOn: () => boolean): Promise<number> {
  let count = 0;
  while (goesOn()) {
    const step = await retrying(() => oneStep(deps, clock.now()));
    count += step;
    if (step < most) break;
  }
  return count;
}

async function oneStep(deps: Deps, now: number): Promise<number> {
  const [found] = await deps.db.read([unsent]);
  const rows = found!.rows;
  if (rows.length === 0) return 0;
  const seqs = JSON.stringify(rows.map(({ seq }) => seq));
  const pushed: Value[] = [];
  const mails: MailDraft[] = [];
  for (const row of rows) {
    if (row.reachable !== 1) continue;
    if (Number(row.unsent) & byPush) pushed.push(row.seq!);
    if (Number(row.unsent) & byMail) {
      const { type, message } = notificationOf(row, "");
      mails.push(notificationMail(row.email as string, type, message));
    }
  }
  await commit({ deps, now, at: formatTimestamp(now) }, {
    statements: [
      guardThat(
        "unsent",
        sql`(select count(*) from notifications where seq in (select value from json_each(${seqs})) and unsent > 0) = ${rows.length}`,
      ),
      sql`update notifications set unsent = 0 where seq in (select value from json_each(${seqs}))`,
      sql`insert into pushes (notification_seq, device_id, due_at) select n.seq, d.id, ${now}
        from json_each(${
        JSON.stringify(pushed)
      }) p join notifications n on n.seq = p.value join devices d on d.user_id = n.user_id`,
    ],
    mails,
    answer: noContent,
  });
  return rows.length;
}

const unsent = sql`select notice.seq, notice.unsent, ${noticeColumns}, u.email,
  u.deleted_at is null and c.deleted_at is null as reachable
  from notifications notice indexed by notifications_unsent
  join users u on u.id = notice.user_id join companies c on c.id = notice.company_id ${noticeJoins}
  where notice.unsent > 0 order by notice.seq limit ${literal(most)}`;
