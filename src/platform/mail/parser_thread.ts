/** Parses messages and cleans texts one after the other in a thread, so that other calls continue. */
import { Worker } from "node:worker_threads";
import { CleanerUnavailable, type Cleaning } from "../../core/html.ts";
import { ExcessiveHtml } from "../../core/html_limits.ts";
import { FairQueue } from "../fair_queue.ts";
import { getCompanyOfWork } from "../on_behalf.ts";
import type { Arriving, MailParser } from "./parser.ts";

/** Bytes above which the thread ends with its message, because it then holds much memory. */
const large = 1024 * 1024;
/**
 * Milliseconds after which parsing a message is abandoned; and for which an idle thread is kept. What may be parsed
 * and cleaned takes a few seconds at most: the limits of lines, headers and tags count what takes time, because a
 * thread that computes may not end before it is done.
 */
const patience = 30_000;
const kept = 10_000;

interface Cleaner {
  /** Throws `ExcessiveHtml`, and `CleanerUnavailable`. */
  clean(text: Cleaning): Promise<string>;
}

/** Returns a parser of mail and cleaner of HTML that works in a thread of its own, one text at a time. */
export function makeThreadParser(): MailParser & Cleaner {
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
    // Works around: a view of a part of a buffer is sent byte by byte, which takes seconds and a gigabyte.
    // True for: Deno 2.9.6.
    // Remove when: a view takes as long as a copy of it.
    const { buffer } = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
    const { answer, isAlive } = await ask<Arriving>(thread, buffer, [buffer]);
    if (isAlive && !isLarge) keep(thread);
    else await thread.terminate();
    return answer;
  }
  async function cleanNext(text: Cleaning): Promise<string> {
    const thread = takeThread();
    const { answer, isAlive } = await ask<{ readonly html?: string; readonly excess?: string }>(thread, text);
    if (isAlive) keep(thread);
    else await thread.terminate();
    if (answer?.excess !== undefined) throw new ExcessiveHtml(answer.excess);
    if (answer?.html === undefined) throw new CleanerUnavailable("the thread that cleans texts ended");
    return answer.html;
  }
  return {
    // Strangers send mails, so these and the texts of each company take turns.
    parse: (bytes) => turns.run("mails", () => parseNext(bytes)),
    clean: (text) => turns.run(`texts ${getCompanyOfWork()}`, () => cleanNext(text)),
  };
}

interface Outcome<Answer> {
  readonly answer: Answer | null;
  readonly isAlive: boolean;
}

async function ask<Answer>(
  thread: Worker,
  message: ArrayBuffer | Cleaning,
  transfer: ArrayBuffer[] = [],
): Promise<Outcome<Answer>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
  const resolveAnswer = (answer: Answer | null) => resolve({ answer, isAlive: true });
  const resolveEnd = () => resolve({ answer: null, isAlive: false });
  const late = setTimeout(resolveEnd, patience);
  thread.on("message", resolveAnswer);
  thread.on("error", resolveEnd);
  thread.on("exit", resolveEnd);
  thread.postMessage(message, transfer);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    thread.off("message", resolveAnswer);
    thread.off("error", resolveEnd);
    thread.off("exit", resolveEnd);
  }
}
