/** Makes documents in the process of the tests, without a thread. */
import { findUnshownOnBox } from "../../src/platform/pdf/noto_packages.ts";
import type { Printer } from "../../src/platform/pdf/pdf.ts";
import { boxPress } from "../../src/platform/pdf/press_box.ts";
import { print } from "../../src/platform/pdf/print.ts";

export const directPrinter: Printer = {
  print: (document) => print(document, boxPress),
  findUnshown: findUnshownOnBox,
  release: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
