/** The conditions of a request: `If-None-Match`, `If-Match`, and the range that it asks for. */
import { Problem } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { ClientContext } from "../db/context.ts";
import { etagOf, withoutEncoding } from "./compression.ts";
import parseRange from "range-parser";
import type { Range } from "../platform/storage/storage.ts";

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
