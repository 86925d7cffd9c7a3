/** Reads on a connection of its own in a thread of its own: what takes long here keeps nobody else waiting. */
import { parentPort, workerData } from "node:worker_threads";
import { connectReader, readTogether } from "./connection.ts";
import type { Result, Statement } from "./database.ts";
import { keepStatements } from "./kept_statements.ts";
import { type Answers, failureOf, type Question } from "./thread.ts";

const { path, kept }: { path: string; kept: number } = workerData;
const connection = connectReader(path);
const statements = keepStatements(connection, kept);

parentPort!.on("message", (questions: readonly Question<readonly Statement[]>[]) => {
  for (const { id, question } of questions) parentPort!.postMessage([answered(id, question)]);
});

function answered(id: number, batch: readonly Statement[]): Answers<Result[]>[number] {
  try {
    return { id, answer: readTogether(statements, batch) };
  } catch (error) {
    return { id, failure: failureOf(error) };
  }
}
