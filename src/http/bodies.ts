/** Request bodies: type, size, and JSON. */
import { type FieldError, fieldError, invalid, Problem } from "../core/errors.ts";

export const jsonLimit = 1024 * 1024;

const tooLarge = (limit: number) =>
  new Problem(413, "payload_too_large", `The body is larger than ${limit} bytes.`);

/** The body as text, at most `limit` bytes: 413 past that, without reading on. */
export async function readText(request: Request, limit: number): Promise<string> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > limit) throw tooLarge(limit);
    return await request.text();
  }
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Whether the request says that its body is JSON; parameters such as charset are allowed. */
export function isJson(headers: Headers): boolean {
  const type = headers.get("content-type");
  return type !== null && type.split(";", 1)[0]!.trim().toLowerCase() === "application/json";
}

/** 415 for another type than JSON, 400 for text that is not JSON. An absent body is an empty object. */
export function parseJson(headers: Headers, text: string): unknown {
  if (!isJson(headers)) {
    throw new Problem(415, "unsupported_media_type", "Send the body as Content-Type: application/json.");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, "malformed_json", `The body is not JSON: ${(error as Error).message}.`);
  }
}

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Refuses text that no database keeps as it is: NUL, and halves of surrogate pairs. */
export function checkCharacters(text: string, value: unknown): void {
  if (!suspicious.test(text)) return;
  const errors = unstorable(value, "");
  if (errors.length > 0) throw invalid(...errors);
}

function unstorable(value: unknown, path: string): FieldError[] {
  if (typeof value === "string") {
    return value.includes("\0") || !value.isWellFormed()
      ? [fieldError(path, "format", "Holds a character that is not text: NUL, or half of a surrogate pair.")]
      : [];
  }
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unstorable(item, `${path}[${index}]`));
  return Object.entries(value).flatMap(([key, item]) => [
    ...unstorable(key, path),
    ...unstorable(item, path === "" ? key : `${path}.${key}`),
  ]);
}
