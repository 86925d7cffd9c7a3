/** Parses large messages in a thread each, one after the other, so that other calls go on meanwhile. */
import { Worker } from "node:worker_threads";
import { FairQueue } from "../fair_queue.ts";
import { directParser, type Email, type MailParser } from "./parser.ts";

/** Bytes of a message that is parsed at once. */
const small = 128 * 1024;
/** Milliseconds of the longest message. */
const patience = 30_000;

export function threadParser(): MailParser {
  const turns = new FairQueue({ atOnce: 1, waiting: 20 });
  return {
    parse: (bytes) =>
      bytes.length <= small ? directParser.parse(bytes) : turns.run("", () => inThread(bytes)),
  };
}

async function inThread(bytes: Uint8Array<ArrayBuffer>): Promise<Email | null> {
  const thread = new Worker(new URL("./parser_worker.ts", import.meta.url));
  const { promise, resolve } = Promise.withResolvers<Email | null>();
  const late = setTimeout(() => resolve(null), patience);
  thread.once("message", resolve);
  thread.once("error", () => resolve(null));
  thread.once("exit", () => resolve(null));
  // Of a view Deno sends every byte by itself, which takes seconds and a gigabyte.
  const { buffer } = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  thread.postMessage(buffer, [buffer]);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
