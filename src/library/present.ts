/**
 * File → wire shape. A file has one canonical JSON, the same in `/files`, below `/filemanager` and at records: its
 * ETag is taken from it, and it is kept under idempotency keys. What views add (`with…`) is no part of either.
 */
import { type Json, Json as JsonText, object } from "../core/json.ts";
import { fileMembers } from "../db/file_json.ts";
import type { FileFacts } from "./access.ts";

/** The data of the JSON of a file. */
export type ShownFile = Omit<FileFacts, "seq" | "is_attached" | "in_cases" | "readers">;

/** The canonical JSON of a file. */
export function presentFile(file: ShownFile) {
  return object(fileMembers(file));
}

/** Adds members that neither the ETag nor a kept answer has, such as a download token. */
export function withUnkept<T, M extends Readonly<Record<string, string>>>(
  canonical: Json<T>,
  more: M,
): Json<T & M> {
  const added = Object.entries(more).map(([key, value]) =>
    `,${JSON.stringify(key)}:${JSON.stringify(value)}`
  );
  return new JsonText(`${canonical.text.slice(0, -1)}${added.join("")}}`, canonical.tag);
}
