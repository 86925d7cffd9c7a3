/**
 * Addresses of the performance report. They contain the user and the parameters, so that nothing is stored.
 */
import { fieldError, invalid } from "../../core/errors.ts";
import { isStillAhead } from "../../core/clocks.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { Context } from "../../db/context.ts";
import { readSignedJson, signJson } from "../../platform/signed_texts.ts";
import type { PerformanceQuery } from "./schema.ts";

export const performanceFolder = "/reports/performance/";
const purpose = "performance";
const ending = ".pdf";
/** The most characters of a signed name. Browsers and proxies accept addresses of this length. */
const mostCharacters = 6_000;

/** What an address asks for. */
export interface Asked {
  readonly user_id: number;
  readonly query: PerformanceQuery;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Returns the address, which works for five minutes. Throws 422 for parameters that are too long for one. */
export function signPerformanceAddress(
  { deps, origin, caller, now }: Context,
  query: PerformanceQuery,
): string {
  const asked: Asked = { user_id: caller.userId, query, until: now + lifetimes.fileLink };
  const name = signJson(deps.secretsKey, purpose, asked);
  if (name.length > mostCharacters) {
    const size = (value: unknown) => JSON.stringify(value ?? null).length;
    const [[longest]] = Object.entries(query).sort(([, a], [, b]) => size(b) - size(a)) as [
      [string, unknown],
    ];
    throw invalid(
      fieldError(`query.${longest}`, "max", "The parameters are too long for an address: name fewer."),
    );
  }
  return `${origin}${performanceFolder}${name}${ending}`;
}

/**
 * Reads the last part of an address. Returns null for any other text, and for an address that has expired.
 */
export function parsePerformanceAddress(secretsKey: Uint8Array, name: string, now: number): Asked | null {
  if (!name.endsWith(ending)) return null;
  const asked = readSignedJson(secretsKey, purpose, name.slice(0, -ending.length)) as Asked | null;
  return asked !== null && isStillAhead(asked.until, now, lifetimes.fileLink) ? asked : null;
}
