/**
 * File → wire shape. A file has one canonical JSON, the same in `/files`, below `/filemanager` and at
 * records. Its ETag is computed from it, and idempotency keys store it. Members that views add (`with…`) are
 * part of neither.
 */
import { Json } from "../core/json.ts";
import { fileMembers } from "../core/file_json.ts";
import type { FileFacts } from "./access.ts";

/** The facts that the JSON of a file needs. */
export type ShownFile = Omit<FileFacts, "seq" | "is_attached" | "in_cases" | "readers">;

/** A file in its canonical form. */
export function presentFile(file: ShownFile) {
  return fileMembers(file);
}

/** Adds members that are part of neither the ETag nor a stored answer, such as a download token. */
export function withUnkept<T extends object, M extends Readonly<Record<string, string>>>(
  canonical: T,
  more: M,
): Json<T & M> {
  return new Json<T & M>(JSON.stringify({ ...canonical, ...more }), { tag: JSON.stringify(canonical) });
}
