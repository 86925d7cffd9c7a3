import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { presentApplication } from "./present.ts";
import { readApplication } from "./queries.ts";
import { makeSecretRotation } from "./write.ts";

/** Returns 200 with the new secret. The previous secret works for another day; older ones end at once. */
export async function rotateSecret(ctx: Context, clientId: string) {
  const row = await readApplication(ctx, clientId);
  const { secret, set, statements } = makeSecretRotation(ctx, row);
  return await commit(ctx, {
    statements,
    answer: { ...ok(presentApplication({ ...row, ...set }, secret)), secrets: ["client_secret"] },
  });
}
