/** Makes documents in a separate thread, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { type Pdf, type PdfDocument, TooManyPages } from "./pdf.ts";
import { boxPress } from "./press_box.ts";
import { print } from "./print.ts";
import { stopBetweenSteps, Stopped } from "./stop_library.ts";

/** The answer to a document that was sent to the thread. */
export type Printed =
  | Pdf
  | { readonly fault: string; readonly kind: "pages" | "stopped" | "other" };

/** Not 0 when the document is to end. */
const stop = new Int32Array(workerData as SharedArrayBuffer);

parentPort!.on("message", async (document: PdfDocument) => {
  try {
    const printed: Printed = await print(document, boxPress);
    parentPort!.postMessage(printed, [printed.bytes.buffer]);
  } catch (error) {
    const printed: Printed = {
      fault: error instanceof Error ? error.message : String(error),
      kind: error instanceof TooManyPages ? "pages" : error instanceof Stopped ? "stopped" : "other",
    };
    parentPort!.postMessage(printed);
  }
});
await boxPress.load();
stopBetweenSteps(() => Atomics.load(stop, 0) !== 0);
parentPort!.postMessage("ready");
