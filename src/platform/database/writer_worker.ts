/** Writes on a separate connection in a separate thread, so that only writers wait for the disk. */
import { parentPort, workerData } from "node:worker_threads";
import { connect } from "./connection.ts";
import { groupCommits } from "./group_commit.ts";
import { keepStatements } from "./kept_statements.ts";
import { type PackedBatch, type PackedResults, packResults, unpackBatch } from "./packed_batches.ts";
import { type Answers, type Question, serializeError } from "./thread.ts";

const { path, kept, ...given }: { path: string; kept: number; patience: number; longCommit: number } =
  workerData;

const connection = connect(path);
const group = groupCommits(connection, keepStatements(connection, kept), given);

type Answer = Answers<PackedResults>[number];
let answers: Answer[] = [];

/** Posts all answers of one commit in one message. */
function report(answer: Answer): void {
  if (answers.push(answer) > 1) return;
  queueMicrotask(() => {
    const all = answers;
    answers = [];
    parentPort!.postMessage(all);
  });
}

parentPort!.on("message", (questions: readonly Question<PackedBatch>[]) => {
  for (const { id, question } of questions) {
    let ran = 0;
    group.write(unpackBatch(question), (ms) => ran = ms).then(
      (results) => report({ id, answer: packResults(results, ran) }),
      (error) => report({ id, failure: serializeError(error) }),
    );
  }
});
