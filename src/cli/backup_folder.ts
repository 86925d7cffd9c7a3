/** What a folder with a backup holds, for making one and for taking it back. */
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const backupNames = {
  database: "crm.db",
  files: "files",
  key: "secrets.key",
  /** Written last: a backup without it was broken off. */
  manifest: "backup.json",
} as const;

export interface Manifest {
  readonly made_at: string;
  readonly database_bytes: number;
  /** How many stored files came along. */
  readonly files: number;
}

/** Copies the files of a folder, and of those in it. What is gone by then is left out. Answers how many. */
export function copyFolder(from: string, to: string): number {
  let copied = 0;
  for (const entry of entriesOf(from)) {
    const [source, target] = [join(from, entry), join(to, entry)];
    try {
      if (statSync(source).isDirectory()) {
        copied += copyFolder(source, target);
        continue;
      }
      mkdirSync(to, { recursive: true });
      copyFileSync(source, target);
      copied++;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return copied;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
