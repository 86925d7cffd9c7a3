/** The last steps of an endpoint: idempotency, the verb with its retries, and the response. */
import type { Context as HonoContext } from "hono";
import type { Answer } from "../../core/answer.ts";
import { formatTimestamp } from "../../core/time.ts";
import { guardCaller } from "../../db/caller_guard.ts";
import { commit, retrying } from "../../db/commit.ts";
import type { ClientContext, Context, Idempotency } from "../../db/context.ts";
import { checkSame } from "../../db/idempotency_keys.ts";
import type { Deps } from "../../deps.ts";
import { workForCompany } from "../../platform/on_behalf.ts";
import { type Bindings, findCallerAddress } from "../address.ts";
import type { Endpoint, OuterCall, ReadInput } from "../endpoint.ts";
import { once } from "../idempotency.ts";
import { findOrigin } from "../request.ts";
import { respond, respondRefused } from "../respond.ts";
import type { Served } from "../served_endpoint.ts";
import { callerAgain } from "./caller.ts";
import type { Route, Step } from "./step.ts";

declare module "hono" {
  interface ContextVariableMap {
    idempotency: Idempotency | undefined;
  }
}

/** Refuses with 422 an idempotency key that was used for another request. */
export function idempotency({ declared }: Endpoint): Step {
  return (c) => {
    const key = c.get("idempotencyKey");
    if (key?.valid) {
      const idempotency = key.of(declared.method, c.req.raw.url, c.get("text") ?? "");
      const stored = c.get("stored");
      // A streamed form is not read yet; the replay of its answer checks the fingerprint.
      if (stored && !declared.streamed) checkSame(stored, idempotency.fingerprint);
      c.set("idempotency", idempotency);
    }
  };
}

/** Runs the endpoint and responds with its answer. A change runs once for each idempotency key. */
export function run({ deps, endpoint, inFlight, send }: Omit<Served, "missingRoute">): Route["respond"] {
  return async (c) => {
    // Takes the time after the body has been read, because the body may arrive slowly.
    const ctx = makeContext(c, deps, endpoint, deps.clock.now());
    if (endpoint.declared.creates && c.req.raw.method === "HEAD") {
      return await respond(deps, { status: 200, body: null }, c.req.raw, endpoint, c.get("requestId"));
    }
    const input: ReadInput = {
      params: c.get("params") ?? {},
      query: c.get("query"),
      body: c.get("body"),
      files: c.get("files") ?? {},
      incoming: c.get("incoming") ?? null,
      prefetched: c.get("prefetched"),
      url: c.req.raw.url,
      outer: makeOuterCall(c, { deps, endpoint, send }),
    };
    let answer: Answer;
    // Calls that change no record can collide too: they count what they make.
    if (!ctx.idempotency) answer = await runWithRetries(c, ctx, endpoint, input);
    else {
      const verb = () => runWithRetries(c, ctx, endpoint, input);
      answer = await once(ctx, c.get("stored"), inFlight, verb);
    }
    return await respond(deps, answer, c.req.raw, endpoint, c.get("requestId"));
  };
}

/** An inner request has its own body, and the address of the outer one. */
function makeOuterCall(
  c: HonoContext,
  { deps, endpoint, send }: Pick<Served, "deps" | "endpoint" | "send">,
): OuterCall | null {
  const { peer, isInner } = (c.env ?? {}) as Partial<Bindings>;
  if (isInner) return null;
  return {
    request: c.req.raw,
    send: (request) => send(request, { peer: peer ?? (() => null), isInner: true }),
    async renew() {
      // A caller of a remote database may be cached for seconds after their end.
      if (deps.db.kind === "remote") deps.callerCache.forget(c.get("token")!);
      await callerAgain(deps, endpoint)(c);
      return makeContext(c, deps, endpoint, deps.clock.now()) as Context;
    },
    refuse: (problem) => respondRefused(deps, c.req.raw, crypto.randomUUID(), problem),
  };
}

/** Runs the verb with its retries. */
async function runWithRetries(
  c: HonoContext,
  ctx: ClientContext | Context,
  endpoint: Endpoint,
  input: ReadInput,
): Promise<Answer> {
  const { deps, now } = ctx;
  try {
    return await runAgainWhenStale(ctx, endpoint, input, async () => {
      deps.callerCache.forget(c.get("token")!);
      await callerAgain(deps, endpoint)(c);
      return makeContext(c, deps, endpoint, now);
    });
  } catch (error) {
    // If removing the stored file fails too, a job removes it.
    await input.incoming?.undo().catch(() => {});
    throw error;
  }
}

/**
 * Runs the verb. Runs it again from its reads, in the context of `renew` with the caller's current rights, when
 * records changed in between.
 */
export async function runAgainWhenStale(
  first: ClientContext | Context,
  endpoint: Endpoint,
  input: ReadInput,
  renew: () => Promise<ClientContext | Context>,
): Promise<Answer> {
  const company = "caller" in first ? first.caller.companyId : null;
  return await workForCompany(company, () =>
    retrying(async (attempt) => {
      const ctx = attempt === 1 ? first : await renew();
      const answer = await endpoint.run(ctx, input);
      // A verb without a change commits no batch, so its answer is stored here.
      if (ctx.idempotency && !ctx.idempotency.kept) await commit(ctx, { statements: [], answer });
      return answer;
    }));
}

function makeContext(c: HonoContext, deps: Deps, endpoint: Endpoint, now: number): ClientContext | Context {
  const request = c.req.raw;
  const { publicUrl, trustProxy } = deps.config;
  const { client, caller, fields, state } = c.get("caller")!;
  const ctx: ClientContext = {
    deps,
    now,
    at: formatTimestamp(now),
    requestId: c.get("requestId"),
    origin: findOrigin(request, publicUrl, trustProxy),
    address: () => findCallerAddress(request, c.env, trustProxy),
    limitStates: c.get("limitStates"),
    client,
    guards: endpoint.writes ? [guardCaller(state, now)] : [],
    idempotency: c.get("idempotency") ?? null,
    target: endpoint.declared.method === "put" ? { present: null } : null,
    ifMatch: endpoint.writes ? request.headers.get("if-match") : null,
  };
  return caller ? { ...ctx, caller, fields } : ctx;
}
