/** Devices for push messages. Each belongs to the user who registered it last. */
import { noContent } from "../../core/answer.ts";
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import { isLonger } from "../../core/text.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { DeviceBody } from "./schema.ts";
import { devices } from "./table.ts";

/** Longest token in characters; tokens of the push service have a few hundred. */
const longest = 4_096;

/** Returns 204. Waiting messages of another user are no longer sent to the device. */
export async function registerDevice(ctx: Context, token: string, { type }: DeviceBody) {
  if (isLonger(token, longest)) {
    throw invalid(fieldError("device_token", "max", `At most ${longest} characters.`));
  }
  const { userId } = ctx.caller;
  const others = sql`from devices where token = ${token} and user_id <> ${userId}`;
  return await commit(ctx, {
    statements: [
      ...ctx.deps.deleteNaming("device", sql`select id ${others}`),
      sql`delete ${others}`,
      sql`insert into devices (token, user_id, type, created_at)
        values (${token}, ${userId}, ${type ?? "iOS"}, ${ctx.at})
        on conflict (token) do update set type = excluded.type`,
    ],
    answer: noContent,
  });
}

/** Returns 204; throws 404 for a token of another user. */
export async function removeDevice(ctx: Context, token: string) {
  const { userId } = ctx.caller;
  const [found] = await ctx.deps.db.read([
    sql`select id from devices where token = ${token} and user_id = ${userId}`,
  ]);
  const id = found!.rows[0]?.id as number | undefined;
  if (id === undefined) throw notFound();
  return await commit(ctx, {
    statements: [...deleteDevice(ctx, id, userId), guardChanged("device")],
    answer: noContent,
  });
}

/** Deletes a device of the user with its waiting messages. */
function deleteDevice({ deps }: Context, id: number, user_id: number): Statement[] {
  return [
    ...deps.deleteNaming("device", sql`select id from devices where id = ${id} and user_id = ${user_id}`),
    remove(devices, { id, user_id }),
  ];
}
