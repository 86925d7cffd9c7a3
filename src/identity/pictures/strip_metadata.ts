/**
 * Removes metadata from pictures, such as place, time and camera, and bytes after the end. Returns the parts
 * that affect how the picture looks. Parses the whole file to detect a truncated one: returns null for bytes
 * that are not a complete picture of the type.
 */

type Strip = (bytes: Uint8Array) => Uint8Array[] | null;

/** A PNG is a signature and chunks of length, name, data and checksum: `IHDR` first, `IDAT`, `IEND` last. */
export const stripPng: Strip = (bytes) => {
  const view = makeView(bytes);
  const kept = [bytes.subarray(0, 8)];
  let data = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    const name = ascii(bytes, at + 4, 4);
    if ((at === 8) !== (name === "IHDR") || (at === 8 && length !== 13)) return null;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return null;
    data ||= name === "IDAT";
    if (/^[A-Z]/.test(name) || drawingChunks.has(name)) kept.push(bytes.subarray(at, end));
    if (name === "IEND") return data ? kept : null;
    at = end;
  }
  return null;
};

/**
 * Chunks that change how a picture looks. Critical chunks begin with a capital letter and are always kept.
 */
const drawingChunks = new Set(
  "tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" "),
);

/** A GIF is a header, global colours, extensions and images of blocks with a length, and a trailer. */
export const stripGif: Strip = (bytes) => {
  const colours = (flags: number) => flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
  let at = 13 + colours(bytes[10] ?? 0);
  const kept = [bytes.subarray(0, at)];
  let images = 0;
  while (at < bytes.length) {
    const kind = bytes[at];
    const from = at;
    if (kind === 0x3b) return images > 0 ? [...kept, bytes.subarray(at, at + 1)] : null;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) {
      at += 11 + colours(bytes[at + 9] ?? 0);
      images++;
    } else return null;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    at++;
    if (kind === 0x2c || drawsGif(bytes, from)) kept.push(bytes.subarray(from, at));
  }
  return null;
};

/** Whether to keep an extension: timing, transparency, text, repetition; no comments, no program data. */
function drawsGif(bytes: Uint8Array, extension: number): boolean {
  const label = bytes[extension + 1];
  return label === 0xf9 || label === 0x01 ||
    (label === 0xff && /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(ascii(bytes, extension + 3, 11)));
}

/** A JPEG is a list of segments with a length. After each start of scan, coded data follow up to a marker. */
export const stripJpeg: Strip = (bytes) => {
  const view = makeView(bytes);
  const kept = [bytes.subarray(0, 2)];
  let frame = false;
  let scan = false;
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // Fill bytes.
      continue;
    }
    if (marker === 0xd9) return frame && scan ? [...kept, bytes.subarray(at, at + 2)] : null;
    const from = at;
    at += 2;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    if (marker === 0 || marker === 0xd8 || at + 2 > bytes.length) return null;
    const length = view.getUint16(at);
    if (length < 2) return null;
    at += length;
    // 0xc0 to 0xcf, except tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frame = true;
    if (marker === 0xda) {
      scan = true;
      at = findNextMarker(bytes, at);
    }
    if (drawsJpeg(marker, bytes, from + 4)) kept.push(bytes.subarray(from, at));
  }
  return null;
};

/** Whether to keep a segment: of the metadata, only JFIF, colour profiles and Adobe's transformation. */
function drawsJpeg(marker: number, bytes: Uint8Array, content: number): boolean {
  if (marker === 0xe2) return ascii(bytes, content, 12) === "ICC_PROFILE\0";
  return marker < 0xe0 || marker === 0xe0 || marker === 0xee || (marker > 0xef && marker !== 0xfe);
}

/** Returns the end of coded data: the first 0xff that precedes neither 0 (a data byte) nor a restart. */
function findNextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1]!;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** A segment with the orientation of a JPEG (1 to 8, as in EXIF), and nothing else. */
export function orientationSegment(orientation: number): Uint8Array {
  const words = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0";
  const bytes = [...words].map((char) => char.charCodeAt(0));
  const rest = [orientation, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([0xff, 0xe1, 0, bytes.length + rest.length + 2, ...bytes, ...rest]);
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function makeView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function ascii(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length));
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
