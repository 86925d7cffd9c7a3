/** The port that parses messages. A message of 25 MiB takes seconds of processor time. */
import type { Email } from "postal-mime";
import { joinBase64Lines } from "./base64_lines.ts";

export type { Address, Email } from "postal-mime";

export interface MailParser {
  /** Takes the bytes over. Null for bytes that are no message, and for one that takes too long. */
  parse(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null>;
}

/** Levels of parts in parts, and bytes of the headers of a part. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024 };

/** Parses in the call itself. */
export const directParser: MailParser = {
  async parse(bytes) {
    // Loaded with the first message, since few installations receive any.
    const { default: PostalMime } = await import("postal-mime");
    const joined = joinBase64Lines(bytes);
    return await PostalMime.parse(joined, { ...limits, attachmentEncoding: "arraybuffer" }).catch(() => null);
  },
};
