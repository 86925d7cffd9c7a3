/** Runs endpoints: every convention of the API, in one order, for all of them. */
import type { Context as HonoContext, Hono } from "hono";
import type { Answer } from "../core/answer.ts";
import { forbidden, notFound, Problem } from "../core/errors.ts";
import { isIntegerId, isUuid } from "../core/ids.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Known } from "../db/callers.ts";
import { retrying } from "../db/commit.ts";
import type { ClientContext, Context } from "../db/context.ts";
import type { Deps } from "../deps.ts";
import { authenticate, bearerToken } from "./authenticate.ts";
import { checkCharacters, jsonLimit, parseJson, readText } from "./bodies.ts";
import { etagOf, namesTag } from "./conditional.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { Endpoint, ParamForm, ReadInput } from "./endpoint.ts";
import { corsHeaders, originOf, requestIdOf, securityHeaders } from "./headers.ts";
import { idempotencyKeyOf, type InFlight, once } from "./idempotency.ts";
import { asProblem, problemBody } from "./problems.ts";
import { logRequest } from "./request_log.ts";
import { validated } from "./validate.ts";

const problemHeaders = {
  "Content-Type": "application/problem+json; charset=utf-8",
  ...corsHeaders,
  ...securityHeaders,
};
const jsonHeaders = { "Content-Type": "application/json; charset=utf-8", ...corsHeaders, ...securityHeaders };
const emptyHeaders = { ...corsHeaders, ...securityHeaders };

/** Puts the endpoint on the app at its path. */
export function serve(app: Hono, deps: Deps, inFlight: InFlight, endpoint: Endpoint): void {
  const { method, path } = endpoint.declared;
  app.on(method.toUpperCase(), path, async (c) => await handle(c, deps, inFlight, endpoint));
}

/** A refusal as a response, with its line in the log. */
export function refuse(deps: Deps, request: Request, route: string, error: unknown): Response {
  const requestId = requestIdOf(request.headers);
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  const response = problemResponse(asProblem(error, deps.log, requestId), origin, requestId);
  logRequest(deps.log, {
    method: request.method,
    route,
    status: response.status,
    requestId,
    duration: 0,
    companyId: null,
    userId: null,
  });
  return response;
}

async function handle(c: HonoContext, deps: Deps, inFlight: InFlight, endpoint: Endpoint): Promise<Response> {
  const started = performance.now();
  const request = c.req.raw;
  const requestId = requestIdOf(request.headers);
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  let known: Known | null = null;
  let response: Response;
  try {
    const { declared } = endpoint;
    const now = deps.clock.now();
    const token = bearerToken(request.headers);
    const writes = declared.method !== "get";
    const key = writes ? idempotencyKeyOf(request.headers) : null;
    const asked = await authenticate(deps, token, now, key?.valid ? key.lookUp(now) : null);
    known = asked.known;
    checkAccess(endpoint, known);
    if (key && !key.valid) throw key.refusal;
    const params = readParams(c, declared.params);
    const query = declared.query ? validated(declared.query, readQuery(request.url), "query") : undefined;
    const text = declared.body ? await readText(request, jsonLimit) : "";
    const body = declared.body ? readBody(declared.body, request.headers, text) : undefined;
    const ctx: ClientContext | Context = {
      deps,
      now,
      at: formatTimestamp(now),
      requestId,
      origin,
      client: known.client,
      ...(known.caller ? { caller: known.caller } : {}),
      idempotency: key?.valid ? key.of(declared.method, request.url, text) : null,
      ifMatch: writes ? request.headers.get("if-match") : null,
    };
    const input: ReadInput = { params, query, body, url: request.url };
    const run = () => retrying(() => endpoint.run(ctx, input));
    const answer = ctx.idempotency ? await once(ctx, token!, asked.row, inFlight, run) : await run();
    response = respond(answer, request, endpoint, requestId);
  } catch (error) {
    response = problemResponse(asProblem(error, deps.log, requestId), origin, requestId);
  }
  logRequest(deps.log, {
    method: request.method,
    route: endpoint.declared.path,
    status: response.status,
    requestId,
    duration: performance.now() - started,
    companyId: known?.caller?.companyId ?? known?.client.companyId ?? null,
    userId: known?.caller?.userId ?? null,
  });
  return response;
}

function checkAccess(endpoint: Endpoint, known: Known): void {
  if (endpoint.access === "trusted" && !known.client.trusted) {
    throw forbidden("A trusted client is required.");
  }
  if (endpoint.access !== "user") return;
  if (!known.caller) throw forbidden("A user is required: this client acts for none.");
  const { right } = endpoint.declared;
  if (right && !known.caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

function readParams(
  c: HonoContext,
  forms: Record<string, ParamForm> | undefined,
): Record<string, string | number> {
  const params: Record<string, string | number> = {};
  for (const name in forms) {
    const text = c.req.param(name) ?? "";
    if (forms[name] === "uuid" && !isUuid(text)) throw notFound();
    if (forms[name] === "integer" && !isIntegerId(text)) throw notFound();
    params[name] = forms[name] === "integer"
      ? Number(text)
      : forms[name] === "uuid"
      ? text.toLowerCase()
      : text;
  }
  return params;
}

/** Parameters by name; repeated ones (`x=a&x=b`, `x[]=a&x[]=b`) as a list. */
function readQuery(url: string): Record<string, string | string[]> {
  const at = url.indexOf("?");
  const query: Record<string, string | string[]> = {};
  if (at < 0) return query;
  for (const [written, value] of new URLSearchParams(url.slice(at + 1))) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    if (name === "__proto__") continue;
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function readBody(
  schema: NonNullable<Endpoint["declared"]["body"]>,
  headers: Headers,
  text: string,
): unknown {
  const value = parseJson(headers, text);
  checkCharacters(text, value);
  return validated(schema, value, "");
}

function respond(answer: Answer, request: Request, endpoint: Endpoint, requestId: string): Response {
  const { deprecated, method } = endpoint.declared;
  const headers: Record<string, string> = {
    ...(answer.body ? jsonHeaders : emptyHeaders),
    "X-Request-Id": requestId,
    ...(deprecated ? deprecationHeaders(deprecated, request.url) : {}),
    ...answer.headers,
  };
  if (!answer.body) return new Response(null, { status: answer.status, headers });
  // Lists have no version; everything else is a record.
  if (!answer.body.text.startsWith('{"data":')) {
    const etag = etagOf(answer.body);
    headers["ETag"] = etag;
    const none = method === "get" ? request.headers.get("if-none-match") : null;
    if (none !== null && namesTag(none, etag)) return new Response(null, { status: 304, headers });
  }
  if (!("Cache-Control" in headers)) headers["Cache-Control"] = "private, no-cache";
  return new Response(answer.body.text, { status: answer.status, headers });
}

function problemResponse(problem: Problem, origin: string, requestId: string): Response {
  return new Response(JSON.stringify(problemBody(problem, origin, requestId)), {
    status: problem.status,
    headers: {
      ...problemHeaders,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...problem.more.headers,
    },
  });
}
