/** ETags, and the conditions of a request: `If-None-Match`, `If-Match`, and the range that it asks for. */
import { Problem } from "../core/errors.ts";
import { type Json, toJson } from "../core/json.ts";
import type { ClientContext } from "../db/context.ts";
import type { Encoding } from "../platform/compressor.ts";
import { sha1Hex } from "../platform/crypto.ts";
import parseRange from "range-parser";
import type { Range } from "../platform/storage/storage.ts";

/**
 * Returns an ETag that changes with everything that the caller sees: a hash of the tag of the body, which is
 * the response text or a short form of it.
 */
export function computeEtag(body: Json): string {
  return `"${sha1Hex(body.tag)}"`;
}

/** Returns the tag of a record shown with a list. It changes with both; `If-Match` ignores the list. */
export function makeEtagOfView(record: object, view: object): string {
  return `"${sha1Hex(toJson(record).tag)}.${sha1Hex(toJson(view).tag)}"`;
}

/** Returns the tag of an encoding: each encoding of a body is a representation with its own tag. */
export function addEncoding(tag: string, encoding: Encoding): string {
  return tag.replace(/"$/, `-${encoding}"`);
}

/** Returns the tag of the record from a tag of one of its encodings, by the service or a proxy. */
function stripEncoding(tag: string): string {
  return tag.replace(/-(?:br|gzip|zstd)"$/, '"');
}

/** Returns whether `If-None-Match` names the tag. */
export function matchesNone(headers: Headers, etag: string): boolean {
  const sent = headers.get("if-none-match");
  return sent !== null && namesTag(sent, etag, (tag) => tag);
}

/**
 * Throws 412 when `If-Match` names another version of the record than `current`, the body that GET would
 * return now. Keeps the body for `commit`, which compares it with the answer.
 */
export function checkMatch(ctx: ClientContext, current: () => object): void {
  const present = () => toJson<unknown>(current());
  if (ctx.target) ctx.target.present ??= present;
  if (ctx.ifMatch === null || namesTag(ctx.ifMatch, computeEtag(present()), extractRecordTag)) return;
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

/** Returns the record's part of a tag from `makeEtagOfView`. */
function extractRecordTag(tag: string): string {
  return stripEncoding(tag).replace(/\.[0-9a-f]{40}"$/, '"');
}

/**
 * Returns whether the header names the tag. Ignores `W/`, which proxies add when they compress: a tag of ours
 * is a hash of the whole record, so that an equal one names this version all the same.
 */
function namesTag(header: string, etag: string, read: (tag: string) => string): boolean {
  // A star stands alone, not in a list and not as a weak tag: RFC 9110, section 13.1.1.
  if (header.trim() === "*") return true;
  return header.split(",").some((part) => {
    const tag = read(part.trim().replace(/^W\//, ""));
    return tag === etag || stripEncoding(tag) === etag;
  });
}

/** Returns the header without the excess of "the last 5,000 bytes" of fewer, which are all: RFC 9110, section 14.1.2. */
function trimSuffixRanges(range: string, size: number): string {
  return range.replaceAll(
    /(?<=[=,]\s*)-(\d+)(?=\s*(?:,|$))/g,
    (part, last) => Number(last) > size && size > 0 ? `-${size}` : part,
  );
}

/**
 * Returns the requested range. Null means the whole body, also for malformed ranges and where several can be
 * served, as RFC 9110, section 14.2 allows. Ranges behind the end count for nothing beside others.
 */
export function parseByteRange(
  { headers, method }: Request,
  size: number,
  etag: string,
): Range | "unsatisfiable" | null {
  const sent = headers.get("range");
  if (sent === null || method !== "GET") return null;
  const condition = headers.get("if-range");
  // Dates never match, because they are only precise to the second.
  if (condition !== null && condition !== etag) return null;
  const ranges = parseRange(size, trimSuffixRanges(sent, size));
  if (ranges === -1) return "unsatisfiable";
  if (ranges === -2 || ranges.type !== "bytes" || ranges.length !== 1) return null;
  return ranges[0]!;
}
