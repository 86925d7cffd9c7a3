/** Reads on a separate connection in a separate thread, so that long reads do not block other calls. */
import { parentPort, workerData } from "node:worker_threads";
import { connectReader } from "./connection.ts";
import { type Result, type Statement, TookTooLong } from "./database.ts";
import { keepStatements, readTogether } from "./kept_statements.ts";
import { whileBusy } from "./retry.ts";
import { addTicks, goOn, stop, tick } from "./row_ticks.ts";
import { type Answers, type Question, serializeError } from "./thread.ts";

/** A batch with its number; numbers grow in the order of the calls. */
export interface Numbered {
  readonly number: number;
  readonly batch: readonly Statement[];
  readonly most: number | undefined;
}

/** `abandoned` holds the numbers of abandoned batches, each at the index `number % length`. */
export interface ReaderData {
  readonly path: string;
  readonly kept: number;
  /** Milliseconds after which a read gives up on a lock. */
  readonly patience: number;
  readonly abandoned: BigInt64Array;
}

const { path, kept, patience, abandoned }: ReaderData = workerData;
const connection = connectReader(path);
let running = 0n;
connection.function(tick, () => isAbandoned() ? stop : goOn);
const tables = new Map<string, boolean>();
const statements = keepStatements(connection, kept, (sql) => addTicks(sql, hasRowNumbers));

parentPort!.on("message", async (questions: readonly Question<Numbered>[]) => {
  for (const { id, question } of questions) parentPort!.postMessage([await answerQuestion(id, question)]);
});

// Reports that the thread has started.
parentPort!.postMessage([]);

async function answerQuestion(id: number, question: Numbered): Promise<Answers<Result[]>[number]> {
  try {
    return { id, answer: await whileBusy(patience, () => readNow(question)) };
  } catch (error) {
    return { id, failure: serializeError(error) };
  }
}

function readNow({ number, batch, most }: Numbered): Result[] {
  running = BigInt(number);
  try {
    refuseAbandoned();
    return readTogether(statements, batch, { before: refuseAbandoned, most });
  } catch (error) {
    throw isAbandoned() ? new TookTooLong() : error;
  }
}

function refuseAbandoned(): void {
  if (isAbandoned()) throw new TookTooLong();
}

function isAbandoned(): boolean {
  return Atomics.load(abandoned, Number(running) % abandoned.length) === running;
}

function hasRowNumbers(table: string): boolean {
  let known = tables.get(table);
  if (known === undefined) {
    const found = connection.prepare(
      "select 1 from pragma_table_list(?) where schema = 'main' and type in ('table', 'virtual') and not wr",
    ).get(table);
    tables.set(table, known = found !== undefined);
  }
  return known;
}
