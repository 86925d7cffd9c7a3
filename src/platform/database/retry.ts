import { pause } from "../pause.ts";
import { DatabaseUnavailable, TookTooLong } from "./database.ts";
import { isBusy, translateError } from "./sqlite.ts";

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
      if (!isBusy(error)) throw translateError(error);
      // Reads the time only now: few calls need it, and reading it takes longer than all else here.
      deadline ??= performance.now() + patience;
      if (performance.now() >= deadline) {
        throw new DatabaseUnavailable("the database stayed busy", { cause: error });
      }
    }
    await pause(pauseAfter(tries));
  }
}

/** Retries for up to `patience` milliseconds while the database does not answer. For reads only. */
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

/**
 * After this many milliseconds without an answer, calls `abandon` and rejects with `TookTooLong`. While `heldBy`
 * returns a promise, the milliseconds begin again when it resolves.
 */
export async function withDeadline<T>(
  milliseconds: number,
  answer: Promise<T>,
  abandon: () => void,
  heldBy: () => Promise<void> | null = () => null,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const late = Promise.withResolvers<never>();
  const begin = () => {
    if (!isOver) timer = setTimeout(end, milliseconds);
  };
  const end = () => {
    const held = heldBy();
    if (held) return void held.then(begin, begin);
    abandon();
    late.reject(new TookTooLong());
  };
  begin();
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** Milliseconds to wait after this many tries: about 2 at first, up to 50. */
export function pauseAfter(tries: number): number {
  return Math.min(50, 2 + 2 ** tries) * (0.5 + Math.random());
}
