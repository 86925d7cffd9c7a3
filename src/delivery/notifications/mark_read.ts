import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { ownNotification } from "./queries.ts";

/** 204. A notification that was already read keeps its `read_at`. */
export async function readNotification(ctx: Context, id: string) {
  const { userId } = ctx.caller;
  const [found] = await ctx.deps.db.read([ownNotification(userId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return await commit(ctx, {
    statements: [
      sql`update notifications set read_at = ${ctx.at} where seq = ${row
        .seq!} and read_at is null and not exists
      (select 1 from notification_reads r where r.user_id = ${userId} and r.through >= notifications.seq)`,
    ],
    answer: noContent,
  });
}

/** 204. Stores the newest notification that counts as read, instead of changing each row. */
export async function readAllNotifications(ctx: Context) {
  return await commit(ctx, {
    statements: [sql`insert into notification_reads (user_id, through, at) select c.user_id,
      (select max(n.seq) from notifications n where n.user_id = c.user_id), ${ctx.at}
      from notification_counts c where c.user_id = ${ctx.caller.userId} and c.unread > 0`],
    answer: noContent,
  });
}
