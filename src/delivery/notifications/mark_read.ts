import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { selectOwnNotification } from "./queries.ts";

/** Returns 204. A notification that was already read keeps its `read_at`. */
export async function readNotification(ctx: Context, id: string) {
  const { userId } = ctx.caller;
  const seq = await readOwnSeq(ctx, id);
  return await commit(ctx, {
    statements: [
      sql`update notifications set read_at = ${ctx.at}, reopened = 0 where seq = ${seq} and read_at is null
      and (reopened = 1 or not exists
      (select 1 from notification_reads r where r.user_id = ${userId} and r.through >= notifications.seq))`,
    ],
    answer: noContent,
  });
}

/** Returns 204. A notification that is unread stays so. */
export async function reopenNotification(ctx: Context, id: string) {
  const { userId } = ctx.caller;
  const seq = await readOwnSeq(ctx, id);
  return await commit(ctx, {
    statements: [
      sql`update notifications set read_at = null, reopened = 1 where seq = ${seq} and reopened = 0
      and (read_at is not null or exists
      (select 1 from notification_reads r where r.user_id = ${userId} and r.through >= notifications.seq))`,
    ],
    answer: noContent,
  });
}

/** Returns 204. Stores the newest notification that counts as read, instead of changing each row. */
export async function readAllNotifications(ctx: Context) {
  return await commit(ctx, {
    statements: [
      sql`update notifications set read_at = ${ctx.at}, reopened = 0
        where user_id = ${ctx.caller.userId} and reopened = 1`,
      sql`insert into notification_reads (user_id, through, at) select c.user_id,
      (select max(n.seq) from notifications n where n.user_id = c.user_id), ${ctx.at}
      from notification_counts c where c.user_id = ${ctx.caller.userId} and c.unread > 0`,
    ],
    answer: noContent,
  });
}

/** Reads the number of the caller's notification. Throws 404 for one of another user. */
async function readOwnSeq({ caller, deps }: Context, id: string): Promise<number> {
  const [found] = await deps.db.read([selectOwnNotification(caller.userId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return row.seq as number;
}
