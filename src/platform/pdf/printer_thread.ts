/** Makes documents in a thread, so that other calls continue. The thread ends after some idle time. */
import { Worker } from "node:worker_threads";
import { type Pdf, type Printer, PrinterUnavailable } from "./pdf.ts";
import type { Asked, Printed } from "./print_worker.ts";

/** Milliseconds for a document, including the wait for earlier ones; and for which an idle thread is kept. */
const patience = 30_000;
const kept = 30_000;
/** MiB. With small limits the garbage collector runs early: 100 MiB less memory at the same speed. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

interface Waiting {
  readonly resolve: (pdf: Pdf) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export function threadPrinter(): Printer {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last = 0;

  function started(): Worker {
    const thread = new Worker(new URL("./print_worker.ts", import.meta.url), { resourceLimits });
    thread.on("message", (printed: Printed) => {
      const asked = waiting.get(printed.id);
      if (!asked) return;
      settle(printed.id);
      if ("fault" in printed) asked.reject(new Error(printed.fault));
      else asked.resolve(printed);
    });
    thread.on("error", (error) => fail(thread, error));
    thread.on("exit", () => fail(thread, new Error("it ended")));
    return thread;
  }
  function settle(id: number): void {
    clearTimeout(waiting.get(id)?.timer);
    waiting.delete(id);
    if (waiting.size > 0) return;
    worker?.unref();
    idle = setTimeout(() => void end(), kept);
    Deno.unrefTimer(Number(idle));
  }
  function fail(thread: Worker, error: unknown): void {
    if (thread !== worker) return;
    worker = null;
    for (const [id, { reject }] of [...waiting]) {
      settle(id);
      reject(new PrinterUnavailable("the thread that makes PDF ended", { cause: error }));
    }
  }
  async function end(): Promise<void> {
    clearTimeout(idle);
    const thread = worker;
    if (thread === null) return;
    fail(thread, new Error("it was ended"));
    clearTimeout(idle);
    await thread.terminate();
  }
  return {
    print(document) {
      clearTimeout(idle);
      worker ??= started();
      worker.ref();
      const id = ++last;
      return new Promise((resolve, reject) => {
        // A document that never finishes must not block later ones.
        const timer = setTimeout(() => void end(), patience);
        waiting.set(id, { resolve, reject, timer });
        const asked: Asked = { id, document };
        worker!.postMessage(asked);
      });
    },
    release: () => waiting.size > 0 ? Promise.resolve() : end(),
    close: end,
  };
}
