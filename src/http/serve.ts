/** Runs endpoints: every convention of the API, in one order, for all of them. */
import type { Context as HonoContext, Hono } from "hono";
import { forbidden, type Problem } from "../core/errors.ts";
import { Standings } from "../core/rate_limits.ts";
import { isIntegerId, isUuid } from "../core/ids.ts";
import { formatTimestamp } from "../core/time.ts";
import { guardCaller } from "../db/caller_guard.ts";
import type { CachedCaller } from "../db/caller_cache.ts";
import { commit, retrying } from "../db/commit.ts";
import type { ClientContext, Context } from "../db/context.ts";
import { checkSame } from "../db/idempotency_keys.ts";
import type { Deps } from "../deps.ts";
import { addressOf } from "./address.ts";
import { authenticate, bearerToken } from "./authenticate.ts";
import { checkCharacters, jsonLimit, parseJson, readText } from "./bodies.ts";
import { type Endpoint, type ParamForm, type ReadInput, writes } from "./endpoint.ts";
import { originOf, requestIdOf } from "./headers.ts";
import { idempotencyKeyOf, type InFlight, once } from "./idempotency.ts";
import { filesOf, type Form, readForm } from "./multipart.ts";
import type { Statement } from "../platform/database/database.ts";
import { queryOf } from "./paths.ts";
import { logRequest } from "./request_log.ts";
import { respond, respondRefused } from "./respond.ts";
import { validated } from "./validate.ts";

/** An endpoint with what it takes to run it. */
export interface Served {
  readonly deps: Deps;
  readonly inFlight: InFlight;
  readonly endpoint: Endpoint;
  /** The refusal of a request whose path only looks like one of the endpoint. */
  readonly astray: (c: HonoContext) => Problem;
}

/** Puts the endpoint on the app at its path. */
export function serve(app: Hono, served: Served): void {
  const { method, path } = served.endpoint.declared;
  app.on(method.toUpperCase(), path, async (c) => await handle(c, served));
}

