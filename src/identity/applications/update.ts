import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { presentApplication } from "./present.ts";
import { readApplication } from "./queries.ts";
import type { UpdateApplication } from "./schema.ts";
import { applicationChange } from "./write.ts";

export async function updateApplication(
  ctx: Context,
  clientId: string,
  body: UpdateApplication,
) {
  const row = await readApplication(ctx, clientId);
  checkMatch(ctx, () => presentApplication(row));
  const set = {
    name: body.name ?? row.name,
    redirect_uri: body.redirect_uri === undefined ? row.redirect_uri : body.redirect_uri,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: applicationChange(row, set),
    answer: ok(presentApplication({ ...row, ...set })),
  });
}
