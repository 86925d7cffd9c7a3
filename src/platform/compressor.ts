/** Compresses answers with the runtime's zlib. */
import { setImmediate } from "node:timers/promises";
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import type { Json } from "../core/json.ts";

export type Encoding = "br" | "gzip";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Compressor {
  /** `key` names a text shared by many calls, whose result is cached. */
  compress(text: string | Bytes, encoding: Encoding, key?: string): Bytes;
  /** For a large body: other calls run between its parts. `encoding` null: encodes it as UTF-8 only. */
  compressInParts(body: Pick<Json, "encodeInParts">, encoding: Encoding | null): Promise<Bytes>;
}

/** The fastest levels: a page of 15 contacts takes 0.06 ms, and higher levels gain only a few percent. */
const fast = { br: 1, gzip: 1 } as const;
/** For texts that are compressed once and sent often. */
const thorough = { br: 5, gzip: 6 } as const;
const mostKept = 64;
/** The length of a part, about a millisecond of work. */
const partLength = 128 * 1024;

/** Returns a compressor, which keeps the bytes of texts that come with a key. */
export function makeCompressor(): Compressor {
  const kept = new Map<string, Bytes>();
  return {
    compress(text, encoding, key) {
      if (key === undefined) return compressText(text, encoding, fast[encoding]);
      const name = `${encoding} ${key}`;
      const before = kept.get(name);
      if (before) return before;
      const made = compressText(text, encoding, thorough[encoding]);
      if (kept.size >= mostKept) kept.clear();
      kept.set(name, made);
      return made;
    },
    compressInParts(body, encoding) {
      const parts = body.encodeInParts(partLength);
      return encoding ? compressInParts(parts, encoding) : joinParts(parts);
    },
  };
}

function compressText(text: string | Bytes, encoding: Encoding, level: number): Bytes {
  const bytes = encoding === "gzip"
    ? gzipSync(text, { level })
    : brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
  return new Uint8Array(bytes);
}

async function compressInParts(parts: Iterable<Bytes>, encoding: Encoding): Promise<Bytes> {
  const stream = encoding === "gzip"
    ? createGzip({ level: fast.gzip })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: fast.br } });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk: Uint8Array) => chunks.push(chunk)).on("end", resolve).on("error", reject);
  });
  for (const part of parts) {
    const written = new Promise((resolve) => stream.write(part, resolve));
    await Promise.race([written, ended]);
    await setImmediate();
  }
  stream.end();
  await ended;
  return await joinChunks(chunks);
}

/** Joins the parts of a large text: other calls run between them. */
async function joinParts(parts: Iterable<Bytes>): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  for (const part of parts) {
    chunks.push(part);
    await setImmediate();
  }
  return await joinChunks(chunks);
}

/** Joins chunks. Other calls run meanwhile, because the system needs time to supply so much memory. */
async function joinChunks(chunks: readonly Uint8Array[]): Promise<Bytes> {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
    if (at % partLength < chunk.length) await setImmediate();
  }
  return all;
}
