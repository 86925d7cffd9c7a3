/** Reading notifications, and writing to others. */
import { accepted, type Answer, noContent } from "../../core/answer.ts";
import { type FieldError, invalid, missingReference, notFound } from "../../core/errors.ts";
import { object } from "../../core/json.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, statement } from "../../db/statements.ts";
import { ownNotification } from "./queries.ts";
import type { MessageBody } from "./schema.ts";

/** 202: the message is there for everybody named who wants it. */
export async function sendMessage(ctx: Context, { message, notify }: MessageBody): Promise<Answer> {
  const { companyId, userId } = ctx.caller;
  const users = notify.users ?? [];
  const teams = notify.teams ?? [];
  const among = "id in (select value from json_each(?)) and company_id = ?";
  const [foundUsers, foundTeams] = await ctx.deps.db.read([
    statement(`select id from users where ${among} and deleted_at is null`, JSON.stringify(users), companyId),
    statement(`select id from teams where ${among}`, JSON.stringify(teams), companyId),
  ]);
  const errors: FieldError[] = [];
  const check = (kind: "user" | "team", ids: readonly number[], found: readonly { id?: unknown }[]) => {
    const there = new Set(found.map(({ id }) => id));
    ids.forEach((id, index) => {
      if (!there.has(id)) errors.push(missingReference(`notify.${kind}s[${index}]`, kind));
    });
  };
  check("user", users, foundUsers!.rows);
  check("team", teams, foundTeams!.rows);
  if (errors.length > 0) throw invalid(...errors);
  // Whoever is deleted meanwhile is not reached.
  return await commit(ctx, {
    statements: [],
    notifications: [{ type: "custom", to: [{ users }, { teams }], data: { user: { id: userId } }, message }],
    answer: accepted(object({ queued: true })),
  });
}

/** 204; what was read before stays as it was. */
export async function readNotification(ctx: Context, id: string): Promise<Answer> {
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

/** 204. However many they are: it is kept once up to which one they are read. */
export async function readAllNotifications(ctx: Context): Promise<Answer> {
  return await commit(ctx, {
    statements: [sql`insert into notification_reads (user_id, through, at) select c.user_id,
      (select max(n.seq) from notifications n where n.user_id = c.user_id), ${ctx.at}
      from notification_counts c where c.user_id = ${ctx.caller.userId} and c.unread > 0`],
    answer: noContent,
  });
}
