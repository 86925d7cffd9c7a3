/** The last resort for errors that no caller handles. */
import { errorFields, type Log } from "../platform/log.ts";

/**
 * Logs errors and rejections that nobody handles, and lets the process live: one defect in background work must
 * not end the calls of all companies. Returns a function that stops this.
 */
export function surviveDefects(log: Log): () => void {
  const report = (event: Event, error: unknown) => {
    event.preventDefault();
    log.error({ event: "defect", ...errorFields(error) });
  };
  const onRejection = (event: PromiseRejectionEvent) => report(event, event.reason);
  const onError = (event: ErrorEvent) => report(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return () => {
    globalThis.removeEventListener("unhandledrejection", onRejection);
    globalThis.removeEventListener("error", onError);
  };
}
