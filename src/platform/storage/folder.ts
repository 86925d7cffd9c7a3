/** Storage in a folder of this machine. */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkKey, type Range, type Storage, StorageUnavailable, type Stored } from "./storage.ts";

/** Bytes that one read of a file takes. */
const piece = 64 * 1024;

/** Stores below the folder, which is made when it is first needed. */
export function folderStorage(folder: string): Storage {
  const pathOf = (key: string) => {
    checkKey(key);
    return join(folder, key);
  };
  return {
    kind: "folder",
    put: (key, bytes) => answering(() => write(pathOf(key), bytes)),
    get: (key, range) => answering(() => read(pathOf(key), range)),
    remove: (key) =>
      answering(async () => {
        const path = pathOf(key);
        await rm(path, { force: true });
        await rm(unfinished(path), { force: true });
      }),
    link: () => Promise.resolve(null),
  };
}

/** What is being written, until it is whole. The name follows from the key, so that it can be found again. */
function unfinished(path: string): string {
  return `${path}.part`;
}

/** Whole or not at all, also when the power fails: the bytes reach the disk before the name does. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(unfinished(path), "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished(path), path);
  const folder = await open(dirname(path), constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function read(path: string, range: Range | undefined): Promise<Stored | null> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
  const whole = (await file.stat()).size;
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? whole - 1, whole - 1);
  return { size: Math.max(0, end + 1 - start), body: streamOf(file, start, end) };
}

/** The bytes of the file as they are asked for; closes it at the end, and when nobody wants more. */
function streamOf(file: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = new Uint8Array(Math.max(0, Math.min(piece, end + 1 - at)));
      const { bytesRead } = chunk.length > 0 ? await file.read(chunk, 0, chunk.length, at) : { bytesRead: 0 };
      at += bytesRead;
      if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
      if (bytesRead === 0 || at > end) {
        controller.close();
        await file.close();
      }
    },
    cancel: () => file.close(),
  }, { highWaterMark: 0 });
}

/** What the system refuses is what a storage refuses. */
async function answering<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new StorageUnavailable(`the folder: ${codeOf(error) ?? (error as Error).name}`);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
