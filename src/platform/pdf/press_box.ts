/** Prints on a box, with the fonts of its packages. */
import { createRequire } from "node:module";
import { packagedFonts } from "./noto_packages.ts";
import { type Engine, openPress } from "./press_noto.ts";

const require = createRequire(import.meta.url);

export const boxPress = openPress(loadEngine, packagedFonts);

/** Returns the library from its package. */
export function loadEngine(): Engine {
  return {
    library: require("pdfmake"),
    document: require("pdfmake/js/PDFDocument.js").default,
    renderer: require("pdfmake/js/Renderer.js").default,
  };
}
