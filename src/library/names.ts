/** Names of files and folders. */
import { fold, isLonger } from "../core/text.ts";
import { filledLine } from "../http/zod.ts";
import { refusal } from "../http/validate.ts";

/** The most characters of a name: in `POST` and `PUT /files`, and below `/filemanager`. */
export const longestNames = { files: 255, filemanager: 60 } as const;

/** Path separators, control characters, line and paragraph separators, and characters that reorder text. */
const forbidden = /[/\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const rule =
  "Must have no path separators, no control or bidirectional-control characters, and not be . or ..";

/** Returns the fault of a name that a multipart body sends; null for a name that is allowed. */
export function nameFault(
  name: string,
  most: number,
): { code: "required" | "max" | "min" | "format"; message: string } | null {
  if (name === "") return { code: "required", message: "The file must have a name." };
  if (isLonger(name, most)) return { code: "max", message: `At most ${most} characters.` };
  if (name.trim() === "") return { code: "min", message: "Must be more than white space." };
  return isAllowed(name) ? null : { code: "format", message: rule };
}

/** Returns the schema of a name in a body. */
export function nameText(most: number) {
  return filledLine(most).refine(isAllowed, refusal("format", rule));
}

/** Returns the ending of a name in lower case, such as `pdf`; empty for a name without one. */
export function extractEnding(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** Returns the columns `name` and `name_key` of a name. */
export function addNameKey(name: string): { readonly name: string; readonly name_key: string } {
  return { name, name_key: fold(name) };
}

/** Characters of an ending that is kept. */
const mostEnding = 20;

/** Returns the nearest allowed name, for a file that arrives from elsewhere; null for a name without characters. */
export function cleanName(name: string): string | null {
  const whole = [...name.toWellFormed().replaceAll(new RegExp(forbidden.source, "gu"), "_").trim()];
  // A long name is cut before its ending, by which programs know what the file is.
  const ending = [...extractEnding(whole.join(""))];
  const kept = whole.length > longestNames.files && ending.length < mostEnding
    ? [".", ...whole.slice(-ending.length)]
    : [];
  const cut = ending.length === 0 ? [] : kept;
  const clean = [...whole.slice(0, longestNames.files - cut.length), ...cut].join("");
  return clean === "" || !isAllowed(clean) ? null : clean;
}

function isAllowed(name: string): boolean {
  return !forbidden.test(name) && name.isWellFormed() && name !== "." && name !== "..";
}
