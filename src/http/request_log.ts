/** One line in the log for each request. */
import type { Log } from "../platform/log.ts";

export interface Answered {
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

export function logRequest(log: Log, answered: Answered): void {
  log.info({
    event: "request",
    request_id: answered.requestId,
    method: answered.method,
    route: answered.route,
    status: answered.status,
    duration_ms: Math.round(answered.duration * 100) / 100,
    company_id: answered.companyId,
    user_id: answered.userId,
  });
}

/** A request that was answered at once, without asking who sent it. */
export function unknownCaller(method: string, route: string, status: number, requestId: string): Answered {
  return { method, route, status, requestId, duration: 0, companyId: null, userId: null };
}
