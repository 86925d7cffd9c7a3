/** Reads on a connection of its own in a thread of its own: what takes long here keeps nobody else waiting. */
import { parentPort, workerData } from "node:worker_threads";
import { connectReader, readTogether } from "./connection.ts";
import type { Statement } from "./database.ts";
import { keepStatements } from "./kept_statements.ts";

const { path, kept }: { path: string; kept: number } = workerData;
const connection = connectReader(path);
const statements = keepStatements(connection, kept);

parentPort!.on("message", ({ id, batch }: { id: number; batch: readonly Statement[] }) => {
  try {
    parentPort!.postMessage({ id, results: readTogether(connection, statements, batch) });
  } catch (error) {
    parentPort!.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
