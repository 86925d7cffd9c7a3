/** Makes documents in a separate thread, one after the other. */
import { parentPort } from "node:worker_threads";
import { type PdfDocument, TooManyPages } from "./pdf.ts";
import { print } from "./print.ts";

/** The answer to a document that was sent to the thread. */
export type Printed =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: number }
  | { readonly fault: string; readonly hasTooManyPages: boolean };

parentPort!.on("message", async (document: PdfDocument) => {
  try {
    const { bytes, pages } = await print(document);
    const printed: Printed = { bytes, pages };
    parentPort!.postMessage(printed, [bytes.buffer]);
  } catch (error) {
    const printed: Printed = {
      fault: error instanceof Error ? error.message : String(error),
      hasTooManyPages: error instanceof TooManyPages,
    };
    parentPort!.postMessage(printed);
  }
});
