import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file that only its owner can read. When it returns, the file and its name are on the disk. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncPath(dirname(path));
}

/** Flushes a file, or the names in a folder, to the disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
