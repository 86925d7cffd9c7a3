/** Makes documents in a separate thread, one after the other. */
import { parentPort } from "node:worker_threads";
import { type Pdf, type PdfDocument, TooManyPages } from "./pdf.ts";
import { boxPress } from "./press_box.ts";
import { print } from "./print.ts";

/** The answer to a document that was sent to the thread. */
export type Printed =
  | Pdf
  | { readonly fault: string; readonly hasTooManyPages: boolean };

parentPort!.on("message", async (document: PdfDocument) => {
  try {
    const printed: Printed = await print(document, boxPress);
    parentPort!.postMessage(printed, [printed.bytes.buffer]);
  } catch (error) {
    const printed: Printed = {
      fault: error instanceof Error ? error.message : String(error),
      hasTooManyPages: error instanceof TooManyPages,
    };
    parentPort!.postMessage(printed);
  }
});
