/**
 * File → wire shape. A file has one canonical JSON, the same in `/files`, below `/filemanager` and at
 * records. Its ETag is computed from it, and idempotency keys store it. Members that views add (`with…`) are
 * part of neither.
 */
import { type Json, Json as JsonText, object } from "../core/json.ts";
import { fileMembers } from "../core/file_json.ts";
import type { FileFacts } from "./access.ts";

/** The facts that the JSON of a file needs. */
export type ShownFile = Omit<FileFacts, "seq" | "is_attached" | "in_cases" | "readers">;

/** The canonical JSON of a file. */
export function presentFile(file: ShownFile) {
  return object(fileMembers(file));
}

/** Adds members that are part of neither the ETag nor a stored answer, such as a download token. */
export function withUnkept<T, M extends Readonly<Record<string, string>>>(
  canonical: Json<T>,
  more: M,
): Json<T & M> {
  const added = Object.entries(more).map(([key, value]) =>
    `,${JSON.stringify(key)}:${JSON.stringify(value)}`
  );
  return new JsonText(`${canonical.text.slice(0, -1)}${added.join("")}}`, canonical.tag);
}
