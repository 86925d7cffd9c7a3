/**
 * Calls an endpoint from inside the service, with the checks of a call over HTTP: access, parameters, query, body,
 * idempotency and retries. It sends no request, and the answer is not made into a response.
 */
import type { Answer } from "../core/answer.ts";
import { notFound } from "../core/errors.ts";
import { loadSanitizer } from "../core/html.ts";
import type { LimitStates } from "../core/rate_limits.ts";
import { formatTimestamp } from "../core/time.ts";
import type { CachedCaller } from "../db/caller_cache.ts";
import { guardCaller } from "../db/caller_guard.ts";
import type { ClientContext, Context } from "../db/context.ts";
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { checkCharacters } from "./bodies.ts";
import type { Endpoint, ReadInput } from "./endpoint.ts";
import { type InFlight, once, parseIdempotencyKey, readKeptAnswer } from "./idempotency.ts";
import type { Upload } from "./multipart.ts";
import { checkAccess } from "./steps/caller.ts";
import { readParams } from "./steps/input.ts";
import { runAgainWhenStale } from "./steps/run.ts";
import { parseValid } from "./validate.ts";

/** Who calls, and from where. */
export interface InnerCaller {
  readonly deps: Deps;
  readonly known: CachedCaller;
  /** Reads the caller again, because their rights may have changed. Throws 401 when they have ended. */
  readonly renew: () => Promise<CachedCaller>;
  readonly requestId: string;
  readonly origin: string;
  readonly address: () => string;
  readonly limitStates: LimitStates;
  /** The calls with keys that run in this process. */
  readonly inFlight: InFlight;
}

/** What a call sends, as texts of a path and a query, and as the value of a JSON body. */
export interface InnerInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  readonly files?: Readonly<Record<string, Upload>>;
  /** The idempotency key: a second call with it gets the answer of the first. */
  readonly key?: string;
  readonly ifMatch?: string | null;
  /** Runs first, unless the answer of the key is there already. */
  readonly before?: () => Promise<void>;
}

/** Returns the answer of the endpoint; throws the problem that the call over HTTP would get. */
export async function callEndpoint(
  caller: InnerCaller,
  endpoint: Endpoint,
  sent: InnerInput = {},
): Promise<Answer> {
  const { declared } = endpoint;
  checkAccess(endpoint, caller.known);
  const params = readParams((name) => sent.params?.[name], declared.params ?? {});
  if (params === null) throw notFound();
  const query = declared.query ? parseValid(declared.query, sent.query ?? {}, "query") : undefined;
  let body: unknown;
  // A call that takes JSON in place of a streamed form gets that.
  const schema = declared.orJson ?? declared.body;
  if (schema) {
    const given = sent.body ?? {};
    // Schemas clean HTML and cannot wait, so the sanitizer is loaded first.
    if (JSON.stringify(given).includes("<")) await loadSanitizer();
    checkCharacters(given);
    body = parseValid(schema, given, "");
  }
  const url = composeUrl(caller.origin, declared.path, sent);
  const input: ReadInput = {
    params,
    query,
    body,
    files: sent.files ?? {},
    incoming: null,
    prefetched: await prefetch(caller, endpoint, sent),
    url,
    outer: null,
  };
  const now = caller.deps.clock.now();
  const ctx = makeContext(caller, caller.known, endpoint, now, sent, url);
  const run = async () => {
    await sent.before?.();
    return await runAgainWhenStale(
      ctx,
      endpoint,
      input,
      async () => makeContext(caller, await renewCaller(caller, endpoint), endpoint, now, sent, url),
    );
  };
  if (!ctx.idempotency) return await run();
  return await once(ctx, await readKeptAnswer(ctx), caller.inFlight, run);
}

async function renewCaller(caller: InnerCaller, endpoint: Endpoint): Promise<CachedCaller> {
  const known = await caller.renew();
  checkAccess(endpoint, known);
  return known;
}

async function prefetch({ deps, known }: InnerCaller, { declared }: Endpoint, sent: InnerInput) {
  const userId = sql`${known.caller?.userId ?? null}`;
  const statement = declared.prefetch?.(sent.query ?? {}, sent.params ?? {})?.(userId);
  if (!statement) return null;
  const [found] = await deps.db.read([statement]);
  return found!.rows[0] ?? null;
}

function makeContext(
  caller: InnerCaller,
  known: CachedCaller,
  endpoint: Endpoint,
  now: number,
  sent: InnerInput,
  url: string,
): ClientContext | Context {
  const { deps, requestId, origin, address, limitStates } = caller;
  const key = sent.key === undefined ? null : parseIdempotencyKey(sent.key, deps.secretsKey);
  if (key && !key.valid) throw key.refusal;
  const { method } = endpoint.declared;
  const ctx: ClientContext = {
    deps,
    now,
    at: formatTimestamp(now),
    requestId,
    origin,
    address,
    limitStates,
    client: known.client,
    guards: endpoint.writes ? [guardCaller(known.state, now)] : [],
    idempotency: key && endpoint.writes ? key.of(method, url, JSON.stringify(sent.body ?? {})) : null,
    target: method === "put" ? { present: null } : null,
    ifMatch: endpoint.writes ? sent.ifMatch ?? null : null,
  };
  return known.caller ? { ...ctx, caller: known.caller, fields: known.fields } : ctx;
}

/** Returns the URL that the call would have over HTTP; lists make the links of their pages from it. */
function composeUrl(origin: string, path: string, { params = {}, query = {} }: InnerInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one])
  );
  const written = new URLSearchParams(pairs).toString();
  return `${origin}${filled}${written === "" ? "" : `?${written}`}`;
}
