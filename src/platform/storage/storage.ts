/** The storage port: the bytes of files and pictures, by key. */

export interface Storage {
  /** `bucket`: clients can fetch objects from the storage by links. */
  readonly kind: "folder" | "bucket";
  /** Stores the bytes under a new key. They are durable when this resolves. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>;
  /**
   * Stores bytes under a new key as they arrive. A folder holds at most 256 KiB and a chunk of them in
   * memory. A bucket collects them all, because it must know their number. Throws an error of `bytes`
   * unchanged, and then leaves nothing behind.
   */
  putStream(key: string, bytes: AsyncIterable<Uint8Array>, type: string): Promise<void>;
  /** Returns the object or a part of it; null when it does not exist. Read or cancel the body. */
  get(key: string, range?: Range): Promise<Stored | null>;
  /**
   * Returns the next objects of a folder of keys, such as `files/`, in ascending order of their keys: those
   * after `after`, or the first. An empty list means that there are no more.
   */
  list(folder: string, after: string | null): Promise<readonly Listed[]>;
  /** Removes the object and the remains of an interrupted `put`. A missing object is no error. */
  remove(key: string): Promise<void>;
  /**
   * Returns a URL of the storage that serves the object for this many seconds; null when the service serves
   * the bytes itself.
   */
  link(key: string, seconds: number): Promise<string | null>;
}

/** Bytes from `start` to `end`, both counted from 0 and both included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Listed {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

export interface Stored {
  /** Bytes of the body or of the requested part. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * The storage did not answer or refused. The message contains no key, because a key gives access to an
 * object.
 */
export class StorageUnavailable extends Error {}

/** There is no room in the storage. */
export class StorageFull extends StorageUnavailable {}

/** Stores bytes as they arrive. Throws an error of `bytes` as it is, not as the storage reports it. */
export async function storeFromSource(
  bytes: AsyncIterable<Uint8Array>,
  store: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  async function* watchBytes() {
    try {
      yield* bytes;
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  try {
    await store(watchBytes());
  } catch (error) {
    throw failures.length > 0 ? failures[0] : error;
  }
}

/** Rejects a folder that is not the beginning of a key up to a `/`. */
export function checkFolder(folder: string): void {
  if (!/^(?:[\w-]+\/)+$/.test(folder)) throw new RangeError("not a folder of the storage");
}

/**
 * Rejects keys other than words of letters, digits, `-` and `_` separated by `/`, which cannot leave the
 * folder.
 */
export function checkKey(key: string): void {
  if (!/^[\w-]+(?:\/[\w-]+)*$/.test(key) || key.length > 255) {
    throw new RangeError("not a key of the storage");
  }
}
