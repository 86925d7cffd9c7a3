/** The encoding of a response, as `Accept-Encoding` asks for it (RFC 9110, section 12.5.3). */
import type { Encoding } from "../platform/compressor.ts";

/** The order for equal weights: Brotli compresses better, but gzip starts in half the time. */
export const smallest: readonly Encoding[] = ["br", "gzip"];
export const quickest: readonly Encoding[] = ["gzip", "br"];

/**
 * Returns the encoding with the highest weight. Returns null when none is accepted, or when `identity` has a
 * higher weight.
 */
export function chooseEncoding(
  accepted: string | null,
  encodings: readonly Encoding[] = smallest,
): Encoding | null {
  if (accepted === null) return null;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    const weight = parameters.find((each) => /^q\s*=/.test(each))?.replace(/^q\s*=\s*/, "") ?? "1";
    weights.set(name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  const getWeight = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const best = encodings.toSorted((a, b) => getWeight(b) - getWeight(a))[0]!;
  const enough = Math.max(weights.get("identity") ?? 0, Number.MIN_VALUE);
  return getWeight(best) >= enough ? best : null;
}
