/** Makes documents in the call itself, where there are no threads. */
import type { Printer } from "./pdf.ts";
import { bundlePress } from "./press_bundle.ts";
import { print } from "./print.ts";
import { findUnshown } from "./shown_text.ts";

export const directPrinter: Printer = {
  print: (document) => print(document, bundlePress),
  findUnshown,
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
