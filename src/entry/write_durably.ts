import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file for its owner's eyes only; it is on the disk afterwards, under this name. */
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

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
