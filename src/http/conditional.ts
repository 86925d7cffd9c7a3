/** ETags of single records, `If-None-Match` and `If-Match`. */
import { Problem } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import type { ClientContext } from "../db/context.ts";
import { sha1Hex } from "../platform/crypto.ts";

/** Changes with anything that the caller can see in the record: it is made of the whole answer. */
export function etagOf(body: Json): string {
  return `"${sha1Hex(body.text)}"`;
}

/** Whether a list of entity tags (`If-Match`, `If-None-Match`) names this one; weak marks are passed over. */
export function namesTag(header: string, etag: string): boolean {
  return header.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === "*" || tag === etag;
  });
}

/**
 * Refuses with 412 when the request's `If-Match` names another version of the record than `current`,
 * which is what GET would answer the caller now.
 */
export function checkMatch(ctx: ClientContext, current: () => Json): void {
  if (ctx.ifMatch === null || namesTag(ctx.ifMatch, etagOf(current()))) return;
  throw new Problem(
    412,
    "precondition_failed",
    "The record has changed since the version that If-Match names.",
  );
}
