/** Converts answers and errors to responses with the common headers, compresses them, and logs requests. */
import type { Answer } from "../core/answer.ts";
import { type Json, toJson } from "../core/json.ts";
import type { Deps } from "../deps.ts";
import type { Compressor, Encoding } from "../platform/compressor.ts";
import { chooseEncoding, quickest, smallest } from "./accepted_encoding.ts";
import { addEncoding, computeEtag, matchesNone } from "./conditional.ts";
import type { Endpoint } from "./endpoint.ts";
import { composeDeprecationHeaders, corsHeaders, securityHeaders } from "./headers.ts";
import { asProblem, presentProblem } from "./problems.ts";
import { chooseRequestId, extractPath, findOrigin } from "./request.ts";

const emptyHeaders = { ...corsHeaders, ...securityHeaders };
const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", ...emptyHeaders };

/** The smallest body that is compressed, in characters or bytes. Headers dominate smaller responses. */
const least = 1024;
/** The smallest body that is encoded in parts. */
const large = 256 * 1024;

/** Encodings by `Accept-Encoding`; null: uncompressed. Clients send few values, and parsing takes long. */
const quickChoices = new Map<string | null, Encoding | null>();
const smallChoices = new Map<string | null, Encoding | null>();
const mostChoices = 100;

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
    ...(isDeprecated ? composeDeprecationHeaders(declared, request.url) : {}),
    ...answer.headers,
  };
  if (answer.stream) return new Response(answer.stream, { status: answer.status, headers });
  if (!answer.body) return new Response(null, { status: answer.status, headers });
  if (!("Cache-Control" in headers)) headers["Cache-Control"] = "private, no-cache";
  const body = toJson(answer.body);
  const [first] = body.pieces;
  // Lists and batches have no version; everything else is a record.
  if (typeof first !== "string" || !/^\{"(?:data|responses)":/.test(first)) {
    // A stored answer has its own ETag.
    const etag = headers["ETag"] ??= computeEtag(body);
    if (declared.method === "get" && matchesNone(request.headers, etag)) {
      return notModified(compressor, request, body, headers);
    }
  }
  const given = { status: answer.status, headers };
  return compressor && body.length >= large
    ? respondLarge(compressor, request, body, given)
    : respondText(compressor, request, body.constants.length > 0 ? body.encode() : body.text, given);
}

/** Returns the text, compressed as the request accepts it. `key`: see `Compressor`. */
export function respondText(
  compressor: Compressor | null,
  request: Request,
  text: string | Uint8Array<ArrayBuffer>,
  { status, headers }: { status: number; headers: Record<string, string> },
  key?: string,
): Response {
  const encoded = chooseAnswerEncoding(compressor, request, text, headers, key);
  const { encoding } = encoded;
  const body = compressor && encoding ? compressor.compress(text, encoding, key) : text;
  return new Response(body, { status, headers: encoded.headers });
}

/** Does the same as `respondText` for a body that takes long to encode. */
async function respondLarge(
  compressor: Compressor,
  request: Request,
  body: Json,
  { status, headers }: { status: number; headers: Record<string, string> },
): Promise<Response> {
  const encoded = chooseAnswerEncoding(compressor, request, body, headers);
  const bytes = await compressor.compressInParts(body, encoded.encoding);
  return new Response(bytes, { status, headers: encoded.headers });
}

/** Returns 304 with the headers of the full answer, except those of its body. */
export function notModified(
  compressor: Compressor | null,
  request: Request,
  text: { readonly length: number },
  headers: Record<string, string>,
  key?: string,
): Response {
  const encoded = chooseAnswerEncoding(compressor, request, text, headers, key);
  const { "Content-Type": _, "Content-Encoding": _encoding, ...kept } = encoded.headers;
  return new Response(null, { status: 304, headers: kept });
}

/**
 * Returns the encoding of a text (null: uncompressed) and the headers with those of the encoding. The ETag
 * contains the name of the encoding. `compressor` is null if the platform compresses.
 */
function chooseAnswerEncoding(
  compressor: Compressor | null,
  request: Request,
  text: { readonly length: number },
  headers: Record<string, string>,
  key?: string,
): { readonly encoding: Encoding | null; readonly headers: Record<string, string> } {
  if (compressor === null || text.length < least) return { encoding: null, headers };
  const [encodings, choices] = key === undefined ? [quickest, quickChoices] : [smallest, smallChoices];
  const accepted = request.headers.get("accept-encoding");
  let encoding = choices.get(accepted);
  if (encoding === undefined) {
    encoding = chooseEncoding(accepted, encodings);
    if (choices.size >= mostChoices) choices.clear();
    choices.set(accepted, encoding);
  }
  const vary = headers.Vary === undefined ? "Accept-Encoding" : `${headers.Vary}, Accept-Encoding`;
  const own: Record<string, string> = { ...headers, Vary: vary };
  if (encoding === null) return { encoding, headers: own };
  own["Content-Encoding"] = encoding;
  if (own["ETag"]) own["ETag"] = addEncoding(own["ETag"], encoding);
  return { encoding, headers: own };
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
  const origin = findOrigin(request, deps.config.publicUrl, deps.config.trustProxy);
  return respondText(deps.compressor, request, JSON.stringify(presentProblem(problem, origin, requestId)), {
    status: problem.status,
    headers: {
      "Content-Type": "application/problem+json; charset=utf-8",
      ...(isOpen(request.url) ? corsHeaders : {}),
      ...securityHeaders,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...(endpoint ? composeDeprecationHeaders(endpoint.declared, request.url) : {}),
      ...problem.more.headers,
    },
  });
}

/** Returns and logs the error for a request that reached no endpoint. */
export function refuse(deps: Deps, request: Request, route: string, error: unknown): Response {
  const requestId = chooseRequestId(request.headers);
  const response = respondRefused(deps, request, requestId, error);
  noteRequest(deps, unknownCaller(request.method, route, response.status, requestId));
  return response;
}

/** The facts of a request for its log line and the metrics. */
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

/** Logs and counts a request. */
export function noteRequest({ log, metrics }: Pick<Deps, "log" | "metrics">, answered: Answered): void {
  metrics?.countRequest(answered.method, answered.route, answered.status, answered.duration);
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

/** Returns the facts of a request that was answered without reading its caller. */
export function unknownCaller(method: string, route: string, status: number, requestId: string): Answered {
  return { method, route, status, requestId, duration: 0, companyId: null, userId: null };
}

/** Returns whether pages of other origins may read the answers of this URL. */
function isOpen(url: string): boolean {
  return /^\/(?:v1|upload|files)(?:\/|$)/.test(extractPath(url));
}
