/** Every refusal of the service, as values. `http/problems.ts` turns them into responses. */

export type FieldCode =
  | "required"
  | "type"
  | "min"
  | "max"
  | "format"
  | "enum"
  | "unique"
  | "exists"
  | "after"
  | "before"
  | "excluded"
  | "not_editable"
  | "unknown_field"
  | "operator"
  | "refused";

export interface FieldError {
  /** Where in the request: `billing.country`, `filter[0].and[1].value`, `query.page`. */
  path: string;
  code: FieldCode;
  message: string;
}

export const conflictCodes = [
  "campaign_sent",
  "campaign_domain_missing",
  "campaign_state",
  "delete_blocked",
  "delivery_ended",
  "lead_state",
  "case_state",
  "template_in_use",
  "last_admin",
  "b2c_single_contact",
  "idempotency_in_progress",
  "folder_mismatch",
  "import_state",
  "merge_running",
  "merge_undone",
  "merge_covered",
] as const;
export type ConflictCode = (typeof conflictCodes)[number];

export type ProblemCode =
  | "malformed_json"
  | "malformed_multipart"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | ConflictCode
  | "request_timeout"
  | "merge_expired"
  | "cursor_expired"
  | "precondition_failed"
  | "payload_too_large"
  | "unsupported_media_type"
  | "validation_failed"
  | "idempotency_mismatch"
  | "not_run"
  | "rate_limited"
  | "internal"
  | "unavailable";

/** A refusal with its status and code. Thrown anywhere, sent as `application/problem+json`. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: ProblemCode,
    readonly detail: string,
    readonly more: {
      errors?: FieldError[];
      headers?: Record<string, string>;
      impact?: unknown;
      /** Further members of the problem, such as the id of a record that is meant instead. */
      members?: Readonly<Partial<Record<"merged_into" | "merge_id" | "oldest", string>>>;
    } = {},
  ) {
    super(`${code}: ${detail}`);
  }
}

/** Returns the 404 for what is not there or not visible: the two must not differ. */
export function notFound(what = "There is no such record, or it is not visible to you."): Problem {
  return new Problem(404, "not_found", what);
}

/** `missing`: the user type, right or trust that the caller lacks. */
export function forbidden(missing: string): Problem {
  return new Problem(403, "forbidden", missing);
}

/** 429: `what` says what is used up. The caller may try again after the seconds. */
export function rateLimited(what: string, after: number): Problem {
  const seconds = Math.max(1, Math.ceil(after));
  return new Problem(429, "rate_limited", `${what}; try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** Returns a 409. `impact`: what the refused deletion would change. */
export function conflict(code: ConflictCode, detail: string, impact?: unknown): Problem {
  return new Problem(409, code, detail, impact === undefined ? {} : { impact });
}

/** A refusal as plain data: 409 with its code, or 422 of a member. */
export type Refusal = { readonly code: ConflictCode; readonly detail: string } | {
  readonly fault: FieldError;
};

/** Returns the problem of a refusal: 422 for a fault, 409 otherwise. */
export function refuse(refusal: Refusal): Problem {
  return "fault" in refusal ? invalid(refusal.fault) : conflict(refusal.code, refusal.detail);
}

/** The highest number of faults in one response. */
export const mostErrors = 100;

/** Returns the 422 with the faults, at most `mostErrors` of them. */
export function invalid(...errors: FieldError[]): Problem {
  const named = errors.slice(0, mostErrors);
  const detail = named.map((error) => `${error.path || "body"}: ${error.message}`).join(" ");
  return new Problem(422, "validation_failed", detail, { errors: named });
}

/** Returns the fault of a member of the body (or `query.…`), at its path. */
export function fieldError(path: string, code: FieldCode, message: string): FieldError {
  return { path, code, message };
}

/** Formats a place in a request as errors show it: `a.b[0].c`. */
export function pathText(parts: readonly PropertyKey[], prefix = ""): string {
  let text = prefix;
  for (const part of parts) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** Returns the fault of a well-formed id that names nothing the caller may use. */
export function missingReference(path: string, what: string): FieldError {
  return { path, code: "exists", message: `There is no such ${what}, or you may not use it.` };
}

/**
 * Thrown when rows changed between the reads of a verb and its commit. The verb then runs again from its
 * reads.
 */
export class Stale extends Error {
  constructor(readonly what: string) {
    super(`changed meanwhile: ${what}`);
  }
}
