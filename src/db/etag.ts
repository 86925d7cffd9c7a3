import type { Json } from "../core/json.ts";
import { sha1Hex } from "../platform/crypto.ts";

/**
 * Returns an entity tag that changes with everything the caller can see: a hash of the answer, or of its tag.
 */
export function etagOf(body: Json): string {
  return `"${sha1Hex(body.tag)}"`;
}
