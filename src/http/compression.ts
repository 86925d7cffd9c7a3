/** Compression of answers, and their ETags: each encoding of a body is a representation with a tag of its own. */
import type { Compressor, Encoding } from "../platform/compressor.ts";

/** Characters from which on a body is compressed: below, the headers are most of an answer. */
const least = 1024;

/** Of encodings that a request likes alike, the first is taken. Brotli is smaller, but gzip begins in half the time. */
const small: readonly Encoding[] = ["br", "gzip"];
const quick: readonly Encoding[] = ["gzip", "br"];

/** How the body of an answer is sent. */
export interface Encoded {
  /** Null: as it is. */
  readonly encoding: Encoding | null;
  /** Whether another request may get it otherwise. */
  readonly varies: boolean;
}

const plain: Encoded = { encoding: null, varies: false };

/** Choices by `Accept-Encoding`: clients send few forms of it, and each takes long to read. */
const quickChoices = new Map<string | null, Encoded>();
const smallChoices = new Map<string | null, Encoded>();
const mostChoices = 100;

/**
 * Chooses by `Accept-Encoding` (RFC 9110, section 12.5.3). `compressor`: null where the platform compresses. `key`: see
 * `Compressor`.
 */
export function encodingOf(
  compressor: Compressor | null,
  request: Headers,
  text: string,
  key?: string,
): Encoded {
  if (compressor === null || text.length < least) return plain;
  const [encodings, choices] = key === undefined ? [quick, quickChoices] : [small, smallChoices];
  const accepted = request.get("accept-encoding");
  let choice = choices.get(accepted);
  if (choice === undefined) {
    choice = { encoding: acceptedEncoding(accepted, encodings), varies: true };
    if (choices.size >= mostChoices) choices.clear();
    choices.set(accepted, choice);
  }
  return choice;
}

/** The headers with those of the encoding; a tag gets the encoding's name at its end. */
export function encodedHeaders(
  headers: Record<string, string>,
  { encoding, varies }: Encoded,
): Record<string, string> {
  if (!varies) return headers;
  const own: Record<string, string> = { ...headers, Vary: "Accept-Encoding" };
  if (encoding === null) return own;
  own["Content-Encoding"] = encoding;
  if (own["ETag"]) own["ETag"] = own["ETag"].replace(/"$/, `-${encoding}"`);
  return own;
}

/** The tag of the record itself, of a tag that names one of its encodings. */
export function withoutEncoding(tag: string): string {
  return tag.replace(/-(?:br|gzip)"$/, '"');
}

/** The encoding with the highest weight; null where none is accepted, or none before the body as it is. */
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
