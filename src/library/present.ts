/**
 * File → wire shape. A file has one canonical JSON, the same in `/files`, below `/filemanager` and at records: its
 * ETag is taken from it, and it is kept under idempotency keys. What views add (`with…`) is no part of either.
 */
import { type Json, Json as JsonText, object } from "../core/json.ts";
import type { FileFacts } from "./access.ts";

/** What the JSON of a file is made of. */
export type ShownFile = Omit<FileFacts, "seq" | "is_attached" | "readers">;

/** The canonical JSON of a file. */
export function presentFile(file: ShownFile) {
  return object({
    id: file.id,
    name: file.name,
    type: file.type,
    size: file.size,
    public: file.public === 1,
    created_at: file.created_at,
    updated_at: file.updated_at,
    user_id: file.user_id,
    company_id: file.company_id,
    permissions: file.permissions.map(({ type, value }) => ({ type, value })),
    folder_id: file.folder_id,
    belongs_to: file.place?.belongs_to ?? null,
    belongs_to_id: file.place?.belongs_to_id ?? null,
  });
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
