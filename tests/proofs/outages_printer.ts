/** Loaded before the service: ends the threads that make documents at each SIGUSR2. */
import { Worker } from "node:worker_threads";

const printers = new Set<Worker>();
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (this: Worker, ...sent: Parameters<typeof post>) {
  const [message] = sent;
  // Only documents have margins.
  if (typeof message === "object" && message !== null && "margins" in message) printers.add(this);
  return post.apply(this, sent);
};

Deno.addSignalListener("SIGUSR2", () => {
  for (const printer of printers) void printer.terminate();
  printers.clear();
});