async function handle(c: HonoContext, served: Served): Promise<Response> {
  const { deps, inFlight, endpoint } = served;
  const started = performance.now();
  deps.traffic.noted();
  const request = c.req.raw;
  const requestId = requestIdOf(request.headers);
  const origin = originOf(request, deps.config.publicUrl, deps.config.trustProxy);
  const standings = new Standings();
  if (endpoint.declared.limits) standings.declare(endpoint.declared.limits);
  let known: CachedCaller | null = null;
  let response: Response;
  try {
    const { declared } = endpoint;
    const asOf = deps.clock.now();
    const token = bearerToken(request.headers);
    const writing = writes(endpoint);
    const key = writing ? idempotencyKeyOf(request.headers, deps.secretsKey) : null;
    const asked = await authenticate(deps, token, asOf, besideOf(endpoint, key, request.url, asOf));
    known = asked.known;
    deps.callLimit?.take(known.client.clientId, asOf, standings);
    checkAccess(endpoint, known);
    if (key && !key.valid) throw key.refusal;
    const params = readParams(c, declared.params);
    if (params === null) throw served.astray(c);
    const query = declared.query ? validated(declared.query, readQuery(request.url), "query") : undefined;
    const form = declared.multipart ? await readForm(request, declared.multipart, deps.bodyMs) : null;
    const text = form
      ? form.fingerprint
      : declared.body
      ? await readText(request, jsonLimit, deps.bodyMs)
      : "";
    // A body can be as slow as its sender likes: the call is made now, by the caller as they are now.
    const now = deps.clock.now();
    if (declared.body || form) {
      known = (await authenticate(deps, token, now, null)).known;
      checkAccess(endpoint, known);
    }
    const idempotency = key?.valid ? key.of(declared.method, request.url, text) : null;
    if (idempotency && asked.row) checkSame(asked.row, idempotency.fingerprint);
    const files = form ? filesOf(form, declared.multipart!) : {};
    const body = !declared.body
      ? undefined
      : form
      ? readFields(declared.body, form)
      : readBody(declared.body, request.headers, text);
    let ctx: ClientContext | Context = {
      deps,
      now,
      at: formatTimestamp(now),
      requestId,
      origin,
      address: () => addressOf(request, c.env, deps.config.trustProxy),
      standings,
      ...whose(known, writing ? now : null),
      idempotency,
      ifMatch: writing ? request.headers.get("if-match") : null,
    };
    const beside = key ? null : asked.row;
    const input: ReadInput = { params, query, body, files, beside, url: request.url };
    const run = () =>
      retrying(async (attempt) => {
        if (attempt > 1) {
          deps.callerCache.forget(token!);
          known = (await authenticate(deps, token, now, null)).known;
          checkAccess(endpoint, known);
          ctx = { ...ctx, ...whose(known, writing ? now : null) };
        }
        const answer = await endpoint.run(ctx, input);
        // A call that found nothing to change made no batch that could carry its answer.
        if (ctx.idempotency && !ctx.idempotency.kept) await commit(ctx, { statements: [], answer });
        return answer;
      });
    const answer = ctx.idempotency ? await once(ctx, token!, asked.row, inFlight, run) : await run();
    response = await respond(deps, answer, request, endpoint, requestId);
  } catch (error) {
    let refusal = error;
    if (!known && deps.callLimit) {
      const address = addressOf(request, c.env, deps.config.trustProxy);
      refusal = deps.callLimit.stranger(address, deps.clock.now(), standings) ?? error;
    }
    response = respondRefused(deps, request, requestId, refusal, endpoint);
  }
  tell(response, standings);
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

/** What is read together with the caller: the answer that is kept under a key, or what the endpoint asks for. */
function besideOf(
  { declared }: Endpoint,
  key: ReturnType<typeof idempotencyKeyOf>,
  url: string,
  now: number,
): ((tokenHash: string) => Statement) | null {
  if (key) return key.valid ? key.lookUp(now) : null;
  return declared.beside?.(readQuery(url)) ?? null;
}

/** What a context says of its caller. `now`: of a call that writes. */
function whose(
  { client, caller, fields, state }: CachedCaller,
  now: number | null,
): Pick<ClientContext, "client" | "guards"> & Partial<Pick<Context, "caller" | "fields">> {
  const guards = now === null ? [] : [guardCaller(state, now)];
  return caller ? { client, guards, caller, fields } : { client, guards };
}

function tell(response: Response, standings: Standings): void {
  if (standings.silent) return;
  const headers = standings.headers();
  for (const name in headers) response.headers.set(name, headers[name]!);
}

function checkAccess(endpoint: Endpoint, known: CachedCaller): void {
  if (endpoint.access === "trusted" && !known.client.trusted) {
    throw forbidden("A trusted client is required.");
  }
  if (endpoint.access !== "user") return;
  if (!known.caller) throw forbidden("A user is required: this client acts for none.");
  const { right, trusted } = endpoint.declared;
  if (trusted && !known.client.trusted) throw forbidden("A trusted client is required.");
  if (right && !known.caller.rights.has(right)) throw forbidden(`The right ${right} is missing.`);
}

/** Null when one has the wrong form. */
function readParams(
  c: HonoContext,
  forms: Record<string, ParamForm> | undefined,
): Record<string, string | number> | null {
  const params: Record<string, string | number> = {};
  for (const name in forms) {
    const text = c.req.param(name) ?? "";
    if (forms[name] === "uuid" && !isUuid(text)) return null;
    if (forms[name] === "integer" && !isIntegerId(text)) return null;
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
  const query: Record<string, string | string[]> = {};
  if (!url.includes("?")) return query;
  for (const [written, value] of queryOf(url)) {
    const name = written.endsWith("[]") ? written.slice(0, -2) : written;
    if (name === "__proto__") continue;
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

function readFields(schema: NonNullable<Endpoint["declared"]["body"]>, { fields }: Form): unknown {
  checkCharacters(JSON.stringify(fields), fields);
  return validated(schema, fields, "");
}

function readBody(
  schema: NonNullable<Endpoint["declared"]["body"]>,
  headers: Headers,
  text: string,
): unknown {
  const value = text === "" ? {} : parseJson(headers, text);
  checkCharacters(text, value);
  return validated(schema, value, "");
}
