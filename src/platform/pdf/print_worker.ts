/** Makes documents in a separate thread, one after the other. */
import { parentPort } from "node:worker_threads";
import type { PdfDocument } from "./pdf.ts";
import { print } from "./print.ts";

/** A question to the thread, and its answer. */
export interface Asked {
  readonly id: number;
  readonly document: PdfDocument;
}

export type Printed =
  & { readonly id: number }
  & ({ readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: number } | { readonly fault: string });

let before: Promise<unknown> = Promise.resolve();

parentPort!.on("message", (asked: Asked) => {
  before = before.then(() => answer(asked));
});

async function answer({ id, document }: Asked): Promise<void> {
  try {
    const { bytes, pages } = await print(document);
    const printed: Printed = { id, bytes, pages };
    parentPort!.postMessage(printed, [bytes.buffer]);
  } catch (error) {
    const printed: Printed = { id, fault: error instanceof Error ? error.message : String(error) };
    parentPort!.postMessage(printed);
  }
}
