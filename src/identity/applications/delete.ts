import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { presentApplication } from "./present.ts";
import { readApplication } from "./queries.ts";
import { applicationDeletion } from "./write.ts";

/** Returns 204. The application's tokens end at once. */
export async function deleteApplication(ctx: Context, clientId: string) {
  const row = await readApplication(ctx, clientId);
  checkMatch(ctx, () => presentApplication(row));
  return await commit(ctx, { statements: applicationDeletion(ctx, row), answer: noContent });
}
