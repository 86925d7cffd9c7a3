/** The storage port: where the bytes of files and pictures lie, by key. */

export interface Storage {
  /** Whether people fetch objects from the storage itself, by links. */
  readonly kind: "folder" | "bucket";
  /** Stores the bytes under a new key. It is kept, whole, when this resolves. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>;
  /** The object, or a part of it; null when there is none. Read the body or cancel it. */
  get(key: string, range?: Range): Promise<Stored | null>;
  /** Removes the object and what a broken-off `put` left of it. One that is not there is no error. */
  remove(key: string): Promise<void>;
  /**
   * An address of the storage under which anybody gets the object for so many seconds; null where there is
   * none and the service hands the bytes out itself.
   */
  link(key: string, seconds: number): Promise<string | null>;
}

/** Bytes from `start` to `end`, both counted from 0 and both included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Stored {
  /** Bytes of the body: of the part, when one was asked for. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

/** The storage did not answer, or refused. The message names no key, since a key opens an object. */
export class StorageUnavailable extends Error {}

/** Refuses keys that could lead elsewhere: words of letters, digits, `-` and `_`, with `/` between them. */
export function checkKey(key: string): void {
  if (!/^[\w-]+(?:\/[\w-]+)*$/.test(key) || key.length > 255) {
    throw new RangeError("not a key of the storage");
  }
}
