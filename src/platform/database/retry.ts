import { pause } from "../pause.ts";
import { DatabaseUnavailable, TookTooLong } from "./database.ts";
import { isBusy, meaningOf } from "./sqlite.ts";

/**
 * Retries with growing random pauses while the database is locked by others.
 * @param patience milliseconds from the first refusal until it gives up with `DatabaseUnavailable`
 */
export async function whileBusy<T>(patience: number, attempt: () => T | Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw meaningOf(error);
      // Hardly any call needs the time, and asking for it takes longer than the rest of this function.
      deadline ??= performance.now() + patience;
      if (performance.now() >= deadline) {
        throw new DatabaseUnavailable("the database stayed busy", { cause: error });
      }
    }
    await pause(pauseAfter(tries));
  }
}

/** Retries for this many milliseconds when the database does not answer. For reads only. */
export async function whileUnavailable<T>(patience: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (let tries = 4;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || error instanceof TookTooLong) throw error;
      if (performance.now() > deadline) throw error;
    }
    await pause(pauseAfter(tries));
  }
}

/** Rejects with `TookTooLong` after this many milliseconds without an answer, and then calls `abandon`. */
export async function withDeadline<T>(
  milliseconds: number,
  answer: Promise<T>,
  abandon: () => void,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abandon();
      reject(new TookTooLong());
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds to wait after this many tries: about 2 at first, up to 50. */
export function pauseAfter(tries: number): number {
  return Math.min(50, 2 + 2 ** tries) * (0.5 + Math.random());
}
