/** Limits of what a call makes for a moment: previews, charts, exports, reports for colleagues. */
import type { Caller } from "../../core/access.ts";
import { Attempts, type Counting } from "./attempts.ts";
import { makingLimits, type makingPolicies } from "./limits.ts";

/**
 * Throws 429 when the caller or the company has made as many as it may. Put `guard` and `count` of the result into the
 * commit.
 */
export async function checkMaking(
  ctx: Counting & { readonly caller: Caller },
  kind: keyof typeof makingPolicies,
): Promise<Attempts> {
  const attempts = new Attempts(ctx, makingLimits(kind, ctx.caller));
  const [made] = await ctx.deps.db.read([attempts.read]);
  attempts.check(made!);
  return attempts;
}
