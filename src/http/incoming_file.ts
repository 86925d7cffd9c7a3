/**
 * Stores the file of a form while it arrives. The verb starts this after checking that the file may be
 * stored.
 */
import { invalid } from "../core/errors.ts";
import { sha256Stream } from "../platform/crypto.ts";
import type { Bindings } from "./address.ts";
import { makeTooLargeProblem } from "./bodies.ts";
import { readParts, restLimit } from "./form_parts.ts";
import { type FilePart, makeLargeFileFault, makeMissingFileFault, makeSecondFileFault } from "./multipart.ts";

/** How many bytes from the start of a file are kept, to detect its type. */
const headBytes = 1024;

export interface ReceivedFile<T> {
  /** As sent. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
  /** The first bytes. */
  readonly head: Uint8Array;
  /** The text fields of the form. */
  readonly fields: FormFields;
  /** The result of `store`. */
  readonly stored: T;
}

export type FormFields = Readonly<Record<string, string>>;

/** Stores the bytes. Throws to reject the file, for example because of its name. */
export interface FileStore<T> {
  /** `fields`: those that came before the file. */
  readonly store: (name: string, bytes: AsyncIterable<Uint8Array>, fields: FormFields) => Promise<T>;
  /** Removes the stored bytes when the request fails later. */
  readonly undo: () => Promise<void>;
}

export class IncomingFile {
  readonly #request: Request;
  readonly #chunks: Bindings["chunks"];
  readonly #field: string;
  readonly #part: FilePart;
  readonly #withinMs: number;
  readonly #onRead: (fingerprint: string, parts: readonly string[]) => void;
  #received: ReceivedFile<unknown> | null = null;
  #undo: (() => Promise<void>) | null = null;
  #isBegun = false;

  /** `onRead` receives the fingerprint of the form, equal for all bodies with the same parts, and their names. */
  constructor(
    request: Request,
    { chunks, field, part, withinMs, onRead }: {
      readonly chunks: Bindings["chunks"];
      readonly field: string;
      readonly part: FilePart;
      readonly withinMs: number;
      readonly onRead: (fingerprint: string, parts: readonly string[]) => void;
    },
  ) {
    this.#request = request;
    this.#chunks = chunks;
    this.#field = field;
    this.#part = part;
    this.#withinMs = withinMs;
    this.#onRead = onRead;
  }

  /**
   * Whether the file was received. When the verb runs again after a conflicting change, the file stays
   * stored.
   */
  get isReceived(): boolean {
    return this.#received !== null;
  }

  /**
   * Stores the file as it arrives. A second call returns the first result. Throws 422 at the field for a file
   * that is missing, repeated or too large; see `readParts` for a broken form.
   */
  async receive<T>({ store, undo }: FileStore<T>): Promise<ReceivedFile<T>> {
    if (this.#received !== null) return this.#received as ReceivedFile<T>;
    this.#undo = undo;
    const found = await this.#read(store);
    if (found.file === null) throw invalid(makeMissingFileFault(this.#field, found.isField));
    // Browsers send this for a form without a chosen file.
    if (found.file.name === "" && found.file.size === 0) {
      throw invalid(makeMissingFileFault(this.#field, false));
    }
    this.#received = found.file;
    return found.file;
  }

  /** Reads the form without storing anything, for its fingerprint, unless a verb has started to read it. */
  async discard(): Promise<void> {
    if (this.#isBegun) return;
    await this.#read(async (_name, bytes) => {
      for await (const _ of bytes);
    });
  }

  /** Removes the stored bytes of a failed request. */
  async undo(): Promise<void> {
    await this.#undo?.();
    this.#undo = null;
  }

  async #read<T>(
    store: FileStore<T>["store"],
  ): Promise<{ readonly file: ReceivedFile<T> | null; readonly isField: boolean }> {
    this.#isBegun = true;
    const [field, { most, isBody, withinMs }] = [this.#field, this.#part];
    const sent: string[][] = [];
    const fields: Record<string, string> = {};
    let file: ReceivedFile<T> | null = null;
    let files = 0;
    await readParts(this.#request, {
      // Higher than the limit of the file, so that the file's own error comes first.
      limit: 2 * most + restLimit,
      withinMs: withinMs ?? this.#withinMs,
      pauseMs: this.#withinMs,
      onField(name, value) {
        sent.push([name, value]);
        fields[name] = value;
      },
      async onFile(name, filename, bytes) {
        const place = sent.push([]) - 1;
        const meter = new Meter();
        if (name !== field) { for await (const _ of meter.countBytes(bytes, Infinity)); }
        else {
          if (++files > 1) throw invalid(makeSecondFileFault(field));
          const stored = await store(
            filename,
            meter.countBytes(
              bytes,
              most,
              () => isBody ? makeTooLargeProblem(most) : invalid(makeLargeFileFault(field, most)),
            ),
            { ...fields },
          );
          file = { name: filename, ...meter.result(), fields, stored };
        }
        sent[place] = [name, filename, meter.result().digest];
      },
    }, this.#chunks?.());
    this.#onRead(JSON.stringify(sent), sent.map(([name = ""]) => name));
    return { file, isField: sent.some(([name, , digest]) => name === field && digest === undefined) };
  }
}

/** Measures and hashes bytes as they pass. */
class Meter {
  #size = 0;
  #head = new Uint8Array();
  readonly #hash = sha256Stream();
  #digest: string | null = null;

  async *countBytes(
    bytes: AsyncIterable<Uint8Array>,
    most: number,
    tooLarge: () => Error = () => new Error(),
  ): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      if (this.#head.length < headBytes) {
        const more = chunk.subarray(0, headBytes - this.#head.length);
        const head = new Uint8Array(this.#head.length + more.length);
        head.set(this.#head);
        head.set(more, this.#head.length);
        this.#head = head;
      }
      this.#size += chunk.length;
      if (this.#size > most) throw tooLarge();
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  result(): { readonly size: number; readonly digest: string; readonly head: Uint8Array } {
    this.#digest ??= this.#hash.digest();
    return { size: this.#size, digest: this.#digest, head: this.#head };
  }
}
