/** Sends notifications by mail and push, as their users want them; started by jobs and after commits. */
import { noContent } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit, retrying } from "../../db/commit.ts";
import { isReleased } from "../../db/hold.ts";
import { informingKind, type MailDraft } from "../../db/mails.ts";
import { literal, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { composeNotificationMail } from "../../identity/mails.ts";
import { startDispatch } from "../../later/dispatch.ts";
import { plainPace } from "../../later/line.ts";
import { Loop } from "../../later/loop.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { type Clock, makeClockAhead } from "../../platform/clock.ts";
import { guardThat, type Statement, type Value } from "../../platform/database/database.ts";
import type { Pusher } from "../../platform/push/push.ts";
import { makePushAttempt } from "./push_attempt.ts";
import { type ClaimedPush, pushRows } from "./push_claim.ts";
import { noticeColumns, noticeJoins, readNotificationRow } from "./present.ts";

/** Milliseconds after which a run starts nothing more; the next run continues. */
const jobBudget = 50_000;
const runBudget = 20_000;

/** Notifications per commit, which holds the write lock for well under 100 ms. */
const most = 100;

/** Bits of `unsent`. */
const byMail = 1;
const byPush = 2;

/**
 * Makes mails and push messages of unsent notifications at `now` (epoch milliseconds), for at most 50 seconds. Returns
 * the number of notifications. Simultaneous runs share the work; each notification is handled once.
 */
export async function fanOutNotifications(deps: Deps, now: number): Promise<number> {
  const until = performance.now() + jobBudget;
  let total = 0;
  while (!deps.stopping?.aborted && performance.now() < until) {
    const count = await retrying(() => fanOut(deps, now));
    total += count;
    if (count < most) break;
  }
  return total;
}

/**
 * Sends the push messages due at `now` (epoch milliseconds) and returns the number of attempts. Simultaneous
 * runs in several processes share the work. A push service that does not answer ends the run.
 */
export async function sendDuePushes(deps: Deps, now: number): Promise<number> {
  const { pusher } = deps;
  if (pusher === null) return 0;
  return await pushRun(deps, pusher, makeClockAhead(now, deps.clock), jobBudget).run();
}

/**
 * Returns a function that fans out and sends new notifications in the background, for use right after
 * commits. If a call is lost, the jobs do its work. A call during a run makes the run look once more.
 */
export function startNotificationDispatch(world: Omit<Deps, "wakeNotifications">): () => void {
  // The commits of a run add mails but no notifications, so they do not start another run.
  const deps: Deps = { ...world, wakeNotifications: () => {} };
  const { background, clock, pusher, stopping } = deps;
  const pushes = pusher && startDispatch(deps, () => pushRun(deps, pusher, clock, runBudget));
  let running = false;
  let wanted = false;

  async function run(): Promise<void> {
    wanted = true;
    if (running) return;
    running = true;
    try {
      const until = performance.now() + runBudget;
      while (wanted && !stopping?.aborted && performance.now() < until) {
        wanted = false;
        const count = await retrying(() => fanOut(deps, clock.now()));
        if (count === most) wanted = true;
        if (count > 0) pushes?.wake(undefined);
      }
    } finally {
      running = false;
    }
  }

  return () => background.run(run);
}

/**
 * Fans out the next unsent notifications in one commit. Returns their number; if it is `most`, there may be
 * more.
 */
async function fanOut(deps: Deps, now: number): Promise<number> {
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
      const { type, message } = readNotificationRow(row, "");
      const mail = composeNotificationMail(row.email as string, type, message);
      mails.push({
        ...mail,
        lane: "correspondence",
        ofCompany: Number(row.company_id),
        about: { kind: informingKind, id: String(row.reader_id) },
      });
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
        from json_each(${JSON.stringify(pushed)}) p join notifications n on n.seq = p.value
        join devices d on d.user_id = n.user_id`,
    ],
    mails,
    answer: noContent,
  });
  return rows.length;
}

/** Reads why a mail that informs the user is not sent any more: the user was deleted while it waited. */
export function selectReasonAgainst(id: string): Statement {
  return sql`select 'deleted' as reason from users where id = cast(${id} as integer) and deleted_at is not null`;
}

const unsent =
  sql`select notice.seq, notice.unsent, notice.company_id, notice.user_id as reader_id, ${noticeColumns}, u.email,
  u.deleted_at is null and c.deleted_at is null as reachable
  from notifications notice indexed by notifications_unsent
  join users u on u.id = notice.user_id join companies c on c.id = notice.company_id ${noticeJoins}
  where notice.unsent > 0 and ${isReleased("notifications")} order by notice.seq limit ${literal(most)}`;

function pushRun(
  deps: Deps,
  pusher: Pusher,
  clock: Clock,
  budget: number,
): Loop<ClaimedPush, Attempted, undefined> {
  const { db, stopping } = deps;
  const queue: Queue<ClaimedPush, Attempted> = { ...plainPace, attempt: makePushAttempt(deps, pusher) };
  const lease = new RowLease<ClaimedPush>(pushRows, db);
  return new Loop(queue, lease, { db, clock, budget, stopping });
}
