import type { Json } from "../core/json.ts";
import { sha1Hex } from "../platform/crypto.ts";

/** Changes with anything that the caller can see in the record: it is made of the whole answer, or of its tag. */
export function etagOf(body: Json): string {
  return `"${sha1Hex(body.tag)}"`;
}
