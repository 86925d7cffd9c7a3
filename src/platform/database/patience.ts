import { DatabaseUnavailable } from "./database.ts";
import { isBusy, meaningOf } from "./sqlite.ts";

/**
 * Tries again, with growing pauses that differ by chance, for as long as the database is locked by others.
 * @param patience milliseconds after which it gives up with `DatabaseUnavailable`
 */
export async function whileBusy<T>(patience: number, attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (let tries = 0;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw meaningOf(error);
      if (performance.now() > deadline) {
        throw new DatabaseUnavailable("the database stayed busy", { cause: error });
      }
    }
    await pause(pauseAfter(tries));
  }
}

/** Tries again for so many milliseconds when the database does not answer: for reads only. */
export async function whileUnavailable<T>(patience: number, attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patience;
  for (let tries = 4;; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() > deadline) throw error;
    }
    await pause(pauseAfter(tries));
  }
}

/** Milliseconds to wait after so many tries: about 2 at first, up to 50. */
export function pauseAfter(tries: number): number {
  return Math.min(50, 2 + 2 ** tries) * (0.5 + Math.random());
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
