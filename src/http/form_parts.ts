/** Reads the parts of a `multipart/form-data` body as they arrive. */
import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { Problem } from "../core/errors.ts";
import { makeTooLargeProblem, makeTooSlowProblem, readInTime } from "./bodies.ts";
import { OwnChunks } from "./own_chunks.ts";

export interface PartReader {
  /** The size limit of the body in bytes. */
  readonly limit: number;
  /** Milliseconds within which the body must arrive. */
  readonly withinMs: number;
  /** The longest time without a byte, in milliseconds; missing: as long as the body may take. */
  readonly pauseMs?: number;
  onField(name: string, value: string): void;
  /**
   * Reads all bytes, or throws. `bytes` throws when the body breaks off. A chunk is valid until the next one is
   * requested.
   */
  onFile(name: string, filename: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The size limit of a body without its files, and of its fields together, in bytes. */
export const restLimit = 64 * 1024;

/** Most parts of a form: more than any request needs. Even a small part takes time. */
const mostParts = 100;

/**
 * Passes on each part while the body arrives, and resolves when all are read. Throws errors of `onFile`, 413
 * beyond the limit, 408 when the body is late, 415 for another type, 400 for a broken form. An empty body has
 * no parts. `own`: the body in chunks that belong to this call; by default the request's stream.
 */
export async function readParts(
  request: Request,
  reader: PartReader,
  own?: AsyncIterable<Uint8Array>,
): Promise<void> {
  const body = own ?? request.body;
  if (body === null) return;
  const chunks = body[Symbol.asyncIterator]();
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const { withinMs, pauseMs = withinMs } = reader;
  const timer = setTimeout(() => late.reject(makeTooSlowProblem(withinMs)), withinMs);
  try {
    const next = async () => {
      for (;;) {
        const { done, value } = await readAfterPause(
          Promise.race([readChunk(chunks), late.promise]),
          pauseMs,
          withinMs,
        );
        if (done) return null;
        // Some servers start an empty body with an empty chunk.
        if (value.byteLength > 0) return value;
      }
    };
    const first = await next();
    if (first === null) return;
    const ownChunks = own ? new OwnChunks() : null;
    const parser = await loadParser(requireFormType(request));
    await new FormReader(parser, reader, late.promise, ownChunks).read(first, next);
  } catch (error) {
    chunks.return?.().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws 408 after a pause that is too long. The time of the whole body is measured elsewhere. */
async function readAfterPause<T>(reading: Promise<T>, pauseMs: number, withinMs: number): Promise<T> {
  return await (pauseMs >= withinMs ? reading : readInTime(pauseMs, reading));
}

/** Throws 415 for a body that is no form, and 400 for a form without a boundary. */
function requireFormType({ headers }: Request): string {
  const type = headers.get("content-type") ?? "";
  if (type.split(";", 1)[0]!.trim().toLowerCase() !== "multipart/form-data") {
    throw new Problem(415, "unsupported_media_type", "Send the body as Content-Type: multipart/form-data.");
  }
  if (!/;\s*boundary=(?:"[^"]+"|[^\s;"]+)/i.test(type)) {
    throw makeMalformedProblem("its type names no boundary");
  }
  return type;
}

async function readChunk(chunks: AsyncIterator<Uint8Array>) {
  try {
    return await chunks.next();
  } catch {
    throw makeMalformedProblem("it breaks off");
  }
}

function makeMalformedProblem(why: string): Problem {
  return new Problem(400, "malformed_multipart", `The body is not multipart/form-data: ${why}.`);
}

function largeFields(): Problem {
  return new Problem(413, "payload_too_large", `The fields of the form have more than ${restLimit} bytes.`);
}

/** Parses one body. */
class FormReader {
  readonly #reader: PartReader;
  readonly #parser: BusboyInstance;
  /** Rejects with the first failure of the parser, a reader of a file or the timeout. */
  readonly #failure: Promise<never>;
  /** Failures of the parser. They can occur in the moment when it finishes. */
  readonly #faults: Problem[] = [];
  readonly #open = new Set<BusboyFileStream>();
  readonly #files: Promise<void>[] = [];
  readonly #chunks: OwnChunks | null;

  constructor(parser: BusboyInstance, reader: PartReader, late: Promise<never>, own: OwnChunks | null) {
    const failure = Promise.withResolvers<never>();
    this.#reader = reader;
    this.#chunks = own;
    this.#failure = Promise.race([failure.promise, late]);
    this.#failure.catch(() => {});
    this.#parser = parser;
    const fault = (why: string) => {
      this.#faults.push(makeMalformedProblem(why));
      failure.reject(this.#faults[0]);
    };
    this.#parser.on("error", () => fault("its parts cannot be separated, or it breaks off"));
    this.#parser.on("partsLimit", () => fault(`it has more than ${mostParts} parts`));
    let left = restLimit;
    this.#parser.on("field", (name, value, _isNameCut, isCut) => {
      left -= value.length;
      if (isCut || left < 0) failure.reject(largeFields());
      else if (name !== undefined) reader.onField(name, value);
    });
    this.#parser.on("file", (name, stream, filename) => {
      this.#open.add(stream);
      // The reader of the file also gets the error.
      stream.on("error", () => {});
      const bytes = own?.freeing(stream) ?? stream;
      const reading = reader.onFile(name ?? "", filename, bytes).finally(() => this.#open.delete(stream));
      reading.catch(failure.reject);
      this.#files.push(reading);
    });
  }

  async read(first: Uint8Array, next: () => Promise<Uint8Array | null>): Promise<void> {
    const finished = new Promise<void>((resolve) => this.#parser.on("finish", () => resolve()));
    try {
      let size = 0;
      for (let chunk: Uint8Array | null = first; chunk !== null; chunk = await this.#orFailure(next())) {
        size += chunk.byteLength;
        if (size > this.#reader.limit) throw makeTooLargeProblem(this.#reader.limit);
        this.#chunks?.add(chunk);
        if (!this.#parser.write(chunk)) await this.#orFailure(this.#drain());
      }
      this.#parser.end();
      await this.#orFailure(finished);
      if (this.#faults[0]) throw this.#faults[0];
      await this.#orFailure(Promise.all(this.#files));
    } catch (error) {
      for (const stream of this.#open) stream.destroy(error as Error);
      // Waits for the readers, which remove the stored bytes.
      await Promise.allSettled(this.#files);
      throw error;
    }
  }

  #orFailure<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#failure]);
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => this.#parser.once("drain", () => resolve()));
  }
}

/** Loads the parser on first use: many services never receive a form. */
async function loadParser(type: string): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  try {
    return new Busboy({
      headers: { "content-type": type },
      // Keeps the name as sent for its check, instead of cutting it at a separator.
      preservePath: true,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: { parts: mostParts, fieldSize: restLimit },
    });
  } catch {
    throw makeMalformedProblem("its type names no boundary");
  }
}
