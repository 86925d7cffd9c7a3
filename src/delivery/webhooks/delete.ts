import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { webhooks } from "./record.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentWebhook } from "./present.ts";
import { readWebhook } from "./queries.ts";
import { endPending } from "./undeliverable.ts";

/** Returns 204. Waiting deliveries are not sent. */
export async function deleteWebhook(ctx: Context, id: number) {
  const { caller, deps } = ctx;
  const webhook = await readWebhook(ctx, id);
  checkMatch(ctx, () => presentWebhook(webhook, caller, deps.secretsKey));
  const answer = await commit(ctx, {
    statements: [
      updateVersioned(webhooks, { deleted_at: ctx.at, updated_at: ctx.at }, webhook),
      guardChanged("stale"),
      endPending([id]),
    ],
    answer: noContent,
  });
  // A running sender notices now instead of at its next claim.
  deps.wakeDeliveries([caller.companyId]);
  return answer;
}
