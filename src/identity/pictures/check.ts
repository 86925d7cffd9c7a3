/** Checks uploaded pictures by their content. */
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import type { NewObject } from "../../db/objects.ts";
import type { FilePart, Upload } from "../../http/multipart.ts";
import { pictureFolder } from "./address.ts";
import { cleanSvg } from "./svg.ts";
import { ascii, joinBytes, orientationSegment, stripGif, stripJpeg, stripPng } from "./strip_metadata.ts";

/** The most bytes of a picture. */
export const mostPictureBytes = 2 * 1024 * 1024;

/** Describes a picture part of a multipart endpoint. */
export function describePicturePart(description: string): FilePart {
  return {
    most: mostPictureBytes,
    description:
      `JPEG, PNG, GIF or SVG, at most 2 MiB; stored without metadata such as place, time or camera. ${description}`,
  };
}

/** Width and height in pixels, or a ratio. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the pictures, ready to be stored under new keys. Throws 422 `format` for another type, a broken
 * picture or too many pixels, and for sides in another ratio than `shown`.
 */
export async function checkPictures<F extends string>(
  given: Readonly<Record<F, Pick<Upload, "bytes">>>,
  shown: Readonly<Partial<Record<F, Size>>>,
): Promise<Readonly<Record<F, NewObject>>> {
  const errors: FieldError[] = [];
  const pictures: [string, NewObject][] = [];
  for (const [name, { bytes }] of Object.entries<Pick<Upload, "bytes">>(given)) {
    const picture = await read(bytes);
    const fault = picture
      ? findFault(picture, shown[name as F])
      : "Must be a complete JPEG, PNG, GIF or SVG picture.";
    if (fault !== null) errors.push(fieldError(name, "format", fault));
    pictures.push([name, {
      key: pictureFolder + makeToken(),
      type: picture?.type ?? "",
      bytes: picture?.bytes ?? bytes,
    }]);
  }
  if (errors.length > 0) throw invalid(...errors);
  return Object.fromEntries(pictures) as Record<F, NewObject>;
}

interface Picture {
  readonly type: string;
  /** The bytes to store. */
  readonly bytes: Uint8Array;
  readonly size: Size | null;
}

/** The most pixels of a picture. Browsers need four bytes for each, so a small file could take gigabytes. */
const mostPixels = 64_000_000;

function findFault({ size }: Picture, shown: Size | undefined): string | null {
  if (size !== null && size.width * size.height > mostPixels) {
    return `Must have at most ${mostPixels} pixels.`;
  }
  if (!shown) return null;
  const { width, height } = shown;
  if (size === null) return `Must have a size, in the ratio ${width} by ${height}.`;
  // Multiplies, since quotients of integers are seldom exact.
  const [wide, wanted] = [size.width * height, size.height * width];
  return Math.abs(wide - wanted) * 100 <= wanted
    ? null
    : `Its sides must be in the ratio ${width} by ${height}.`;
}

async function read(bytes: Uint8Array): Promise<Picture | null> {
  if (ascii(bytes, 0, 8) === "\x89PNG\r\n\x1a\n") {
    return await stripPicture("image/png", bytes, stripPng(bytes));
  }
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) {
    return await stripPicture("image/gif", bytes, stripGif(bytes));
  }
  if (ascii(bytes, 0, 3) === "\xff\xd8\xff") {
    return await stripPicture("image/jpeg", bytes, stripJpeg(bytes));
  }
  return await readSvg(bytes);
}

/**
 * Returns the picture without metadata, and its size; null if it cannot be read. Writes the orientation of a
 * JPEG again, which is lost with the other metadata. `kept`: the parts of the file to store.
 */
async function stripPicture(
  type: string,
  bytes: Uint8Array,
  kept: readonly Uint8Array[] | null,
): Promise<Picture | null> {
  if (kept === null) return null;
  const { imageSize } = await import("image-size");
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) return null;
    const turned = type === "image/jpeg" && orientation > 1 && orientation <= 8;
    return {
      type,
      bytes: joinBytes(turned ? [kept[0]!, orientationSegment(orientation), ...kept.slice(1)] : kept),
      // Orientations from 5 on turn the picture by a quarter, which swaps width and height.
      size: orientation >= 5 ? { width: height, height: width } : { width, height },
    };
  } catch {
    return null;
  }
}

async function readSvg(bytes: Uint8Array): Promise<Picture | null> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  if (!/^\s*</.test(text)) return null;
  const svg = await cleanSvg(text);
  // The size of an SVG counts only as a ratio, since an SVG has no fixed number of pixels.
  return svg && { type: "image/svg+xml", bytes: new TextEncoder().encode(svg.text), size: svg.size };
}
