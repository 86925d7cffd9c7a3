/** Makes documents in the call itself, where there are no threads. */
import type { Printer } from "./pdf.ts";
import { print } from "./print.ts";

export const directPrinter: Printer = {
  print,
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
