/** Parses large messages one after the other, each in its own thread, so that other calls continue. */
import { Worker } from "node:worker_threads";
import { FairQueue } from "../fair_queue.ts";
import { directParser, type Email, type MailParser } from "./parser.ts";

/** Bytes up to which a message is parsed directly, without a thread. */
const small = 128 * 1024;
/** Milliseconds after which parsing a message is abandoned. */
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
  // Copies a view: Deno would send each byte of it separately, which takes seconds and a gigabyte.
  const { buffer } = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice();
  thread.postMessage(buffer, [buffer]);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
