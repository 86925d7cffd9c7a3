/** A thread that makes one document at a time. */
import { Worker } from "node:worker_threads";
import { type Pdf, type PdfDocument, PrinterUnavailable, TooManyPages } from "./pdf.ts";
import type { Printed } from "./print_worker.ts";

/** MiB. With small limits the garbage collector runs early: 100 MiB less memory at the same speed. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

export class PrintThread {
  readonly #worker = new Worker(new URL("./print_worker.ts", import.meta.url), { resourceLimits });
  #asked: PromiseWithResolvers<Pdf> | null = null;
  #isAlive = true;

  constructor() {
    this.#worker.on("message", (printed: Printed) => this.#answer(printed));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("it ended")));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Ends the thread when the document takes longer than `patience` milliseconds. */
  async print(document: PdfDocument, patience: number): Promise<Pdf> {
    this.#asked = Promise.withResolvers<Pdf>();
    const { promise } = this.#asked;
    const timer = setTimeout(() => void this.end(), patience);
    this.#worker.ref();
    this.#worker.postMessage(document);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.#fail(new Error("it was ended"));
    await this.#worker.terminate();
  }

  #answer(printed: Printed): void {
    if (!("fault" in printed)) this.#asked?.resolve(printed);
    else {
      this.#asked?.reject(
        printed.hasTooManyPages ? new TooManyPages(printed.fault) : new Error(printed.fault),
      );
    }
    this.#asked = null;
  }

  #fail(cause: unknown): void {
    this.#isAlive = false;
    this.#asked?.reject(new PrinterUnavailable("the thread that makes PDF ended", { cause }));
    this.#asked = null;
  }
}
