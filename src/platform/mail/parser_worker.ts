/** Parses messages and cleans texts in a separate thread. */
import { parentPort } from "node:worker_threads";
import { cleanHere, type Cleaning } from "../../core/html.ts";
import { ExcessiveHtml } from "../../core/html_limits.ts";
import { directParser } from "./parser.ts";

parentPort!.on("message", async (message: ArrayBuffer | Cleaning) => {
  if (!(message instanceof ArrayBuffer)) return parentPort!.postMessage(await cleanText(message));
  const email = await directParser.parse(new Uint8Array(message));
  const buffers = (email?.attachments ?? []).map(({ content }) => content)
    .filter((content) => content instanceof ArrayBuffer);
  if (email?.original) buffers.push(email.original);
  parentPort!.postMessage(email, [...new Set(buffers)]);
});

async function cleanText(text: Cleaning) {
  try {
    return { html: await cleanHere(text) };
  } catch (error) {
    if (!(error instanceof ExcessiveHtml)) throw error;
    return { excess: error.message };
  }
}
