/**
 * Where a picture ends: pictures are walked through part by part, so that one that breaks off is found, and
 * what somebody put behind one is not kept. Null for bytes that are not a whole picture of the type.
 */

type End = (bytes: Uint8Array) => number | null;

/** Signature, then chunks of length, name, data and checksum, from `IHDR` over `IDAT` to `IEND`. */
export const endOfPng: End = (bytes) => {
  const view = viewOf(bytes);
  let data = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    const name = ascii(bytes, at + 4, 4);
    if ((at === 8) !== (name === "IHDR") || (at === 8 && length !== 13)) return null;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return null;
    data ||= name === "IDAT";
    if (name === "IEND") return data ? end : null;
    at = end;
  }
  return null;
};

/** Header and global colours, then extensions and images, each of blocks with a length, up to the trailer. */
export const endOfGif: End = (bytes) => {
  const colours = (flags: number) => flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
  let at = 13 + colours(bytes[10] ?? 0);
  let images = 0;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) return images > 0 ? at + 1 : null;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) {
      at += 11 + colours(bytes[at + 9] ?? 0);
      images++;
    } else return null;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    at++;
  }
  return null;
};

/** Segments with a length, and after each start of scan coded data up to the next marker. */
export const endOfJpeg: End = (bytes) => {
  const view = viewOf(bytes);
  let frame = false;
  let scan = false;
  for (let at = 2; at + 1 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at++; // Fill bytes.
      continue;
    }
    if (marker === 0xd9) return frame && scan ? at + 2 : null;
    at += 2;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    if (marker === 0 || marker === 0xd8 || at + 2 > bytes.length) return null;
    const length = view.getUint16(at);
    if (length < 2) return null;
    at += length;
    // 0xc0 to 0xcf but for tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frame = true;
    if (marker === 0xda) {
      scan = true;
      at = nextMarker(bytes, at);
    }
  }
  return null;
};

/** In coded data 0xff stands before 0 (a byte of the data) or a restart; anything else is a marker. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1]!;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

function viewOf(bytes: Uint8Array): DataView {
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
