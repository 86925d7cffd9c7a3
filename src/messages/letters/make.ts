/** Makes the PDF of a letter from its sanitised HTML. */
import { decodeBase64 } from "../../platform/crypto.ts";
import { extractPlainText } from "../../core/html.ts";
import type { Deps } from "../../deps.ts";
import { detectMediaType } from "../../library/media.ts";
import { type Pdf, PrinterUnavailable, TooManyPages } from "../../platform/pdf/pdf.ts";
import type { Images } from "./document.ts";

/** Millimetres; null: the usual margin. */
export interface Margins {
  readonly margin_top: number | null;
  readonly margin_right: number | null;
  readonly margin_bottom: number | null;
  readonly margin_left: number | null;
}

export const usualMargin = 25;
/** The most pages of a letter. */
export const mostPages = 50;
/** Images of a letter, and the bytes of each. Others are left out. */
const mostImages = 10;
const mostImageBytes = 2 * 1024 * 1024;

export { TooManyPages };

interface Letter extends Margins {
  readonly html: string;
  readonly title: string;
  readonly companyId: number;
}

/** Throws `TooManyPages`, and `PrinterUnavailable` when it takes too long. */
export async function makeLetter(
  { printer, fetcher, log }: Pick<Deps, "printer" | "fetcher" | "log">,
  { html, title, companyId, ...margins }: Letter,
): Promise<Pdf> {
  const page = {
    title,
    companyId,
    mostPages,
    margins: {
      top: margins.margin_top ?? usualMargin,
      right: margins.margin_right ?? usualMargin,
      bottom: margins.margin_bottom ?? usualMargin,
      left: margins.margin_left ?? usualMargin,
    },
  };
  // Loaded on first use, because the HTML parser would add 10 ms to the start.
  const { parseContent, listImages } = await import("./document.ts");
  try {
    const images = await loadImages(fetcher, listImages(html).slice(0, mostImages));
    return await printer.print({ ...page, content: parseContent(html, images) });
  } catch (error) {
    if (error instanceof PrinterUnavailable || error instanceof TooManyPages) throw error;
    // A letter whose layout fails is printed as plain text.
    log.info({
      event: "letter_layout_failed",
      fault: error instanceof Error ? error.message : String(error),
    });
    return await printer.print({ ...page, content: [{ text: await extractPlainText(html) }] });
  }
}

async function loadImages(fetcher: Deps["fetcher"], sources: readonly string[]): Promise<Images> {
  const found = await Promise.all(sources.map(async (src) => [src, await loadImage(fetcher, src)] as const));
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== null));
}

/**
 * Returns a data URL of a PNG or JPEG; null when the image has another type, is too large or is not found.
 */
async function loadImage(fetcher: Deps["fetcher"], src: string): Promise<string | null> {
  const bytes = src.startsWith("data:")
    ? decodeBase64(src.slice(src.indexOf(",") + 1))
    : src.startsWith("https:")
    ? await fetchImage(fetcher, src)
    : null;
  if (bytes === null || bytes.length > mostImageBytes) return null;
  const media = detectMediaType(bytes);
  return media === "image/png" || media === "image/jpeg"
    ? `data:${media};base64,${new Uint8Array(bytes).toBase64()}`
    : null;
}

async function fetchImage(fetcher: Deps["fetcher"], url: string): Promise<Uint8Array | null> {
  try {
    const { status, bytes } = await fetcher.get(url, { headers: {}, maxBytes: mostImageBytes + 1 });
    return status === 200 ? bytes : null;
  } catch {
    return null;
  }
}
