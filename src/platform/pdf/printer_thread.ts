/**
 * Makes documents in threads, so that other calls continue. Companies take turns, those with slow documents among
 * themselves, and a document that takes too long ends its own thread alone. A thread ends after some idle time.
 */
import { QueueFull } from "../fair_queue.ts";
import { type Begun, Lanes } from "../lanes.ts";
import { findUnshownOnBox } from "./noto_packages.ts";
import { type Pdf, type PdfDocument, type Printer, PrinterUnavailable } from "./pdf.ts";
import { type Patience, PrintThread } from "./print_thread.ts";

const usualPatience: Patience = { quick: 3_000, most: 30_000 };
/** Milliseconds for which an idle thread is kept. */
const kept = 30_000;
/** Of each lane. */
const limits = { atOnce: 2, perOrigin: 1, waiting: 100, waitingPerOrigin: 10 };

/** Returns a printer that makes documents in threads of their own, and ends those that take longer than `patience`. */
export function makeThreadPrinter(patience = usualPatience): Printer {
  const lanes = new Lanes(limits, limits);
  const threads = new Set<PrintThread>();
  const idle = new Map<PrintThread, ReturnType<typeof setTimeout>>();
  let closed = 0;

  function takeThread(): PrintThread {
    for (const [thread, timer] of idle) {
      clearTimeout(timer);
      idle.delete(thread);
      if (thread.isAlive) return thread;
      threads.delete(thread);
    }
    const thread = new PrintThread();
    threads.add(thread);
    return thread;
  }
  function giveBack(thread: PrintThread): void {
    if (!thread.isAlive) return void threads.delete(thread);
    const timer = setTimeout(() => void end(thread), kept);
    Deno.unrefTimer(Number(timer));
    idle.set(thread, timer);
  }
  async function end(thread: PrintThread): Promise<void> {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    threads.delete(thread);
    await thread.end();
  }
  async function endAll(some: Iterable<PrintThread>): Promise<void> {
    await Promise.all([...some].map(end));
  }
  function begin(document: PdfDocument): Begun<Pdf> {
    const thread = takeThread();
    const begun = thread.print(document, patience);
    return { ...begun, result: begun.result.finally(() => giveBack(thread)) };
  }
  return {
    async print(document) {
      const asked = closed;
      try {
        return await lanes.run(String(document.companyId), () => {
          if (asked === closed) return begin(document);
          throw new PrinterUnavailable("the printer was closed");
        });
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        throw new PrinterUnavailable("too many documents wait");
      }
    },
    findUnshown: findUnshownOnBox,
    release: () => endAll(idle.keys()),
    close() {
      closed++;
      return endAll(threads);
    },
  };
}
