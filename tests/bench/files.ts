/**
 * Files for measurements: a folder of 10,000 files, a file of 1 MiB in the storage, and bodies that upload
 * one.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { insert, insertAll } from "../../src/db/statements.ts";
import { addNameKey } from "../../src/library/names.ts";
import { files, folders } from "../../src/library/table.ts";
import { makeId } from "../../src/core/ids.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";

export interface BenchFiles {
  /** The id of a folder of 10,000 files. */
  readonly folder: string;
  /** The id of a file of 1 MiB. */
  readonly file: string;
  /** Paths of bodies with a file of 1 MiB. */
  readonly form: string;
  readonly json: string;
  readonly formType: string;
}

const many = 10_000;

/** Creates the files. `home` is the folder of the world, with the storage in `files`. */
export async function makeFiles(
  db: Database,
  home: string,
  { companyId, userId }: { readonly companyId: number; readonly userId: number },
): Promise<BenchFiles> {
  const content = new Uint8Array(1024 * 1024);
  for (let at = 0; at < content.length; at += 65_536) {
    crypto.getRandomValues(content.subarray(at, at + 65_536));
  }
  const [folder, id, key] = [makeId(), makeId(), "bench"];
  const at = "2026-01-01 00:00:00";
  const owned = { company_id: companyId, user_id: userId, created_at: at, updated_at: at };
  const row = {
    type: "bin",
    size: content.length,
    digest: sha256(content),
    media: "application/octet-stream",
  };
  const root = { belongs_to: "company", belongs_to_id: companyId } as const;
  await db.write([
    insert(folders, { id: folder, ...addNameKey("Many"), ...owned, ...root }),
    insert(files, { id, ...addNameKey("one.bin"), ...owned, ...row, ...root, object_key: key }),
    {
      sql: "insert into objects (key, company_id, type, bytes, created_at) values (?, ?, ?, ?, ?)",
      args: [key, companyId, row.media, row.size, at],
    },
  ]);
  for (let from = 0; from < many; from += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      id: makeId(),
      ...addNameKey(`File ${from + n}.bin`),
      ...owned,
      ...row,
      folder_id: folder,
      object_key: `bench-${from + n}`,
    }));
    await db.write([insertAll(files, rows)]);
  }
  mkdirSync(join(home, "files"), { recursive: true });
  writeFileSync(join(home, "files", key), content);
  const { type: formType, bytes } = await makeMultipart({ file: makeFile("a.bin", content) });
  const [form, json] = [join(home, "form"), join(home, "json")];
  writeFileSync(form, bytes);
  writeFileSync(json, JSON.stringify({ name: "a.bin", data: content.toBase64() }));
  return { folder, file: id, form, json, formType };
}
