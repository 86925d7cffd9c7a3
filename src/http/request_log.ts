/** One line in the log for each request. */
import type { Log } from "../platform/log.ts";

export interface Served {
  readonly method: string;
  /** The path as declared, without the ids that it was called with. */
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly companyId: number | null;
  readonly userId: number | null;
}

export function logRequest(log: Log, served: Served): void {
  log.info({
    event: "request",
    request_id: served.requestId,
    method: served.method,
    route: served.route,
    status: served.status,
    duration_ms: Math.round(served.duration * 100) / 100,
    company_id: served.companyId,
    user_id: served.userId,
  });
}
