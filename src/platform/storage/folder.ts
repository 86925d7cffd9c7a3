/** Storage in a folder of this machine. */
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkFolder,
  checkKey,
  type Listed,
  type Range,
  type Storage,
  StorageFull,
  StorageUnavailable,
  type Stored,
  storeFromSource,
} from "./storage.ts";

/** Bytes per read of a file. */
const piece = 64 * 1024;

/** Bytes of a stream per write. */
const gatheredBytes = 256 * 1024;

/** Stores below the folder, which is created on first use. */
export function makeFolderStorage(folder: string): Storage {
  const makePath = (key: string) => {
    checkKey(key);
    return join(folder, key);
  };
  return {
    kind: "folder",
    put: (key, bytes) => mapSystemErrors(() => write(makePath(key), (file) => writeAll(file, bytes))),
    putStream: (key, bytes) =>
      storeFromSource(
        bytes,
        (source) => mapSystemErrors(() => write(makePath(key), (file) => writeChunks(file, source))),
      ),
    get: (key, range) =>
      mapSystemErrors(async () => {
        const stored = await read(makePath(key), range);
        // Without its folder, as when a disk is not mounted, an object is not gone for good.
        if (stored === null) await opendir(folder).then((there) => there.close());
        return stored;
      }),
    list: (below, after) => {
      checkFolder(below);
      return mapSystemErrors(() => list(join(folder, below), below, after));
    },
    remove: (key) =>
      mapSystemErrors(async () => {
        const path = makePath(key);
        await rm(path, { force: true });
        await rm(makeUnfinishedPath(path), { force: true });
      }),
    link: () => Promise.resolve(null),
  };
}

/** Most names per list: reading a large folder again is cheaper than holding all of its names in memory. */
const mostListed = 20_000;

/** Returns the objects after a key, at most `mostListed`. */
async function list(path: string, below: string, after: string | null): Promise<Listed[]> {
  let names: string[] = [];
  const first = () => names.sort().slice(0, mostListed);
  try {
    for await (const entry of await opendir(path)) {
      if (!entry.isFile() || !/^[\w-]+$/.test(entry.name)) continue;
      if (after !== null && below + entry.name <= after) continue;
      names.push(entry.name);
      if (names.length >= 2 * mostListed) names = first();
    }
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
  const listed: Listed[] = [];
  for (const name of first()) {
    const found = await stat(join(path, name)).catch(() => null);
    // A file can be deleted while the folder is read.
    if (found) listed.push({ key: below + name, size: found.size });
  }
  return listed;
}

/** Path of an unfinished object. It follows from the key, so that `remove` finds it. */
function makeUnfinishedPath(path: string): string {
  return `${path}.part`;
}

/**
 * Writes a file atomically, even when power fails: the bytes reach the disk before the name.
 *
 * Works around: handles of `node:fs` write and sync in the serving thread, so this uses `Deno.open`.
 * True for: Deno 2.9.6.
 * Remove when: `FileHandle` writes and syncs in a thread of its own.
 */
async function write(path: string, fill: (file: Deno.FsFile) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  {
    using file = await Deno.open(makeUnfinishedPath(path), {
      write: true,
      create: true,
      truncate: true,
      mode: 0o600,
    });
    try {
      await fill(file);
      await file.sync();
    } catch (error) {
      await rm(makeUnfinishedPath(path), { force: true }).catch(() => {});
      throw error;
    }
  }
  await rename(makeUnfinishedPath(path), path);
  using folder = await Deno.open(dirname(path));
  await folder.sync();
}

/** Gathers chunks before writing, because each write takes a thread, which costs as much as many bytes. */
async function writeChunks(file: Deno.FsFile, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const gathered = new Uint8Array(gatheredBytes);
  let size = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + gathered.length - size);
      gathered.set(part, size);
      size += part.length;
      at += part.length;
      if (size < gathered.length) continue;
      await writeAll(file, gathered);
      size = 0;
    }
  }
  await writeAll(file, gathered.subarray(0, size));
  gathered.buffer.transfer(0);
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(at === 0 ? bytes : bytes.subarray(at));
}

async function read(path: string, range: Range | undefined): Promise<Stored | null> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (readErrorCode(error) === "ENOENT" || readErrorCode(error) === "ENOTDIR") return null;
    throw error;
  }
  const whole = (await file.stat()).size;
  const start = range?.start ?? 0;
  const end = Math.min(range?.end ?? whole - 1, whole - 1);
  return { size: Math.max(0, end + 1 - start), body: streamFile(file, start, end) };
}

/**
 * Streams the bytes of the file as they are read. Closes the file at the end and when the stream is
 * cancelled.
 */
function streamFile(file: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
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

/** Maps system errors to `StorageUnavailable`. */
async function mapSystemErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const code = readErrorCode(error) ?? (error as Error).name;
    // No space on the disk, or no more in the quota of this user.
    if (/^(?:ENOSPC|EDQUOT)$/.test(code) || /os error (?:28|122)\b/.test(String(error))) {
      throw new StorageFull(`the folder: ${code}`);
    }
    throw new StorageUnavailable(`the folder: ${code}`);
  }
}

function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
