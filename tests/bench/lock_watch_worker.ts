/** Asks for the write lock of a database until it is asked for the longest wait. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** Milliseconds between two questions, while the lock is free and while it is held. */
const pauseFree = 5;
const pauseHeld = 1;

const connection = new DatabaseSync(workerData as string, { timeout: 0 });
let longest = 0;
let heldSince: number | null = null;

function ask(): void {
  const now = performance.now();
  try {
    connection.exec("begin immediate; rollback");
    if (heldSince !== null) longest = Math.max(longest, performance.now() - heldSince);
    heldSince = null;
  } catch (error) {
    if (!String(error).includes("locked")) throw error;
    heldSince ??= now;
  }
  timer = setTimeout(ask, heldSince === null ? pauseFree : pauseHeld);
}

let timer = setTimeout(ask, 0);

parentPort!.on("message", () => {
  clearTimeout(timer);
  connection.close();
  parentPort!.postMessage(longest);
});
