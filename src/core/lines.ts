/** Texts of one line as people paste them: names, addresses, links. */
import { z } from "zod";
import { countBytes } from "./budgets.ts";

/** `\s` has all white space of Unicode but U+0085. */
const edgeCharacter = /[\s\u0085\u180e\u200b-\u200f\u2060\ufeff]/;

/** Returns a text without white space, byte order marks and zero-width characters at its ends, or at one of them. */
export function trimLine(text: string, ends: "both" | "start" | "end" = "both"): string {
  let [start, end] = [0, text.length];
  while (ends !== "end" && start < end && edgeCharacter.test(text[start]!)) start++;
  while (ends !== "start" && end > start && edgeCharacter.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** Returns whether a text has line breaks, control characters, or characters that reorder text. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text);
}

/** Says what `hasControls` finds. */
export const controlsRule = "Must be one line without control and bidirectional-control characters.";

/** Returns an e-mail address with its domain in ASCII: `x@köln.example` is `x@xn--kln-sna.example`. */
export function encodeEmail(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  if (/^\p{ASCII}*$/u.test(domain) || !/^[\p{L}\p{M}\p{N}.\-。．｡]+$/u.test(domain)) return address;
  const link = `http://${domain}`;
  return URL.canParse(link) ? address.slice(0, at) + new URL(link).hostname : address;
}

/** Made once: making it takes twenty times as long as a check. */
const asciiForm = z.email();

/** Returns whether a text is an e-mail address, in which the domain may be international. */
export function isEmail(value: string): boolean {
  return countBytes(value.slice(0, value.lastIndexOf("@"))) <= mostLocalBytes &&
    asciiForm.safeParse(encodeEmail(value)).success;
}

/** The most octets in front of the `@`: RFC 5321, section 4.5.3.1.1. */
const mostLocalBytes = 64;

/** Returns a link with `https://` in front if it has no scheme and begins with a name of a host. */
export function addScheme(link: string): string {
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+(:\d+)?([/?#]|$)/u.test(link) ? `https://${link}` : link;
}

/** Whether the text is an absolute http or https URL. */
export function isHttpUrl(value: string): boolean {
  const parsed = URL.canParse(value) ? new URL(value) : null;
  return parsed !== null && (parsed.protocol === "http:" || parsed.protocol === "https:") &&
    parsed.hostname !== "";
}
