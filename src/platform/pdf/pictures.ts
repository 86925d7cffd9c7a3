/** Finds pictures that would take too much memory. A file of kilobytes can decode to gigabytes. */
import { decodeBase64 } from "../crypto.ts";
import type { Block } from "./pdf.ts";

/** Pixels of all pictures of a document. */
const mostPixels = 16_000_000;
/** The most bytes of a decoded pixel: four channels of 16 bits. */
const pixelBytes = 8;

/**
 * Returns the data URLs of pictures that the document must leave out: those that exceed the pixels together
 * with the pictures before them, and those that cannot be read.
 */
export async function findLargePictures(content: readonly Block[]): Promise<Set<string>> {
  const tooLarge = new Set<string>();
  let left = mostPixels;
  for (const url of new Set(pictureUrls(content))) {
    const bytes = decodeBase64(url.slice(url.indexOf(",") + 1));
    const pixels = (bytes && await countPixels(bytes, left)) ?? Infinity;
    if (pixels <= left) left -= pixels;
    else tooLarge.add(url);
  }
  return tooLarge;
}

/** Yields each data URL in the order of the document, which contains no other pictures. */
function* pictureUrls(part: unknown): Generator<string> {
  if (typeof part !== "object" || part === null) return;
  if ("image" in part && typeof part.image === "string" && part.image.startsWith("data:")) yield part.image;
  for (const inner of Object.values(part)) yield* pictureUrls(inner);
}

/** Returns width times height by the header; null for a broken picture. */
async function countPixels(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<number | null> {
  const { imageSize } = await import("image-size");
  try {
    const { width, height, type } = imageSize(bytes);
    const pixels = width * height;
    if (!(pixels > 0) || pixels > most || type !== "png") return pixels > 0 ? pixels : null;
    // Rows of pixels, each with bytes for its filters, also when the picture is interlaced.
    const limit = pixels * pixelBytes + height * 4 + 64;
    return await inflatesWithin(imageData(bytes), limit) ? pixels : null;
  } catch {
    return null;
  }
}

/** Returns the compressed data of a PNG. Throws for a second header, which could name another size. */
function imageData(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let headers = 0;
  for (let at = 8; at + 8 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (name === "IHDR" && ++headers > 1) throw new Error("two headers");
    if (name === "IDAT") parts.push(bytes.subarray(at + 8, end));
    at = end + 4;
  }
  return parts;
}

/** Inflates piece by piece and keeps nothing. */
async function inflatesWithin(parts: readonly Uint8Array<ArrayBuffer>[], limit: number): Promise<boolean> {
  let length = 0;
  for await (const piece of new Blob([...parts]).stream().pipeThrough(new DecompressionStream("deflate"))) {
    length += piece.length;
    if (length > limit) return false;
  }
  return length > 0;
}
