/**
 * Joins the lines of base64 parts of a message. The parser takes several kilobytes of memory for each line, more
 * than a gigabyte for an attachment of 18 MiB; line breaks mean nothing in base64.
 */

/** Bytes after which a joined line ends. */
const longest = 64 * 1024;
const encoding = /^content-transfer-encoding:[ \t]*base64[ \t]*$/i;
/** Characters of the longest header line that is examined. */
const mostHeader = 100;
const [carriageReturn, lineFeed, hyphen] = [0x0d, 0x0a, 0x2d];

/** Joins the lines in place and returns a view of the remaining bytes. */
export function joinBase64Lines(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder("latin1");
  let state: "any" | "headers" | "content" = "any";
  let [read, written, begun] = [0, 0, 0];
  while (read < bytes.length) {
    const at = bytes.indexOf(lineFeed, read);
    const next = at === -1 ? bytes.length : at + 1;
    const end = at > read && bytes[at - 1] === carriageReturn ? at - 1 : at === -1 ? bytes.length : at;
    const isBoundary = bytes[read] === hyphen && bytes[read + 1] === hyphen;
    if (isBoundary) state = "any";
    if (state === "content" && end > read) {
      bytes.copyWithin(written, read, end);
      written += end - read;
      if (written - begun >= longest) {
        bytes[written++] = lineFeed;
        begun = written;
      }
      read = next;
      continue;
    }
    if (
      state === "any" && end - read <= mostHeader && encoding.test(decoder.decode(bytes.subarray(read, end)))
    ) {
      state = "headers";
    } else if (state === "headers" && end === read) {
      state = "content";
      begun = written + next - read;
    }
    // Ends a joined line before the boundary that follows it.
    if (isBoundary && written > 0 && bytes[written - 1] !== lineFeed) bytes[written++] = lineFeed;
    bytes.copyWithin(written, read, next);
    written += next - read;
    read = next;
  }
  return bytes.subarray(0, written);
}
