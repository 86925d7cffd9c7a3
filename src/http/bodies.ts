/** Request bodies: type, size, and JSON. */
import { type FieldError, fieldError, invalid, mostErrors, pathText, Problem } from "../core/errors.ts";

export const jsonLimit = 1024 * 1024;

/** Milliseconds within which the body of a request must arrive. */
export const bodyDeadline = 60_000;

/** Returns the 413 of a body of more than `limit` bytes. */
export const makeTooLargeProblem = (limit: number) =>
  new Problem(413, "payload_too_large", `The body is larger than ${limit} bytes.`);

/** Returns the 408 of a body that takes longer than `withinMs` milliseconds. It closes the connection. */
export const makeTooSlowProblem = (withinMs: number) =>
  new Problem(408, "request_timeout", `The body did not arrive within ${withinMs / 1000} seconds.`, {
    headers: { Connection: "close" },
  });

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Returns a large body as text. Frees the chunks, which must belong to this call, so that only the text stays
 * in memory. Throws as `readText` does.
 */
export async function readLargeText(
  chunks: AsyncIterable<Uint8Array>,
  length: number,
  { limit, withinMs }: { readonly limit: number; readonly withinMs: number },
): Promise<string> {
  if (length > limit) throw makeTooLargeProblem(limit);
  const bytes = new Uint8Array(length);
  try {
    await readInTime(withinMs, fill(bytes, chunks));
  } catch (error) {
    throw error instanceof Problem ? error : makeMalformedProblem("it breaks off");
  }
  try {
    return utf8.decode(bytes);
  } catch {
    throw makeMalformedProblem("it is not UTF-8");
  } finally {
    free(bytes);
  }
}

async function fill(bytes: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let at = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
    free(chunk);
  }
  if (at < bytes.length) throw makeMalformedProblem("it breaks off");
}

/**
 * Frees the memory of bytes that are no longer needed, unless other bytes share it. The garbage collector
 * would let 64 MiB pile up.
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

/**
 * Returns the body as text. Throws 413 beyond `limit` bytes and stops reading there, 400 for bytes that are
 * not UTF-8 or a body that breaks off, and 408 when it takes longer than `withinMs` milliseconds.
 */
export async function readText(request: Request, limit: number, withinMs: number): Promise<string> {
  const bytes = await readBytes(request, limit, withinMs);
  try {
    return utf8.decode(bytes);
  } catch {
    throw makeMalformedProblem("it is not UTF-8");
  }
}

/**
 * Returns the body. Throws 413 beyond `limit` bytes and stops reading there, 400 when it breaks off, 408 when
 * it is late.
 */
export async function readBytes(
  request: Request,
  limit: number,
  withinMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (Number(declared) > limit) throw makeTooLargeProblem(limit);
  try {
    const reading = declared === null ? readChunks(request, limit) : request.arrayBuffer();
    const bytes = new Uint8Array(await readInTime(withinMs, reading));
    if (bytes.byteLength > limit) throw makeTooLargeProblem(limit);
    return bytes;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw makeMalformedProblem("it breaks off");
  }
}

/** Throws 408 when the reading is late. The connection closes with the response, which ends the reading. */
export async function readInTime<T>(withinMs: number, reading: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(makeTooSlowProblem(withinMs)), withinMs);
  try {
    return await Promise.race([reading, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function readChunks(request: Request, limit: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw makeTooLargeProblem(limit);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes.buffer;
}

/** Returns whether the content type is JSON. Allows parameters such as charset. */
export function isJson(headers: Headers): boolean {
  const type = headers.get("content-type");
  return type !== null && type.split(";", 1)[0]!.trim().toLowerCase() === "application/json";
}

/**
 * Parses a JSON body. Throws 415 for another content type, 400 for text that is not JSON, 422 as `checkCharacters` does.
 */
export function parseJson(headers: Headers, text: string): unknown {
  if (!isJson(headers)) {
    throw new Problem(415, "unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser quotes the text around the fault, which may be a password.
    const place = /at position \d+/.exec((error as Error).message)?.[0];
    throw makeMalformedProblem(place ? `it goes wrong ${place}` : "it is wrong, or it breaks off");
  }
  // In UTF-8, bad characters are always escapes. Most texts have no escapes, and checking that is much
  // faster.
  if (text.includes("\\u") && suspicious.test(text)) checkCharacters(value);
  return value;
}

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Rejects with 422 texts that a database cannot store unchanged: with NUL, or halves of surrogate pairs. */
export function checkCharacters(value: unknown): void {
  const errors = findUnstorable(value);
  if (errors.length > 0) throw invalid(...errors);
}

/** The path of a value in a body. */
interface Place {
  readonly above: Place | null;
  readonly key: string | number;
}

const rule = "Holds a character that is not text: NUL, or half of a surrogate pair.";
const broken = (text: string) => text.includes("\0") || !text.isWellFormed();

/** Not recursive: a body may be nested deeper than the stack allows. */
function findUnstorable(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  const left: { value: unknown; place: Place | null }[] = [{ value: body, place: null }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, place } = next;
    if (typeof value === "string") {
      if (broken(value)) errors.push(fieldError(writePath(place), "format", rule));
    } else if (Array.isArray(value)) {
      value.forEach((item, key) => left.push({ value: item, place: { above: place, key } }));
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        if (broken(key)) errors.push(fieldError(writePath(place), "format", rule));
        else left.push({ value: item, place: { above: place, key } });
      }
    }
    if (errors.length >= mostErrors) break;
  }
  return errors;
}

function writePath(place: Place | null): string {
  const parts: (string | number)[] = [];
  for (let at = place; at; at = at.above) parts.push(at.key);
  return pathText(parts.reverse());
}

function makeMalformedProblem(why: string): Problem {
  return new Problem(400, "malformed_json", `The body is not JSON: ${why}.`);
}
