/** The character set of texts whose parts name none, or one that is unknown. */
import type PostalMime from "postal-mime";

/** A part of a message, as the library keeps it. */
interface TextPart {
  content: ArrayBuffer | null;
  contentType: { parsed: { value?: string; params: Record<string, string | undefined> } };
}

const fixed = new WeakSet<object>();
/** Bytes at the start of HTML in which its own character set stands. */
const mostHead = 4_096;

/**
 * Lets all parsers of the library find the character set of a text that names none that is known: UTF-8 when its bytes
 * are that, then what the HTML itself names, then Windows-1252, which mail programs of the West write. The overridden
 * method is internal to the library, so tests notice when it changes.
 *
 * Works around: bytes without a character set are taken for UTF-8 and lost, those of an unknown one for Windows-1252.
 * True for: postal-mime 4.0.0.
 * Remove when: a text in Windows-1252 that names no character set is read as it was written.
 */
export function findCharsets(Parser: typeof PostalMime): void {
  const root: unknown = Reflect.get(new Parser(), "root");
  const node = typeof root === "object" && root !== null ? Reflect.getPrototypeOf(root) : null;
  if (node === null || fixed.has(node)) return;
  const read: unknown = Reflect.get(node, "getTextContent");
  if (typeof read !== "function") throw new Error("The parser of mail has another getTextContent.");
  fixed.add(node);
  Reflect.set(node, "getTextContent", function (this: TextPart): string {
    const { params, value } = this.contentType.parsed;
    if (this.content) {
      params.charset = detectCharset(new Uint8Array(this.content), params.charset, /html/i.test(value ?? ""));
    }
    return Reflect.apply(read, this, []);
  });
}

function detectCharset(bytes: Uint8Array, given: string | undefined, isHtml: boolean): string | undefined {
  const label = given?.trim().toLowerCase() ?? "";
  // The order of the bytes stands before the text, and the name of the character set does not say it.
  if (/^utf-?16$/.test(label) && bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const names = label !== "" && !/^(us-)?ascii$/.test(label);
  if (names && isKnown(label)) return given;
  if (isUtf8(bytes)) return "utf-8";
  if (names) return given;
  const own = isHtml ? ownCharset(bytes) : undefined;
  return own !== undefined && isKnown(own) ? own : "windows-1252";
}

/** The character set that HTML names in its head. */
function ownCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, mostHead));
  return /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head)?.[1];
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label) !== null;
  } catch {
    return false;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
