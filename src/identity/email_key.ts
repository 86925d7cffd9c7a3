import { encodeEmail } from "../core/lines.ts";

/** Returns the form of an e-mail address by which addresses are compared: lower-case, its domain in ASCII. */
export function makeEmailKey(email: string): string {
  return encodeEmail(email).toLowerCase();
}
