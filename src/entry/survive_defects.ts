/** The last resort for errors that no caller handles. */
import { describeError, type Log } from "../platform/log.ts";

export interface Defects {
  /** Errors that nobody handled so far. */
  readonly count: number;
  /** Leaves the next ones to the runtime. */
  stop(): void;
}

/**
 * Logs errors and rejections that nobody handles, and lets the process live: one defect in background work must
 * not end the calls of all companies.
 */
export function surviveDefects(log: Log): Defects {
  let count = 0;
  const report = (event: Event, error: unknown) => {
    event.preventDefault();
    count++;
    log.error({ event: "defect", ...describeError(error) });
  };
  const onRejection = (event: PromiseRejectionEvent) => report(event, event.reason);
  const onError = (event: ErrorEvent) => report(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return {
    get count() {
      return count;
    },
    stop() {
      globalThis.removeEventListener("unhandledrejection", onRejection);
      globalThis.removeEventListener("error", onError);
    },
  };
}
