/** Bodies of `multipart/form-data`: files, and text fields beside them. */
import { type FieldError, fieldError, invalid } from "../core/errors.ts";
import { sha256 } from "../platform/crypto.ts";
import { makeTooLargeProblem } from "./bodies.ts";
import { readParts, restLimit } from "./form_parts.ts";

/** The declaration of a file in an endpoint. */
export interface FilePart {
  /** The size limit in bytes. */
  readonly most: number;
  readonly description: string;
  /** Whether a larger file is a body that is too large, 413, instead of a fault of the field. */
  readonly isBody?: true;
  /** Milliseconds for the whole form, where it may take longer than usual as long as bytes arrive. */
  readonly withinMs?: number;
}

/** A file as sent. Do not trust its name or type: detect the type from the content. */
export interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The sent parts, before they are checked against the declaration. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** By name. A repeated part has several values. */
  readonly files: ReadonlyMap<string, readonly Upload[]>;
  /** Equal for all bodies with the same parts, regardless of their boundary. */
  readonly fingerprint: string;
}

/** Returns the size limit of a body with the files, in bytes. */
export function computeFormLimit(parts: Readonly<Record<string, FilePart>>): number {
  return Object.values(parts).reduce((sum, { most }) => sum + most, restLimit);
}

/** Reads the whole body. Throws the errors of `readParts`. */
export async function readForm(
  request: Request,
  parts: Readonly<Record<string, FilePart>>,
  withinMs: number,
): Promise<Form> {
  const limit = computeFormLimit(parts);
  if (Number(request.headers.get("content-length")) > limit) throw makeTooLargeProblem(limit);
  const fields = new Map<string, string>();
  const files = new Map<string, Upload[]>();
  const sent: string[][] = [];
  await readParts(request, {
    limit,
    withinMs,
    onField(name, value) {
      fields.set(name, value);
      sent.push([name, value]);
    },
    async onFile(name, filename, chunks) {
      // Parts are ordered by their start.
      const place = sent.push([]) - 1;
      const bytes = await collectChunks(chunks);
      files.set(name, [...files.get(name) ?? [], { name: filename, bytes }]);
      sent[place] = [name, filename, sha256(bytes)];
    },
  });
  return { fields: Object.fromEntries(fields), files, fingerprint: JSON.stringify(sent) };
}

/** Returns the declared files. Throws 422 for each that is missing, not a file, or too large. */
export function requireFiles<F extends string>(
  form: Form,
  parts: Readonly<Record<F, FilePart>>,
): Readonly<Record<F, Upload>> {
  const errors: FieldError[] = [];
  const files: [string, Upload][] = [];
  for (const [name, { most }] of Object.entries<FilePart>(parts)) {
    const [file, ...more] = form.files.get(name) ?? [];
    if (!file) errors.push(makeMissingFileFault(name, Object.hasOwn(form.fields, name)));
    else if (more.length > 0) errors.push(makeSecondFileFault(name));
    // Browsers send this for a form without a chosen file.
    else if (file.name === "" && file.bytes.length === 0) errors.push(makeMissingFileFault(name, false));
    else if (file.bytes.length > most) errors.push(makeLargeFileFault(name, most));
    else files.push([name, file]);
  }
  if (errors.length > 0) throw invalid(...errors);
  return Object.fromEntries(files) as Record<F, Upload>;
}

/** Returns the fault of a form without the file. `isField`: whether it has a text of that name. */
export function makeMissingFileFault(name: string, isField: boolean): FieldError {
  return isField
    ? fieldError(name, "type", "Must be a file.")
    : fieldError(name, "required", "Must be given.");
}

/** Returns the fault of a form with a second file of the name. */
export function makeSecondFileFault(name: string): FieldError {
  return fieldError(name, "type", "Must be one file.");
}

/** Returns the fault of a file of more than `most` bytes. */
export function makeLargeFileFault(name: string, most: number): FieldError {
  return fieldError(name, "max", `At most ${most} bytes.`);
}

async function collectChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
