/**
 * Encodings and ETags of answers, and the conditions of requests: `If-None-Match`, `If-Match` and `Range`. Each
 * encoding of a body is a representation with its own tag.
 */
import { Problem } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { ClientContext } from "../db/context.ts";
import { sha1Hex } from "../platform/crypto.ts";
import type { Compressor, Encoding } from "../platform/compressor.ts";
import parseRange from "range-parser";
import type { Range } from "../platform/storage/storage.ts";

/** The smallest body that is compressed, in characters. Headers dominate smaller responses. */
const least = 1024;

/**
 * In order of preference, for encodings with equal weights. Brotli is smaller, but gzip starts in half the
 * time.
 */
const small: readonly Encoding[] = ["br", "gzip"];
const quick: readonly Encoding[] = ["gzip", "br"];

/** The encoding of a response body. */
export interface Encoded {
  /** Null: uncompressed. */
  readonly encoding: Encoding | null;
  /** Whether the encoding depends on the request. */
  readonly varies: boolean;
}

const plain: Encoded = { encoding: null, varies: false };

/** Choices by `Accept-Encoding`. Clients send few different values, and parsing one takes long. */
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

/** Returns the headers with those of the encoding. Appends the encoding's name to the ETag. */
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

/** Returns whether `If-None-Match` names the tag. Ignores `W/`, which proxies add. */
export function matchesNone(headers: Headers, etag: string): boolean {
  const sent = headers.get("if-none-match");
  return sent !== null && names(sent, etag, (tag) => tag.replace(/^W\//, ""));
}

/**
 * Throws 412 when `If-Match` names another version of the record than `current`, the body that GET would
 * return now. A weak tag names no version.
 */
export function checkMatch(ctx: ClientContext, current: () => Json): void {
  if (ctx.ifMatch === null || names(ctx.ifMatch, etagOf(current()), recordTag)) return;
  throw new Problem(
    412,
    "precondition_failed",
    "The record has changed since the version that If-Match names.",
  );
}

/** Throws 412 when `If-Match` names a version of a record that the call would create. */
export function checkNoMatch(ctx: ClientContext): void {
  if (ctx.ifMatch !== null) {
    throw new Problem(
      412,
      "precondition_failed",
      "There is no such record, so no version that If-Match names.",
    );
  }
}

/** The record's part of a tag of `etagOfView`. */
function recordTag(tag: string): string {
  return withoutEncoding(tag).replace(/\.[0-9a-f]{40}"$/, '"');
}

function names(header: string, etag: string, read: (tag: string) => string): boolean {
  return header.split(",").some((part) => {
    const tag = read(part.trim());
    return tag === "*" || tag === etag || withoutEncoding(tag) === etag;
  });
}

/** The range that the request asks for; null: everything, as for several ranges and for none that is understood. */
export function rangeOf(
  { headers, method }: Request,
  size: number,
  etag: string,
): Range | "unsatisfiable" | null {
  const sent = headers.get("range");
  if (sent === null || method !== "GET") return null;
  const condition = headers.get("if-range");
  // Dates never match: they are to the second only.
  if (condition !== null && condition !== etag) return null;
  const ranges = parseRange(size, sent);
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return null;
  return ranges[0]!;
}
