import { accepted } from "../../core/answer.ts";
import { type FieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insertFact } from "../../facts/facts.ts";
import { sql } from "../../db/statements.ts";
import { Attempts } from "../../identity/attempts/attempts.ts";
import { makeWrittenMailLimits } from "../../identity/attempts/limits.ts";
import { wantsMails } from "../../identity/users/fragments.ts";
import type { MessageBody } from "./schema.ts";

/** Returns 202. Notifies each named user and each member of a named team who wants such messages. */
export async function sendMessage(ctx: Context, { message, notify }: MessageBody) {
  const { companyId, userId } = ctx.caller;
  const users = notify.users ?? [];
  const teams = notify.teams ?? [];
  const among = (ids: readonly number[]) =>
    sql`id in (select value from json_each(${JSON.stringify(ids)})) and company_id = ${companyId}`;
  const attempts = new Attempts(ctx, makeWrittenMailLimits(ctx));
  const [foundUsers, foundTeams, mailed, sent] = await ctx.deps.db.read([
    sql`select id from users where ${among(users)} and deleted_at is null`,
    sql`select id from teams where ${among(teams)}`,
    sql`select count(*) as mails from users u
      where u.company_id = ${companyId} and u.deleted_at is null and ${wantsMails("custom")}
      and u.id in (select value from json_each(${JSON.stringify(users)})
        union select m.user_id from json_each(${JSON.stringify(teams)}) t
        join team_members m on m.team_id = t.value)`,
    attempts.read,
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
  attempts.check(sent!);
  // A user deleted meanwhile does not receive it.
  return await commit(ctx, {
    statements: [
      attempts.guard,
      attempts.countSeveral(Number(mailed!.rows[0]!.mails)),
      insertFact(ctx.now, {
        kind: "notification_sent",
        company_id: ctx.caller.companyId,
        user_id: userId,
      }),
    ],
    notifications: [{ type: "custom", to: [{ users }, { teams }], data: { user: { id: userId } }, message }],
    answer: accepted({ queued: true as const }),
  });
}
