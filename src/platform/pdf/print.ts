/** Makes PDF documents with pdfmake, which is loaded with the first one. */
import { type Pdf, type PdfDocument, type Run, TooManyPages } from "./pdf.ts";
import { findLargePictures } from "./pictures.ts";
import type { Press, SetText } from "./press.ts";
import { withSetText } from "./svg_text.ts";

/** Points per millimetre. */
const point = 72 / 25.4;

/** Makes a document without pictures that are too large. Throws if pdfmake cannot lay it out. */
export async function print(
  { title, margins, content, mostPages }: PdfDocument,
  press: Press,
): Promise<Pdf> {
  let pages = 0;
  const unshown = new Set<string>();
  const tooLarge = await findLargePictures(content);
  const { top, right, bottom, left } = margins;
  const definition = {
    content: await withShown(content, tooLarge, async (text) => {
      const set = await press.set(text);
      for (const character of set.unshown) unshown.add(character);
      return set;
    }),
    info: { title },
    pageSize: "A4",
    pageMargins: [left, top, right, bottom].map((side) => side * point),
    defaultStyle: { font: "Roboto", fontSize: 11, lineHeight: 1.2 },
    // Called at each new page, so that a long document ends before the rest of it is laid out.
    background(page: number) {
      if (page > mostPages) throw new TooManyPages(`more than ${mostPages} pages`);
      return null;
    },
    footer(_page: number, pageCount: number) {
      pages = pageCount;
      return null;
    },
  };
  const document = (await press.load()).createPdf(definition);
  return { bytes: new Uint8Array(await document.getBuffer()), pages, unshown: [...unshown] };
}

type SetAll = (text: string | readonly Run[]) => Promise<SetText>;

/** Returns a part of a document without these pictures, and without characters that the fonts lack. */
async function withShown<T>(part: T, leftOut: ReadonlySet<string>, set: SetAll): Promise<T> {
  if (part instanceof Array) {
    const shown: unknown[] = [];
    for (const each of part) shown.push(await withShown(each, leftOut, set));
    return shown as T;
  }
  if (typeof part !== "object" || part === null) return part;
  if ("image" in part && leftOut.has(String(part.image))) return { stack: [] } as T;
  const shown: Record<string, unknown> = {};
  let text = {};
  for (const [key, value] of Object.entries(part)) {
    if (key === "svg") shown.svg = await withSetText(value, set);
    else if (key !== "text") shown[key] = await withShown(value, leftOut, set);
    else text = alignText(part, await set(value));
  }
  return { ...shown, ...text } as T;
}

/** Text from right to left starts at the right. */
function alignText(block: { readonly alignment?: unknown }, { text, isRightToLeft }: SetText): object {
  const isMoved = isRightToLeft && (block.alignment ?? "justify") === "justify";
  return isMoved ? { text, alignment: "right" } : { text };
}
