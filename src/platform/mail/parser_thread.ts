/** Parses messages one after the other in a thread, so that other calls continue. */
import { Worker } from "node:worker_threads";
import { FairQueue } from "../fair_queue.ts";
import type { Arriving, MailParser } from "./parser.ts";

/** Bytes above which the thread ends with its message, because it then holds much memory. */
const large = 1024 * 1024;
/** Milliseconds after which parsing a message is abandoned; and for which an idle thread is kept. */
const patience = 30_000;
const kept = 10_000;

export function threadParser(): MailParser {
  const turns = new FairQueue({ atOnce: 1, waiting: 100 });
  let spare: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function takeThread(): Worker {
    clearTimeout(idle);
    const thread = spare ?? startThread();
    spare = null;
    thread.ref();
    return thread;
  }
  function startThread(): Worker {
    const thread = new Worker(new URL("./parser_worker.ts", import.meta.url));
    // One that ends while it waits is not used again. An error without a listener would end the process.
    const forget = () => {
      if (spare === thread) spare = null;
    };
    thread.on("error", forget);
    thread.on("exit", forget);
    return thread;
  }
  function keep(thread: Worker): void {
    thread.unref();
    spare = thread;
    idle = setTimeout(() => {
      spare = null;
      void thread.terminate();
    }, kept);
    Deno.unrefTimer(Number(idle));
  }
  async function parseNext(
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Arriving | null> {
    const isLarge = bytes.length > large;
    const thread = takeThread();
    const { email, isAlive } = await parseIn(thread, bytes);
    if (isAlive && !isLarge) keep(thread);
    else await thread.terminate();
    return email;
  }
  return { parse: (bytes) => turns.run("", () => parseNext(bytes)) };
}

interface Outcome {
  readonly email: Arriving | null;
  readonly isAlive: boolean;
}

async function parseIn(
  thread: Worker,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const answered = (email: Arriving | null) => resolve({ email, isAlive: true });
  const ended = () => resolve({ email: null, isAlive: false });
  const late = setTimeout(ended, patience);
  thread.on("message", answered);
  thread.on("error", ended);
  thread.on("exit", ended);
  // Copies a view: Deno would send each byte of it separately, which takes seconds and a gigabyte.
  const { buffer } = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  thread.postMessage(buffer, [buffer]);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    thread.off("message", answered);
    thread.off("error", ended);
    thread.off("exit", ended);
  }
}
