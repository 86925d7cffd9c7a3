/**
 * The rows of a file from a place on. A step takes few rows, and its commit may fail: so the process keeps the
 * files that are being read open, with the rows that no commit has taken yet. Another process, or a later run,
 * reads from the beginning again.
 */
import type { Storage } from "../../platform/storage/storage.ts";
import { type FileRow, openRows, type Reading } from "../reading/rows.ts";

interface OpenFile {
  readonly rows: AsyncGenerator<FileRow>;
  /** The number of rows before those of `ahead`. */
  place: number;
  readonly ahead: FileRow[];
  isEnded: boolean;
}

/** How many files a process keeps open. */
const mostOpen = 4;

const open = new WeakMap<Storage, Map<string, OpenFile>>();

interface FileOfImport {
  readonly id: string;
  readonly object_key: string;
  readonly reading: Reading;
}

/** Returns at most `most` rows behind the first `place`. Throws UnreadableFile, and when the file is gone. */
export async function readRowsFrom(
  storage: Storage,
  { id, object_key, reading }: FileOfImport,
  place: number,
  most: number,
): Promise<readonly FileRow[]> {
  const files = open.get(storage) ?? new Map<string, OpenFile>();
  open.set(storage, files);
  let file = files.get(id);
  // A step that is made again begins where the one before it did; what is behind it is gone.
  if (file && file.place > place) {
    await closeFile(storage, id);
    file = undefined;
  }
  if (!file) {
    while (files.size >= mostOpen) await closeFile(storage, [...files.keys()][0]!);
    const { rows } = await openRows(await openStoredFile(storage, object_key), reading);
    file = { rows, place: 0, ahead: [], isEnded: false };
    files.set(id, file);
  }
  try {
    while (!file.isEnded && file.place + file.ahead.length < place + most) {
      const { done, value } = await file.rows.next();
      if (done) file.isEnded = true;
      else file.ahead.push(value);
      if (file.place < place && file.ahead.length > 0) {
        file.place++;
        file.ahead.shift();
      }
    }
    while (file.place < place && file.ahead.length > 0) {
      file.place++;
      file.ahead.shift();
    }
  } catch (error) {
    await closeFile(storage, id);
    throw error;
  }
  return file.ahead.slice(0, most);
}

/** Closes the file of an import that has ended. */
export async function closeFile(storage: Storage, id: string): Promise<void> {
  const files = open.get(storage);
  const file = files?.get(id);
  files?.delete(id);
  await file?.rows.return(undefined);
}

/** Opens a stored file. */
export async function openStoredFile(storage: Storage, key: string): Promise<ReadableStream<Uint8Array>> {
  const stored = await storage.get(key);
  if (!stored) throw new Error("the file of an import is gone");
  return stored.body;
}
