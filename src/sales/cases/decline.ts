/** Declines an open case. */
import type { Context } from "../../db/context.ts";
import { type CaseStatus, moveCase } from "./lifecycle.ts";
import { readCase } from "./queries.ts";
import { changeCase, checkCaseSize, commitCase } from "./write.ts";

/** Throws 409 unless the case is open. Its timeline keeps the reason. */
export async function declineCase(ctx: Context, id: string, reason: string) {
  const before = await readCase(ctx, id);
  const status = moveCase(before.status as CaseStatus, "decline");
  const declined = changeCase(ctx, before, { status, decline_reason: reason });
  checkCaseSize(ctx, before, declined, "reason");
  return await commitCase(ctx, { ...declined, event: { ...declined.event, name: "case_declined" } });
}
