/** Parses messages in a separate thread. */
import { parentPort } from "node:worker_threads";
import { directParser } from "./parser.ts";

parentPort!.on("message", async (message: ArrayBuffer) => {
  const email = await directParser.parse(new Uint8Array(message));
  const buffers = (email?.attachments ?? []).map(({ content }) => content)
    .filter((content) => content instanceof ArrayBuffer);
  if (email?.original) buffers.push(email.original);
  parentPort!.postMessage(email, [...new Set(buffers)]);
});
