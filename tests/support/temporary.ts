import { mkdtempSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Bytes that all files of tests together may need. */
const need = 4e9;

/**
 * Where the databases of apps in this process lie: in memory, where there is room for them, since else the tests wait for the disk
 * at each of their many commits. Nothing that they prove hangs on it: what a killed process wrote is the kernel's to
 * keep, on either. `TMPDIR` says otherwise. Deno lets no process
 * in there that has not all permissions.
 */
export const temporary: string = Deno.env.get("TMPDIR") ?? (isRoomy("/dev/shm") ? "/dev/shm" : "/tmp");

/** A new folder there. */
export function newFolder(prefix: string): string {
  return mkdtempSync(join(temporary, prefix));
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= need;
  } catch {
    return false;
  }
}
