/** The port that parses messages. A message of 25 MiB takes seconds of processor time. */
import type PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import { beginningOf } from "../../core/text.ts";
import { joinBase64Lines } from "./base64_lines.ts";

export type { Address, Email } from "postal-mime";

export interface MailParser {
  /** Takes the bytes over. Null for bytes that are no message, and for one of too many lines or too much time. */
  parse(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null>;
}

/** Lines of a message, those of base64 joined. */
const mostLines = 500_000;
/** Characters of HTML that are read, of all parts. */
const mostHtml = 1_000_000;
/** Levels of parts in parts, and bytes of the headers of a part. Messages in a message are attachments. */
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
    const [{ default: PostalMime }, { cleanText }] = await Promise.all([
      import("postal-mime"),
      import("../../core/sanitizer.ts"),
    ]);
    const joined = joinBase64Lines(bytes);
    if (countLines(joined) > mostLines) return null;
    return await new (cautious(PostalMime, cleanText))(options).parse(joined).catch(() => null);
  },
};

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

interface TextEntry {
  readonly type: string;
  readonly value: unknown;
}

/**
 * The parser makes text of HTML by patterns whose time grows with the square of unclosed links, so it gets clean
 * HTML only. The method that it calls for each text is its own, hence the test of the time.
 */
function cautious(Parser: typeof PostalMime, clean: (html: string) => string) {
  const add: unknown = Reflect.get(Parser.prototype, "addTextEntry");
  return class extends Parser {
    #htmlLeft = mostHtml;

    addTextEntry(node: object, type: string, entry: TextEntry): void {
      if (typeof add !== "function") throw new Error("The parser of mail has another addTextEntry.");
      Reflect.apply(add, this, [node, type, type === "html" ? this.#cleaned(entry) : entry]);
    }

    #cleaned(entry: TextEntry): TextEntry {
      const html = beginningOf(String(entry.value), this.#htmlLeft);
      this.#htmlLeft -= html.length;
      return { ...entry, value: clean(html) };
    }
  };
}
