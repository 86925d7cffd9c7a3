/** Makes PDF documents with pdfmake, which is loaded with the first one. Runs on every runtime. */
import { type Pdf, type PdfDocument, TooManyPages } from "./pdf.ts";
import { findLargePictures } from "./pictures.ts";
import { keepShown } from "./shown_text.ts";

/** Points per millimetre. */
const point = 72 / 25.4;

/** Makes a document without pictures that are too large. Throws if pdfmake cannot lay it out. */
export async function print(
  { title, margins, content, mostPages = Infinity }: PdfDocument,
): Promise<Pdf> {
  let pages = 0;
  const tooLarge = await findLargePictures(content);
  const { top, right, bottom, left } = margins;
  const definition = {
    content: withShown(content, tooLarge),
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
  const document = (await library()).createPdf(definition);
  return { bytes: new Uint8Array(await document.getBuffer()), pages };
}

/** Returns a part of a document without these pictures, and without characters that the fonts lack. */
function withShown<T>(part: T, leftOut: ReadonlySet<string>): T {
  if (part instanceof Array) return part.map((each) => withShown(each, leftOut)) as T;
  if (typeof part !== "object" || part === null) return part;
  if ("image" in part && leftOut.has(String(part.image))) return { stack: [] } as T;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      typeof value === "string"
        ? (key === "text" || key === "svg" ? keepShown(value) : value)
        : withShown(value, leftOut),
    ]),
  ) as T;
}

/** The part of the library that is used; it has no types of its own. */
interface PdfMake {
  addFonts(fonts: object): void;
  setUrlAccessPolicy(policy: () => boolean): void;
  createPdf(definition: object): { getBuffer(): Promise<Uint8Array> };
}

let loaded: ReturnType<typeof load> | undefined;

function library() {
  return loaded ??= load();
}

/**
 * Loads the library and its fonts, which cover Latin, Greek and Cyrillic. Each document embeds the parts of
 * them that it uses. The build for browsers has no access to files, and also finds the fonts of text in SVG
 * images.
 */
async function load(): Promise<PdfMake> {
  const [{ default: pdfmake }, { default: fonts }] = await Promise.all([
    import("pdfmake/build/pdfmake.js"),
    import("pdfmake/build/vfs_fonts.js"),
  ]);
  for (const [name, data] of Object.entries(fonts)) pdfmake.virtualfs.writeFileSync(name, data, "base64");
  pdfmake.addFonts({
    Roboto: {
      normal: "Roboto-Regular.ttf",
      bold: "Roboto-Medium.ttf",
      italics: "Roboto-Italic.ttf",
      bolditalics: "Roboto-MediumItalic.ttf",
    },
  });
  // Documents refer to no files or URLs, because they contain their pictures.
  pdfmake.setUrlAccessPolicy(() => false);
  return pdfmake;
}
