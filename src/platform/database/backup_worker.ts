/** Copies a database file in a separate thread, so that no call waits. */

import { backup, DatabaseSync } from "node:sqlite";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";

const { from, to }: { from: string; to: string } = workerData;

try {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  // A read transaction keeps its snapshot while others write.
  source.exec("begin; select 1 from sqlite_master");
  await backup(source, to);
  source.exec("commit");
  source.close();
  process.exit(0);
} catch (error) {
  parentPort!.postMessage(error instanceof Error ? error.message : String(error));
}
