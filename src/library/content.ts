/** The content of files: its limits, what is derived from it, and its key in the storage. */
import { makeToken } from "../core/ids.ts";
import { sha256 } from "../platform/crypto.ts";
import { detectMediaType } from "./media.ts";
import type { FileRow } from "./table.ts";
import type { NewObject } from "../db/objects.ts";

/** The most bytes of a file that clients send. */
export const mostBytes = 10 * 1024 * 1024;

/** The columns of a file that follow from its content. */
export type ContentColumns = Pick<FileRow, "size" | "digest" | "media" | "object_key">;

export interface Content {
  readonly object: NewObject;
  readonly columns: ContentColumns;
}

/** The prefix of the storage keys of content. */
export const contentFolder = "files/";

/** Returns a new storage key for content. */
export function makeContentKey(): string {
  return `${contentFolder}${makeToken()}`;
}

/** Returns the object under a new storage key, and the columns of its file. */
export function makeContent(bytes: Uint8Array): Content {
  const media = detectMediaType(bytes);
  const key = makeContentKey();
  return {
    object: { key, type: media, bytes },
    columns: { size: bytes.length, digest: sha256(bytes), media, object_key: key },
  };
}
