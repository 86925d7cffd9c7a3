/** Bodies of `multipart/form-data`: files, and text fields beside them. */
import { type FieldError, fieldError, invalid, Problem } from "../core/errors.ts";
import { sha256 } from "../platform/crypto.ts";
import { readBytes } from "./bodies.ts";

/** A file that an endpoint takes, as it declares it. */
export interface FilePart {
  /** The most bytes that it may have. */
  readonly most: number;
  readonly description: string;
}

/** A file as it was sent. Neither its name nor the type that was sent with it says what it is. */
export interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What was sent, before it is held against the declaration. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** By name; a part that came more than once has several. */
  readonly files: ReadonlyMap<string, readonly Upload[]>;
  /** The same for every body with the same parts, however they are bounded. */
  readonly fingerprint: string;
}

/** What a body may have beside its files. */
const roomForRest = 64 * 1024;

/** The most bytes that a body with the files may have. */
export function formLimit(parts: Readonly<Record<string, FilePart>>): number {
  return Object.values(parts).reduce((sum, { most }) => sum + most, roomForRest);
}

/** Reads the whole body, within the limit: 413 past it, 408 when late, 415 for another type, 400 for no form. */
export async function readForm(
  request: Request,
  parts: Readonly<Record<string, FilePart>>,
  withinMs: number,
): Promise<Form> {
  const bytes = await readBytes(request, formLimit(parts), withinMs);
  if (bytes.length === 0) return await formOf(new FormData());
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";", 1)[0]!.trim().toLowerCase() !== "multipart/form-data") {
    throw new Problem(415, "unsupported_media_type", "Send the body as Content-Type: multipart/form-data.");
  }
  checkParts(type, bytes);
  let sent: FormData;
  try {
    sent = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw malformed("its parts cannot be separated");
  }
  return await formOf(sent);
}

/** More than anybody has use for: each takes time, however small it is. */
const mostParts = 100;

function checkParts(type: string, bytes: Uint8Array): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed("its type names no boundary");
  // One before the first part, one after each.
  const pieces = new TextDecoder("latin1").decode(bytes).split(`--${boundary}`, mostParts + 3);
  if (pieces.length > mostParts + 2) throw malformed(`it has more than ${mostParts} parts`);
}

function malformed(why: string): Problem {
  return new Problem(400, "malformed_json", `The body is not multipart/form-data: ${why}.`);
}

/** The declared files. Throws 422 with what is missing, no file, or too large. */
export function filesOf<F extends string>(
  form: Form,
  parts: Readonly<Record<F, FilePart>>,
): Readonly<Record<F, Upload>> {
  const errors: FieldError[] = [];
  const files: [string, Upload][] = [];
  for (const [name, { most }] of Object.entries<FilePart>(parts)) {
    const [file, ...more] = form.files.get(name) ?? [];
    if (!file) {
      errors.push(
        Object.hasOwn(form.fields, name)
          ? fieldError(name, "type", "Must be a file.")
          : fieldError(name, "required", "Must be given."),
      );
    } else if (more.length > 0) errors.push(fieldError(name, "type", "Must be one file."));
    // What a page's form sends where no file was chosen.
    else if (file.name === "" && file.bytes.length === 0) {
      errors.push(fieldError(name, "required", "Must be given."));
    } else if (file.bytes.length > most) {
      errors.push(fieldError(name, "max", `At most ${most} bytes.`));
    } else files.push([name, file]);
  }
  if (errors.length > 0) throw invalid(...errors);
  return Object.fromEntries(files) as Record<F, Upload>;
}

async function formOf(sent: FormData): Promise<Form> {
  const fields = new Map<string, string>();
  const files = new Map<string, Upload[]>();
  const parts: string[][] = [];
  for (const [name, value] of sent) {
    if (typeof value === "string") {
      fields.set(name, value);
      parts.push([name, value]);
      continue;
    }
    const file = { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) };
    const same = files.get(name);
    if (same) same.push(file);
    else files.set(name, [file]);
    parts.push([name, file.name, sha256(file.bytes)]);
  }
  return { fields: Object.fromEntries(fields), files, fingerprint: JSON.stringify(parts) };
}
