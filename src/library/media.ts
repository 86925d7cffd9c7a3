/** Media types, detected from the content: neither the name nor the type that was sent is reliable. */

/** Types that browsers show in place without running anything. */
const shown = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);

/** The media type of all other content, which browsers save. */
export const otherMedia = "application/octet-stream";

/** The bytes at the start of a file that `detectMediaType` needs. */
export const headBytes = 1024;

/** Returns the media type of a file from its first bytes. */
export function detectMediaType(head: Uint8Array): string {
  const text = String.fromCharCode(...head.subarray(0, headBytes));
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "image/webp";
  if (text.startsWith("%PDF-")) return "application/pdf";
  if (
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^]*?\?>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE svg[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<svg[\s>]/i
      .test(
        text,
      )
  ) {
    return "image/svg+xml";
  }
  return otherMedia;
}

/** Returns whether a browser may show the file in place. */
export function isShown(media: string): boolean {
  return shown.has(media);
}
