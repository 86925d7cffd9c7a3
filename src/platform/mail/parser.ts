/** The port that parses messages. A message of 25 MiB takes seconds of processor time. */
import type PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import { extractPlainText } from "../../core/html.ts";
import { limitHtml } from "../../core/html_limits.ts";
import { takeBeginning } from "../../core/text.ts";
import { joinBase64Lines } from "./base64_lines.ts";
import { easeLines } from "./line_decoder.ts";
import { extractContent, mostHtml } from "./shown_content.ts";
import { findCharsets } from "./text_charset.ts";

export type { Address } from "postal-mime";

export interface Arriving extends Email {
  /** Its text as clean HTML, and the words of that. */
  readonly content: string;
  readonly words: string;
  /** All of a message whose content is cut; lines of base64 are joined. */
  readonly original: ArrayBuffer | null;
}

export interface MailParser {
  /** Takes ownership of the bytes. Null for no message, or one with too many lines or too slow to parse. */
  parse(bytes: Uint8Array<ArrayBuffer>): Promise<Arriving | null>;
}

/** Most lines of a message, after those of base64 are joined. */
const mostLines = 500_000;
/** Most parts of a message that are read, which takes seconds, and most files of it. Further ones are left out. */
const mostParts = 10_000;
const mostFiles = 100;
/** Most levels of nested parts, and header bytes of a part. Messages in a message become attachments. */
const options = {
  maxNestingDepth: 50,
  maxHeadersSize: 1024 * 1024,
  forceRfc822Attachments: true,
  attachmentEncoding: "arraybuffer",
} as const;

/** Parses in the call itself. */
export const directParser: MailParser = {
  async parse(bytes) {
    // Loaded with the first message, since few installations receive any.
    const [{ default: PostalMime }, { cleanArrived }] = await Promise.all([
      import("postal-mime"),
      import("../../core/sanitizer.ts"),
    ]);
    const joined = joinBase64Lines(bytes);
    if (countLines(joined) > mostLines) return null;
    easeLines(PostalMime);
    findCharsets(PostalMime);
    const parser = new (makeCautiousParser(PostalMime, cleanArrived))(options);
    const email = await parser.parse(joined).catch(() => null);
    if (email === null) return null;
    const isLonger = parser.isCut || email.attachments.length > mostFiles;
    const { content, isCut } = await extractContent(email, isLonger);
    return {
      ...email,
      attachments: email.attachments.slice(0, mostFiles),
      content,
      words: await extractPlainText(content),
      original: isCut ? joined.slice().buffer : null,
    };
  },
};

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    count++;
  }
  return count;
}

interface TextEntry {
  readonly type: string;
  readonly value: unknown;
}

/** A part of a message, as the library keeps it. */
interface Part {
  readonly parentNode?: Part | null;
  readonly childNodes: Part[];
}

/**
 * Returns a parser that cleans HTML first, and reads `mostParts` parts. The library converts HTML to text by patterns
 * whose time grows with the square of unclosed links, and takes ten seconds for 166,000 parts. The overridden methods
 * are internal to the library, so tests notice when they change.
 *
 * Works around: patterns of quadratic time, and no limit of parts.
 * True for: postal-mime 4.0.0.
 * Remove when: a mail of unclosed links takes linear time, or the conversion can be switched off; and the library has
 * such a limit.
 */
function makeCautiousParser(Parser: typeof PostalMime, clean: (html: string) => string) {
  const add: unknown = Reflect.get(Parser.prototype, "addTextEntry");
  const process: unknown = Reflect.get(Parser.prototype, "processLine");
  return class extends Parser {
    readonly #parts = new WeakSet<Part>();
    #partsLeft = mostParts;
    #isFull = false;
    #htmlLeft = mostHtml;
    isCut = false;

    addTextEntry(node: object, type: string, entry: TextEntry): void {
      if (typeof add !== "function") {
        throw new Error("The parser of mail has another addTextEntry.");
      }
      Reflect.apply(add, this, [
        node,
        type,
        type === "html" ? this.#cleanEntry(entry) : entry,
      ]);
    }

    async processLine(line: Uint8Array<ArrayBuffer>, isFinal: boolean): Promise<void> {
      if (typeof process !== "function") throw new Error("The parser of mail has another processLine.");
      if (this.#isFull && !isFinal) return;
      await Reflect.apply(process, this, [this.#isFull ? new Uint8Array() : line, isFinal]);
      const part = Reflect.get(this, "currentNode") as Part;
      if (this.#parts.has(part)) return;
      this.#parts.add(part);
      if (--this.#partsLeft >= 0 || !part.parentNode) return;
      // The first part beyond the limit is taken out again, and the lines that follow are not read.
      part.parentNode.childNodes.pop();
      this.#isFull = this.isCut = true;
    }

    #cleanEntry(entry: TextEntry): TextEntry {
      const whole = String(entry.value);
      const html = limitHtml(takeBeginning(whole, this.#htmlLeft));
      this.#htmlLeft -= html.length;
      this.isCut ||= html.length < whole.length;
      return { ...entry, value: clean(html) };
    }
  };
}
