/** Small pictures of each type, made by hand, and forms to send them in. */
import { deflateSync } from "node:zlib";
import { RawBody } from "./app.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export function joinBytes(...parts: readonly (Uint8Array | string | readonly number[])[]): Bytes {
  const all = parts.map((part) => typeof part === "string" ? new TextEncoder().encode(part) : [...part]);
  return new Uint8Array(all.flatMap((part) => [...part]));
}

const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff);
const little = (value: number) => big(value, 2).reverse();

/** Returns a PNG in one colour. It has its pixels only if they are fewer than 100,000. */
export function makePng(width: number, height: number): Bytes {
  const rows = width * height < 100_000 ? new Uint8Array((width + 1) * height).fill(0) : new Uint8Array(1);
  return joinBytes(
    [0x89, ...new TextEncoder().encode("PNG\r\n\x1a\n")],
    chunk("IHDR", [...big(width, 4), ...big(height, 4), 8, 0, 0, 0, 0]),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", []),
  );
}

/** Returns a PNG that a filler chunk brings to exactly this many bytes. */
export function makePngOfSize(bytes: number, width = 10, height = 10): Bytes {
  const bare = makePng(width, height);
  const filler = chunk("teXt", new Uint8Array(bytes - bare.length - 12));
  const whole = new Uint8Array(bytes);
  whole.set(bare.subarray(0, bare.length - 12));
  whole.set(filler, bare.length - 12);
  whole.set(bare.subarray(bare.length - 12), bytes - 12);
  return whole;
}

function chunk(name: string, data: ArrayLike<number>): Bytes {
  const body = new Uint8Array(4 + data.length);
  body.set(new TextEncoder().encode(name));
  body.set(data, 4);
  const whole = new Uint8Array(12 + data.length);
  whole.set(big(data.length, 4));
  whole.set(body, 4);
  whole.set(big(crc32(body), 4), 8 + data.length);
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc;
}

export function makeGif(width: number, height: number): Bytes {
  return joinBytes(
    "GIF89a",
    [...little(width), ...little(height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
    [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    [0x2c, 0, 0, 0, 0, ...little(width), ...little(height), 0, 2, 2, 0x44, 0x01, 0],
    [0x3b],
  );
}

/** A picture of one grey block. `orientation` as in Exif: from 5 on the picture is rotated. */
export function makeJpeg(width: number, height: number, orientation?: number): Bytes {
  const exif = orientation === undefined ? [] : segment(0xe1, [
    ...new TextEncoder().encode("Exif\0\0MM\0*\0\0\0\x08\0\x01"),
    ...big(274, 2),
    ...big(3, 2),
    ...big(1, 4),
    ...big(orientation, 2),
    ...[0, 0, 0, 0, 0, 0],
  ]);
  return joinBytes(
    [0xff, 0xd8],
    segment(0xe0, [...new TextEncoder().encode("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    exif,
    segment(0xdb, [0, ...new Uint8Array(64).fill(1)]),
    segment(0xc0, [8, ...big(height, 2), ...big(width, 2), 1, 1, 0x11, 0]),
    segment(0xc4, [0, 1, ...new Uint8Array(15), 0]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56],
    [0xff, 0xd9],
  );
}

function segment(marker: number, data: readonly number[]): number[] {
  return [0xff, marker, ...big(data.length + 2, 2), ...data];
}

export function makeSvg(attributes: string, content = '<rect width="9" height="9" fill="#123456"/>'): Bytes {
  return joinBytes(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
}

export function makeFile(name: string, bytes: Bytes, type = "application/octet-stream"): File {
  return new File([bytes], name, { type });
}

/** Returns a multipart body with the parts. The boundary is the same in each call. */
export async function makeMultipart(
  parts: Readonly<Record<string, File | string | readonly File[]>>,
  boundary = "-----------a-boundary",
): Promise<RawBody> {
  const pieces: (string | Uint8Array)[] = [];
  for (const [name, value] of Object.entries(parts)) {
    for (const one of Array.isArray(value) ? value as File[] : [value as File | string]) {
      pieces.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`);
      if (typeof one === "string") pieces.push(`\r\n\r\n${one}\r\n`);
      else {
        pieces.push(`; filename="${one.name}"\r\nContent-Type: ${one.type}\r\n\r\n`);
        pieces.push(new Uint8Array(await one.arrayBuffer()), "\r\n");
      }
    }
  }
  const bytes = await new Blob([...pieces as BlobPart[], `--${boundary}--\r\n`]).arrayBuffer();
  return new RawBody(`multipart/form-data; boundary=${boundary}`, new Uint8Array(bytes));
}
