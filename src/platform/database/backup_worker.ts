/** Copies a database file in a thread of its own, so that nobody waits for it. */

import { backup, DatabaseSync } from "node:sqlite";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";

const { from, to }: { from: string; to: string } = workerData;

try {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  // A transaction that is reading keeps its state of the database, even while others write.
  source.exec("begin; select 1 from sqlite_master");
  await backup(source, to);
  source.exec("commit");
  source.close();
  process.exit(0);
} catch (error) {
  parentPort!.postMessage(error instanceof Error ? error.message : String(error));
}
