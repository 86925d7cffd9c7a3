/** Converts errors to RFC 9457 problem documents. */
import { CleanerUnavailable } from "../core/html.ts";
import { type FieldError, Problem } from "../core/errors.ts";
import { DatabaseFull, DatabaseUnavailable, TookTooLong } from "../platform/database/database.ts";
import { QueueFull } from "../platform/fair_queue.ts";
import { PasswordsBusy } from "../platform/passwords.ts";
import { PrinterUnavailable } from "../platform/pdf/pdf.ts";
import { StorageFull, StorageUnavailable } from "../platform/storage/storage.ts";
import type { Log } from "../platform/log.ts";

const titles: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  424: "Failed Dependency",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldError[];
  impact?: unknown;
  merged_into?: string;
  merge_id?: string;
}

/** Converts anything thrown to a problem. Logs unknown errors and returns them as 500 without details. */
export function asProblem(error: unknown, log: Log, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseFull) {
    log.error({ event: "database_full", request_id: requestId, error: error.message });
    return new Problem(503, "unavailable", fullDetail, { headers: { "Retry-After": "10" } });
  }
  if (error instanceof TookTooLong) {
    log.error({ event: "read_took_too_long", request_id: requestId });
    return new Problem(
      503,
      "unavailable",
      "The database took too long; nothing was changed. Request less, or try again.",
      { headers: { "Retry-After": "5" } },
    );
  }
  if (error instanceof DatabaseUnavailable) {
    log.error({ event: "database_unavailable", request_id: requestId, error: error.message });
    return new Problem(
      503,
      "unavailable",
      "The database did not answer; a change may or may not have been stored. Try again.",
      {
        headers: { "Retry-After": "1" },
      },
    );
  }
  if (error instanceof StorageFull) {
    log.error({ event: "storage_full", request_id: requestId, error: error.message });
    return new Problem(503, "unavailable", "The storage is full; nothing was changed. Try again later.", {
      headers: { "Retry-After": "10" },
    });
  }
  if (error instanceof StorageUnavailable) {
    log.error({ event: "storage_unavailable", request_id: requestId, error: error.message });
    return new Problem(503, "unavailable", "The storage did not answer; nothing was changed. Try again.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (error instanceof PrinterUnavailable) {
    log.error({ event: "printer_unavailable", request_id: requestId, error: error.message });
    return new Problem(
      503,
      "unavailable",
      "The document could not be made; nothing was changed. Try again.",
      {
        headers: { "Retry-After": "10" },
      },
    );
  }
  if (error instanceof CleanerUnavailable) {
    log.error({ event: "cleaner_unavailable", request_id: requestId, error: error.message });
    return new Problem(503, "unavailable", "The text could not be cleaned; nothing was changed. Try again.", {
      headers: { "Retry-After": "10" },
    });
  }
  if (error instanceof QueueFull) {
    return new Problem(503, "unavailable", "Too many requests of this kind wait; try again.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (error instanceof PasswordsBusy) {
    return new Problem(503, "unavailable", "Too many sign-ins at once; nothing was changed. Try again.", {
      headers: { "Retry-After": String(error.seconds) },
    });
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  log.error({ event: "internal_error", request_id: requestId, error: message, stack });
  return new Problem(
    500,
    "internal",
    "An internal error occurred. The log has the details under this request id.",
  );
}

export const fullDetail = "The disk of the database is full; nothing was changed. Try again later.";

/** Returns the body of a problem, as RFC 9457 has it. `origin`: where its type is explained. */
export function presentProblem(problem: Problem, origin: string, requestId: string): ProblemBody {
  return {
    type: `${origin}/problems/${problem.code}`,
    title: titles[problem.status] ?? "Error",
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    request_id: requestId,
    ...(problem.more.errors ? { errors: problem.more.errors } : {}),
    ...(problem.more.impact === undefined ? {} : { impact: problem.more.impact }),
    ...problem.more.members,
  };
}

/** Returns the 401 of a call. `sent`: whether it had a token. */
export const unauthenticated = (sent: boolean): Problem =>
  new Problem(
    401,
    "unauthenticated",
    sent
      ? "The token is unknown, expired or revoked: get a new one from POST /auth/token."
      : "Send a token: Authorization: Bearer <ACCESS_TOKEN>.",
    { headers: { "WWW-Authenticate": sent ? 'Bearer error="invalid_token"' : "Bearer" } },
  );
