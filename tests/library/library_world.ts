/** Files and folders as rows, for tests of what is read of them. */
import { makeId } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insert } from "../../src/db/statements.ts";
import { addNameKey, extractEnding } from "../../src/library/names.ts";
import {
  attachments,
  filePermissions,
  type FileRow,
  files,
  type FolderRow,
  folders,
} from "../../src/library/table.ts";
import { type Permission } from "../../src/library/access.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { makeToken } from "../../src/core/ids.ts";
import type { TestApp } from "../support/app.ts";

type Given<T> = Partial<T> & { readonly company_id: number; readonly user_id: number };

/** Inserts a folder; returns its id. */
export async function folderRow(app: TestApp, given: Given<FolderRow>): Promise<string> {
  const { id = makeId(), name = "Offers", ...more } = given;
  const at = formatTimestamp(app.clock.now());
  await app.deps.db.write([
    insert(folders, { id, ...addNameKey(name), created_at: at, updated_at: at, ...more }),
  ]);
  return id;
}

/** Inserts a file without content; returns its id. */
export async function fileRow(
  app: TestApp,
  { permissions = [], ...given }: Given<FileRow> & { readonly permissions?: readonly Permission[] },
): Promise<string> {
  const { id = makeId(), name = "offer.pdf", ...more } = given;
  const at = formatTimestamp(app.clock.now());
  const placed = given.folder_id || given.belongs_to ? { placed_by: given.user_id, placed_at: at } : {};
  await app.deps.db.write([
    insert(files, {
      id,
      ...addNameKey(name),
      type: extractEnding(name),
      size: 3,
      digest: sha256("abc"),
      media: "application/octet-stream",
      object_key: `files/${makeToken()}`,
      created_at: at,
      updated_at: at,
      ...placed,
      ...more,
    }),
    ...permissions.map((permission) =>
      insert(filePermissions, { file_id: id, ...permission, company_id: given.company_id, created_at: at })
    ),
  ]);
  return id;
}

/** Attaches a file to a record, as a row. */
export async function attachRow(
  app: TestApp,
  row: Pick<typeof attachments.$inferSelect, "entity_type" | "entity_id" | "file_id" | "company_id">,
): Promise<void> {
  const at = formatTimestamp(app.clock.now());
  await app.deps.db.write([insert(attachments, { ...row, attached_by: 1, attached_at: at })]);
}
