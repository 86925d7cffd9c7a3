/** Makes one attempt: sends the request with its headers, and keeps a part of the answer. */
import type { RetryClock } from "../../core/retries.ts";
import { retryAfter } from "../../core/retry_after.ts";
import type { Deps } from "../../deps.ts";
import { FetchFailed } from "../../platform/fetcher.ts";
import { type Due, selectBody } from "./claim.ts";
import { stripFields } from "./hidden_fields.ts";
import type { Result } from "./results.ts";
import { listTokens, signBody, type Signed } from "./sign.ts";

const timeoutMs = 5_000;
/** Bytes of an answer to read. */
const maxBytes = 64 * 1024;
/** Characters of an answer to store. */
const excerptLength = 1_024;

/** The dependencies of sending. */
export type SendingDeps = Pick<
  Deps,
  "db" | "fetcher" | "jsonPool" | "metrics" | "secretsKey" | "stopping" | "traffic"
>;

/**
 * Sends a due delivery once. Never throws: a failure is a result. `tokens` caches opened tokens by their
 * sealed text.
 */
export async function attempt(
  deps: SendingDeps,
  due: Due,
  tokens: Map<string, string>,
  clock: RetryClock,
): Promise<Result> {
  const at = clock.now();
  const made = {
    delivery_id: due.id,
    webhook_id: due.webhook_id,
    number: due.attempts + 1,
    begun_after: due.begun_after,
    target_url: due.target_url,
    at,
    steady_for: clock.steadyFor?.() ?? Infinity,
  };
  let signed: Signed | null = null;
  try {
    const body = await deps.jsonPool.expand(due.body ?? await readLaterBody(deps, due));
    const hidden = due.hidden_fields;
    const delivery = { ...due, body: hidden === null ? body : stripFields(body, hidden) };
    if (due.verification_token !== null) {
      signed = signBody(delivery, listTokens(deps.secretsKey, due, at, tokens), at);
    }
    const answer = await deps.fetcher.post(delivery.target_url, {
      headers: attemptHeaders(delivery, signed),
      body: delivery.body,
      timeoutMs,
      maxBytes,
    });
    const duration_ms = Math.round(answer.durationMs);
    const succeeded = answer.status === 200 || due.success_status === "2xx" && isAny2xx(answer.status);
    const later = answer.headers.get("retry-after");
    return {
      ...made,
      signed,
      response_status: answer.status,
      succeeded,
      retry_at: later === null ? null : retryAfter(later, at + duration_ms),
      error: !succeeded && isAny2xx(answer.status) ? explainSuccess(answer.status) : null,
      duration_ms,
      response_excerpt: storable(answer.bodyExcerpt),
    };
  } catch (error) {
    const failed = error instanceof FetchFailed ? error : null;
    return {
      ...made,
      signed,
      response_status: null,
      succeeded: false,
      retry_at: null,
      error: storable(failed?.message ?? "the request could not be made"),
      duration_ms: Math.round(failed?.durationMs ?? 0),
      response_excerpt: null,
    };
  }
}

function isAny2xx(status: number): boolean {
  return status >= 200 && status < 300;
}

function explainSuccess(status: number): string {
  return `The target answered ${status}. Only 200 is success, unless the subscription's success_status is 2xx.`;
}

/** The facts of an event that the headers contain, the same at each attempt. */
export type SignedEvent = Pick<
  Due,
  "id" | "generated_at" | "event_name" | "sequence" | "executor_id"
>;

/**
 * Returns the headers of an attempt. Without `withSecrets`, leaves out the hash and the signatures: users who
 * cannot read the token could guess it from them.
 */
export function attemptHeaders(
  delivery: SignedEvent,
  signed: Signed | null,
  withSecrets = true,
): Record<string, string> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": "Wayline-CRM/1.0",
    "X-Timestamp": delivery.generated_at,
    "X-Service-Event": delivery.event_name,
    "X-Service-Sequence": String(delivery.sequence),
    "X-Service-Delivery": delivery.id,
  };
  if (delivery.executor_id !== null) headers["X-Service-Executor-User"] = String(delivery.executor_id);
  if (signed === null) return headers;
  const [timestamp, hash, signatures] = signed;
  if (withSecrets) headers["X-Service-Verification-Hash"] = hash;
  headers["webhook-id"] = delivery.id;
  headers["webhook-timestamp"] = timestamp;
  if (withSecrets) headers["webhook-signature"] = signatures;
  return headers;
}

async function readLaterBody({ db }: SendingDeps, due: Due): Promise<string> {
  const [found] = await db.read([selectBody(due)]);
  return found!.rows[0]!.body as string;
}

/** Shortens text to the stored length, and replaces NUL characters and lone surrogates. */
function storable(text: string): string {
  return text.slice(0, excerptLength).replaceAll("\0", "\ufffd").toWellFormed();
}
