import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { endManyTokens, readManyTokens } from "../tokens/end_many.ts";
import { presentApplication } from "./present.ts";
import { applicationById, pickApplication } from "./queries.ts";
import { deleteApplicationRows } from "./write.ts";

/** Returns 204. The application's tokens end at once. */
export async function deleteApplication(ctx: Context, clientId: string) {
  const owner = { client_id: clientId };
  const [found, ...many] = await ctx.deps.db.read([applicationById(clientId), ...readManyTokens(owner)]);
  const row = pickApplication(ctx, found);
  checkMatch(ctx, () => presentApplication(row));
  await endManyTokens(ctx, owner, ctx.caller.tokenId, many);
  return await commit(ctx, { statements: deleteApplicationRows(ctx, row), answer: noContent });
}
