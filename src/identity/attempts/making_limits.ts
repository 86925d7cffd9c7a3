/** Limits of what a call makes for a moment: previews, charts, exports, reports for colleagues. */
import type { Caller } from "../../core/access.ts";
import { Attempts, type Counting } from "./attempts.ts";
import { makeMakingLimits, type makingPolicies } from "./limits.ts";

/** What the caller and the company have made of a kind. */
export function limitMaking(
  ctx: Counting & { readonly caller: Caller },
  kind: keyof typeof makingPolicies,
): Attempts {
  return new Attempts(ctx, makeMakingLimits(kind, ctx.caller));
}
