/** Reads the form of a POST: fields with several values, and files. */
import { Problem } from "../core/errors.ts";
import { checkCharacters, readText } from "../http/bodies.ts";
import { readParts } from "../http/form_parts.ts";

/** Bytes of a form without files. */
export const formLimit = 1024 * 1024;

/**
 * Most fields of a form without files: a form has 200 fields of the company, with 5,000 options at most. Each look for
 * a field goes through all of them.
 */
const mostFields = 10_000;

/** Throws 415 for a body that is no form, 413 over its limits. */
export async function readConsoleForm(
  request: Request,
  withinMs: number,
  limit: number = formLimit,
): Promise<FormData> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  const form = new FormData();
  if (type === "application/x-www-form-urlencoded") {
    const text = await readText(request, limit, withinMs);
    if (countFields(text) > mostFields) {
      throw new Problem(413, "payload_too_large", `The form has more than ${mostFields} fields.`);
    }
    for (const [name, value] of new URLSearchParams(text)) form.append(name, value.replaceAll("\r\n", "\n"));
    return form;
  }
  if (type !== "multipart/form-data") {
    throw new Problem(415, "unsupported_media_type", "Send a form.");
  }
  await readParts(request, {
    limit,
    withinMs,
    onField: (name, value) => form.append(name, value.replaceAll("\r\n", "\n")),
    async onFile(name, filename, chunks) {
      const parts: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of chunks) parts.push(new Uint8Array(chunk));
      form.append(name, new File(parts, filename));
    },
  });
  return form;
}

function countFields(text: string): number {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) fields++;
  return fields;
}

/** Throws 422 for text that cannot be stored, which names the field. */
export function checkForm(form: FormData): void {
  checkCharacters(collectTexts(form));
}

function collectTexts(form: FormData): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value === "string") texts[name] = `${texts[name] ?? ""}${value}`;
  }
  return texts;
}
