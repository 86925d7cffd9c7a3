/** Converts answers and errors to responses with the common headers, and logs requests. */
import type { Answer } from "../core/answer.ts";
import type { Deps } from "../deps.ts";
import type { Compressor } from "../platform/compressor.ts";
import type { Log } from "../platform/log.ts";
import { encodedFor, etagOf } from "./compression.ts";
import { matchesNone } from "./conditional.ts";
import type { Endpoint } from "./endpoint.ts";
import { corsHeaders, deprecationHeaders, securityHeaders } from "./headers.ts";
import { asProblem, problemBody } from "./problems.ts";
import { originOf, pathOf, requestIdOf } from "./request.ts";

const emptyHeaders = { ...corsHeaders, ...securityHeaders };
const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", ...emptyHeaders };

/** The smallest body that is compressed in parts, in characters. */
const large = 256 * 1024;

/** Returns the response for the answer of an endpoint. */
export function respond(
  { compressor }: Pick<Deps, "compressor">,
  answer: Answer,
  request: Request,
  endpoint: Endpoint,
  requestId: string,
): Response | Promise<Response> {
  const { declared } = endpoint;
  const isDeprecated = declared.deprecated !== undefined || declared.deprecatedParameters !== undefined;
  const headers: Record<string, string> = {
    ...(answer.body ? jsonHeaders : emptyHeaders),
    "X-Request-Id": requestId,
    ...(isDeprecated ? deprecationHeaders(declared, request.url) : {}),
    ...answer.headers,
  };
  if (!answer.body) return new Response(null, { status: answer.status, headers });
  if (!("Cache-Control" in headers)) headers["Cache-Control"] = "private, no-cache";
  const { text } = answer.body;
  // Lists have no version; everything else is a record.
  if (!text.startsWith('{"data":')) {
    // A stored answer has its own ETag.
    const etag = headers["ETag"] ??= etagOf(answer.body);
    if (declared.method === "get" && matchesNone(request.headers, etag)) {
      return notModified(encodedFor(request.headers, compressor, text, headers).headers);
    }
  }
  const given = { status: answer.status, headers };
  return text.length < large
    ? respondText(compressor, request, text, given)
    : respondLarge(compressor, request, text, given);
}

/** Returns the text, compressed as the request accepts it. `key`: see `Compressor`. */
export function respondText(
  compressor: Compressor | null,
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
  key?: string,
): Response {
  const encoded = encodedFor(request.headers, compressor, text, headers, key);
  const { encoding } = encoded;
  const body = compressor && encoding ? compressor.compress(text, encoding, key) : text;
  return new Response(body, { status, headers: encoded.headers });
}

/** The same for a text that takes long to compress. */
async function respondLarge(
  compressor: Compressor | null,
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): Promise<Response> {
  const encoded = encodedFor(request.headers, compressor, text, headers);
  const { encoding } = encoded;
  const body = compressor && encoding ? await compressor.compressInParts(text, encoding) : text;
  return new Response(body, { status, headers: encoded.headers });
}

/** Returns 304 with the headers of the full answer, except those of its body. */
export function notModified(
  { "Content-Type": _, "Content-Encoding": _encoding, ...headers }: Record<string, string>,
): Response {
  return new Response(null, { status: 304, headers });
}

/** Returns the response for an error. */
export function respondRefused(
  deps: Deps,
  request: Request,
  requestId: string,
  error: unknown,
  endpoint: Endpoint | null = null,
): Response {
  const problem = asProblem(error, deps.log, requestId);
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  return respondText(deps.compressor, request, JSON.stringify(problemBody(problem, origin, requestId)), {
    status: problem.status,
    headers: {
      "Content-Type": "application/problem+json; charset=utf-8",
      ...(isOpen(request.url) ? corsHeaders : {}),
      ...securityHeaders,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...(endpoint ? deprecationHeaders(endpoint.declared, request.url) : {}),
      ...problem.more.headers,
    },
  });
}

/** Returns and logs the error for a request that reached no endpoint. */
export function refuse(deps: Deps, request: Request, route: string, error: unknown): Response {
  const requestId = requestIdOf(request.headers);
  const response = respondRefused(deps, request, requestId, error);
  logRequest(deps.log, unknownCaller(request.method, route, response.status, requestId));
  return response;
}

/** The facts of a request for its log line. */
export interface Answered {
  readonly method: string;
  /** The path as declared, without the ids of the call. */
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

/** Logs a request that was answered without reading its caller. */
export function unknownCaller(method: string, route: string, status: number, requestId: string): Answered {
  return { method, route, status, requestId, duration: 0, companyId: null, userId: null };
}

/** Returns whether pages of other origins may read the answers of this URL. */
function isOpen(url: string): boolean {
  return /^\/(?:v1|upload|files)(?:\/|$)/.test(pathOf(url));
}
