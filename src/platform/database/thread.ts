import { setImmediate } from "node:timers";
import { Worker } from "node:worker_threads";
import {
  DatabaseFull,
  DatabaseUnavailable,
  GuardRefused,
  NotUnique,
  ReadTooMuch,
  ReferenceGone,
  TookTooLong,
} from "./database.ts";

/** A worker thread that answers questions in any order. */
export interface Thread<Asked, Answered> {
  ask(question: Asked): Promise<Answered>;
  /** Resolves when the thread has posted something, or has ended. */
  readonly started: Promise<void>;
  /** Resolves when the thread has ended. Rejects unanswered questions. */
  end(): Promise<unknown>;
}

/** A question to a thread, sent with others of about the same time. */
export interface Question<Asked> {
  readonly id: number;
  readonly question: Asked;
}

/** Answers that became known together. */
export type Answers<Answered> = readonly (
  & { readonly id: number }
  & ({ readonly answer: Answered } | { readonly failure: SerializedError })
)[];

/** An error in a form that crosses threads, where its class would be lost. */
export interface SerializedError {
  readonly kind: "guard" | "unique" | "reference" | "full" | "late" | "much" | "unavailable" | "other";
  readonly text: string;
}

/**
 * Most questions per message. Each message costs both threads time, but waiting for the end of the event
 * loop's turn would leave the thread idle.
 */
const together = 4;

interface Waiting<Answered> {
  readonly resolve: (answer: Answered) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Starts a thread that takes lists of `Question` and posts `Answers`. An idle thread does not keep the
 * process alive. Calls `onGone` once when the thread ends for any reason, and rejects its questions with
 * `DatabaseUnavailable`.
 */
export function startThread<Asked, Answered>(
  module: string,
  workerData: unknown,
  onGone: () => void,
): Thread<Asked, Answered> {
  const worker = new Worker(new URL(module, import.meta.url), { workerData });
  const waiting = new Map<number, Waiting<Answered>>();
  let questions: Question<Asked>[] = [];
  let last = 0;
  let hasEnded = false;
  const started = Promise.withResolvers<void>();
  worker.unref();

  function send(): void {
    if (questions.length === 0) return;
    worker.postMessage(questions);
    questions = [];
  }
  // An exit follows each error. By then another thread may have replaced this one, so only the first counts.
  function failAll(error: unknown): void {
    if (hasEnded) return;
    hasEnded = true;
    onGone();
    started.resolve();
    for (const { reject } of waiting.values()) {
      reject(new DatabaseUnavailable("a thread of the database ended", { cause: error }));
    }
    waiting.clear();
  }
  worker.on("message", (answers: Answers<Answered>) => {
    started.resolve();
    for (const each of answers) {
      const asked = waiting.get(each.id);
      waiting.delete(each.id);
      if ("answer" in each) asked?.resolve(each.answer);
      else asked?.reject(restoreError(each.failure));
    }
    if (waiting.size === 0) worker.unref();
  });
  worker.on("error", failAll);
  worker.on("exit", (code) => failAll(new Error(`it ended with ${code}`)));

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        if (waiting.size === 1) worker.ref();
        if (questions.push({ id: last, question }) === together) send();
        else if (questions.length === 1) setImmediate(send);
      }),
    started: started.promise,
    end: () => worker.terminate(),
  };
}

/** Returns an error of the database in the form in which it crosses threads. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof GuardRefused) return { kind: "guard", text: error.guard };
  if (error instanceof NotUnique) return { kind: "unique", text: error.columns };
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ReadTooMuch) return { kind: "much", text };
  if (error instanceof TookTooLong) return { kind: "late", text };
  if (error instanceof ReferenceGone) return { kind: "reference", text };
  if (error instanceof DatabaseFull) return { kind: "full", text };
  return { kind: error instanceof DatabaseUnavailable ? "unavailable" : "other", text };
}

function restoreError({ kind, text }: SerializedError): Error {
  if (kind === "guard") return new GuardRefused(text);
  if (kind === "unique") return new NotUnique(text);
  if (kind === "reference") return new ReferenceGone(text);
  if (kind === "full") return new DatabaseFull(text);
  if (kind === "much") return new ReadTooMuch();
  if (kind === "late") return new TookTooLong();
  return kind === "unavailable" ? new DatabaseUnavailable(text) : new Error(text);
}
