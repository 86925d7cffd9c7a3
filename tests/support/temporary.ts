import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** The bytes that the files of all tests may need together. */
const need = 4e9;

/**
 * The folder for the databases of test apps: in memory if there is room, because otherwise each of the many
 * commits waits for the disk. The proofs do not depend on it: in both places, the kernel keeps what a killed
 * process wrote. `TMPDIR` overrides the folder. Deno lets only processes with all permissions use `/dev/shm`.
 */
export const temporary: string = Deno.env.get("TMPDIR") ?? (isRoomy("/dev/shm") ? "/dev/shm" : "/tmp");

/** Creates a folder in `temporary` and returns its path. */
export function newFolder(prefix: string): string {
  return mkdtempSync(join(temporary, prefix));
}

/**
 * Creates a folder for what several tests read, and returns its path. The folder is deleted when the thread
 * that runs a group of test files ends: it ends without a test that is the last one.
 */
export function sharedFolder(prefix: string): string {
  const folder = newFolder(prefix);
  globalThis.addEventListener("unload", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= need;
  } catch {
    return false;
  }
}
