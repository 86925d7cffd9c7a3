/** Answers and refusals as responses, with the headers that all of them carry, and the line in the log. */
import type { Answer } from "../core/answer.ts";
import { etagOf } from "../db/etag.ts";
import type { Deps } from "../deps.ts";
import { matchesNone } from "./conditional.ts";
import type { Compressor } from "../platform/compressor.ts";
import { encodedHeaders, encodingOf } from "./compression.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { Endpoint } from "./endpoint.ts";
import { corsHeaders, originOf, requestIdOf, securityHeaders } from "./headers.ts";
import { pathOf } from "./paths.ts";
import { asProblem, problemBody } from "./problems.ts";
import { logRequest, unknownCaller } from "./request_log.ts";

const emptyHeaders = { ...corsHeaders, ...securityHeaders };
const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", ...emptyHeaders };

/** Characters from which on a body is compressed in parts. */
const large = 256 * 1024;

/** What an endpoint answered. */
export function respond(
  { compressor }: Pick<Deps, "compressor">,
  answer: Answer,
  request: Request,
  endpoint: Endpoint,
  requestId: string,
): Response | Promise<Response> {
  const headers: Record<string, string> = {
    ...(answer.body ? jsonHeaders : emptyHeaders),
    "X-Request-Id": requestId,
    ...deprecationHeaders(endpoint.declared, request.url),
    ...answer.headers,
  };
  if (!answer.body) return new Response(null, { status: answer.status, headers });
  if (!("Cache-Control" in headers)) headers["Cache-Control"] = "private, no-cache";
  const { text } = answer.body;
  // Lists have no version; everything else is a record.
  if (!text.startsWith('{"data":')) {
    // A kept answer brings its own.
    const etag = headers["ETag"] ??= etagOf(answer.body);
    if (endpoint.declared.method === "get" && matchesNone(request.headers, etag)) {
      return notModified(encodedHeaders(headers, encodingOf(compressor, request.headers, text)));
    }
  }
  const given = { status: answer.status, headers };
  return text.length < large
    ? respondText(compressor, request, text, given)
    : respondLarge(compressor, request, text, given);
}

/** The text, compressed as the request accepts it. `key`: see `Compressor`. */
export function respondText(
  compressor: Compressor | null,
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
  key?: string,
): Response {
  const encoded = encodingOf(compressor, request.headers, text, key);
  const { encoding } = encoded;
  const body = compressor && encoding ? compressor.compress(text, encoding, key) : text;
  return new Response(body, { status, headers: encodedHeaders(headers, encoded) });
}

/** The same of a text that takes long to compress. */
async function respondLarge(
  compressor: Compressor | null,
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): Promise<Response> {
  const encoded = encodingOf(compressor, request.headers, text);
  const { encoding } = encoded;
  const body = compressor && encoding ? await compressor.compressInParts(text, encoding) : text;
  return new Response(body, { status, headers: encodedHeaders(headers, encoded) });
}

/** 304 with the headers of the answer that it stands for, except those of its body. */
export function notModified(
  { "Content-Type": _, "Content-Encoding": _encoding, ...headers }: Record<string, string>,
): Response {
  return new Response(null, { status: 304, headers });
}

/** What an endpoint refused. */
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

/** A refusal of a request that reached no endpoint, with its line in the log. */
export function refuse(deps: Deps, request: Request, route: string, error: unknown): Response {
  const requestId = requestIdOf(request.headers);
  const response = respondRefused(deps, request, requestId, error);
  logRequest(deps.log, unknownCaller(request.method, route, response.status, requestId));
  return response;
}

/** Whether pages elsewhere may read answers of this address. */
function isOpen(url: string): boolean {
  return /^\/(?:v1|upload)(?:\/|$)/.test(pathOf(url));
}
