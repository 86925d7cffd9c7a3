/** The general limit of calls per caller, as the settings have it. */
import type { Context } from "hono";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { findCallerAddress } from "./address.ts";
import { CallLimit } from "./call_limit.ts";

/** Returns the configured limit, or null. */
export function makeCallLimit({ rateLimit }: Pick<Config, "rateLimit">): CallLimit | null {
  return rateLimit && new CallLimit(rateLimit.calls, rateLimit.seconds);
}

/** Returns the error for an unknown caller: the given one, or 429 if its address has had too many errors. */
export function chooseStrangersError(
  { callLimit, clock, config }: Deps,
  c: Context,
  error: unknown,
): unknown {
  if (!callLimit) return error;
  const address = findCallerAddress(c.req.raw, c.env, config.trustProxy);
  return callLimit.stranger(address, clock.now(), c.get("limitStates")) ?? error;
}
