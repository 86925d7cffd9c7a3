/** ETags and compression of responses. Each encoding of a body is a representation with its own tag. */
import type { Json } from "../core/json.ts";
import type { Compressor, Encoding } from "../platform/compressor.ts";
import { sha1Hex } from "../platform/crypto.ts";

/** The smallest body that is compressed, in characters. Headers dominate smaller responses. */
const least = 1024;

/**
 * In order of preference, for encodings with equal weights. Brotli is smaller, but gzip starts in half the
 * time.
 */
const small: readonly Encoding[] = ["br", "gzip"];
const quick: readonly Encoding[] = ["gzip", "br"];

/** Choices by `Accept-Encoding`; null: uncompressed. Clients send few different values, and parsing one takes long. */
const quickChoices = new Map<string | null, Encoding | null>();
const smallChoices = new Map<string | null, Encoding | null>();
const mostChoices = 100;

/** A response whose encoding is chosen. */
export interface Encoded {
  /** Null: uncompressed. */
  readonly encoding: Encoding | null;
  /** With those of the encoding, whose name is part of the ETag. */
  readonly headers: Record<string, string>;
}

/**
 * Chooses by `Accept-Encoding` (RFC 9110, section 12.5.3). `compressor`: null where the platform compresses. `key`: see
 * `Compressor`.
 */
export function encodedFor(
  request: Headers,
  compressor: Compressor | null,
  text: string,
  headers: Record<string, string>,
  key?: string,
): Encoded {
  if (compressor === null || text.length < least) return { encoding: null, headers };
  const [encodings, choices] = key === undefined ? [quick, quickChoices] : [small, smallChoices];
  const accepted = request.get("accept-encoding");
  let encoding = choices.get(accepted);
  if (encoding === undefined) {
    encoding = acceptedEncoding(accepted, encodings);
    if (choices.size >= mostChoices) choices.clear();
    choices.set(accepted, encoding);
  }
  const own: Record<string, string> = { ...headers, Vary: "Accept-Encoding" };
  if (encoding === null) return { encoding, headers: own };
  own["Content-Encoding"] = encoding;
  if (own["ETag"]) own["ETag"] = own["ETag"].replace(/"$/, `-${encoding}"`);
  return { encoding, headers: own };
}

/**
 * Returns an ETag that changes with everything that the caller sees: a hash of the response text, or of its
 * tag.
 */
export function etagOf(body: Json): string {
  return `"${sha1Hex(body.tag)}"`;
}

/** The tag of a record that is shown with a list: it changes with both, and `If-Match` compares the record alone. */
export function etagOfView(record: Json, view: Json): string {
  return `"${sha1Hex(record.tag)}.${sha1Hex(view.tag)}"`;
}

/** Returns the tag of the record from a tag of one of its encodings. */
export function withoutEncoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"');
}

/**
 * Returns the encoding with the highest weight. Returns null when none is accepted, or when `identity` has a
 * higher weight.
 */
export function acceptedEncoding(
  accepted: string | null,
  encodings: readonly Encoding[] = small,
): Encoding | null {
  if (accepted === null) return null;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    const weight = parameters.find((each) => /^q\s*=/.test(each))?.replace(/^q\s*=\s*/, "") ?? "1";
    weights.set(name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  const best = encodings.toSorted((a, b) => weightOf(b) - weightOf(a))[0]!;
  const enough = Math.max(weights.get("identity") ?? 0, Number.MIN_VALUE);
  return weightOf(best) >= enough ? best : null;
}
