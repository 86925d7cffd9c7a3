/** A thread that makes one document at a time. */
import { Worker } from "node:worker_threads";
import type { Begun } from "../lanes.ts";
import { type Pdf, type PdfDocument, PrinterUnavailable, TooManyPages } from "./pdf.ts";
import type { Printed } from "./print_worker.ts";

/** MiB. With small limits the garbage collector runs early: 100 MiB less memory at the same speed. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** Milliseconds that a document gets to stop by itself, before its thread is given up. */
const stopping = 10_000;

/** Milliseconds of a document in its thread. */
export interface Patience {
  /** After which it counts as slow. */
  readonly quick: number;
  /** After which it is stopped. */
  readonly most: number;
}

export class PrintThread {
  /** Set to 1 to stop the document: Deno does not end a thread that computes. */
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #worker = new Worker(new URL("./print_worker.ts", import.meta.url), {
    resourceLimits,
    workerData: this.#stop.buffer,
  });
  #asked: PromiseWithResolvers<Pdf> | null = null;
  /** Resolved when the thread has loaded what it prints with, or has ended. */
  readonly #ready = Promise.withResolvers<void>();
  #isAlive = true;

  constructor() {
    this.#worker.on("message", (printed: Printed | "ready") => this.#answer(printed));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(new Error("it ended")));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Prints a document. Its patience does not include the start of the thread. */
  print(document: PdfDocument, patience: Patience): Begun<Pdf> {
    const slow = Promise.withResolvers<boolean>();
    const timers: ReturnType<typeof setTimeout>[] = [];
    const stop = () => {
      Atomics.store(this.#stop, 0, 1);
      timers.push(setTimeout(() => void this.end(), stopping));
    };
    const result = this.#print(document, () =>
      timers.push(
        setTimeout(() => slow.resolve(true), patience.quick),
        setTimeout(stop, patience.most),
      )).finally(() => {
        timers.forEach(clearTimeout);
        slow.resolve(false);
      });
    return { result, isSlow: slow.promise, stop };
  }

  async #print(document: PdfDocument, onBegin: () => void): Promise<Pdf> {
    this.#worker.ref();
    await this.#ready.promise;
    if (!this.#isAlive) throw new PrinterUnavailable("the thread that makes PDF ended");
    this.#asked = Promise.withResolvers<Pdf>();
    Atomics.store(this.#stop, 0, 0);
    onBegin();
    try {
      this.#worker.postMessage(document);
      return await this.#asked.promise;
    } finally {
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    Atomics.store(this.#stop, 0, 1);
    this.#fail(new Error("it was ended"));
    await this.#worker.terminate();
  }

  #answer(printed: Printed | "ready"): void {
    if (printed === "ready") return this.#ready.resolve();
    if (!("fault" in printed)) this.#asked?.resolve(printed);
    else this.#asked?.reject(makeError(printed));
    this.#asked = null;
  }

  #fail(cause: unknown): void {
    this.#isAlive = false;
    this.#ready.resolve();
    this.#asked?.reject(new PrinterUnavailable("the thread that makes PDF ended", { cause }));
    this.#asked = null;
  }
}

function makeError({ fault, kind }: Exclude<Printed, Pdf>): Error {
  if (kind === "pages") return new TooManyPages(fault);
  return kind === "stopped" ? new PrinterUnavailable("the document took too long") : new Error(fault);
}
