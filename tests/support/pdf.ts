/** Reads PDFs as a viewer does. */
import { getDocument, OPS } from "pdfjs-dist/legacy/build/pdf.mjs";

export interface ReadPdf {
  /** All words, in the order in which they are drawn, without white space and the parts of letters that have no code. */
  readonly text: string;
  /** How many glyphs are boxes: those that fonts show for characters that they lack. */
  readonly boxes: number;
}

/** Reads all pages. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
    .promise;
  let [text, boxes] = ["", 0];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    text += items.map((item) => "str" in item ? item.str : "").join("");
    const { fnArray, argsArray } = await page.getOperatorList();
    for (const [at, operation] of fnArray.entries()) {
      if (operation !== OPS.showText) continue;
      const glyphs = argsArray[at][0] as ({ readonly originalCharCode: number } | number)[];
      // Fonts of the library have their box as the first glyph.
      boxes += glyphs.filter((glyph) => typeof glyph !== "number" && glyph.originalCharCode === 0).length;
    }
  }
  await document.destroy();
  return { text: text.normalize("NFKC").replaceAll(/[\s\p{Cc}]/gu, ""), boxes };
}
