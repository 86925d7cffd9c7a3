/** Adds endpoints to an app, and answers requests that match none. */
import type { Context as HonoContext, Hono } from "hono";
import { notFound, Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import type { Endpoint } from "./endpoint.ts";
import { preflightHeaders, securityHeaders } from "./headers.ts";
import type { InFlight } from "./idempotency.ts";
import { findNearCalls } from "./near_calls.ts";
import { listMethodsAt, type Offered } from "./paths.ts";
import { pipeline } from "./pipeline.ts";
import { chooseRequestId } from "./request.ts";
import { noteRequest, refuse, unknownCaller } from "./respond.ts";
import type { Served } from "./served_endpoint.ts";

/** Returns a clearer error than 404 or 405 for a path that resembles known ones, or null. */
export type Stray = (method: string, path: string) => Problem | null;

/** Call it last: routes that were added to the app before count as known. */
export function mount(
  app: Hono,
  deps: Deps,
  endpoints: readonly Endpoint[],
  strays: readonly Stray[] = [],
): void {
  const inFlight: InFlight = new Map();
  let offered: readonly Offered[] | null = null;
  const paths = () => offered ??= listOffered(app, endpoints);
  const listMethods = (c: HonoContext) => listMethodsAt(paths(), c.req.path);
  const send: Served["send"] = (request, bindings) => app.fetch(request, bindings);
  const missingRoute = (c: HonoContext) => {
    const exists = paths().some(({ path }) => path === c.req.path);
    const [clearer] = exists ? [] : strays.flatMap((stray) => stray(c.req.method, c.req.path) ?? []);
    return clearer ?? makeRoutingProblem(paths(), c.req.method, c.req.path);
  };

  for (const endpoint of endpoints) {
    const { method, path } = endpoint.declared;
    app.on(method.toUpperCase(), path, pipeline({ deps, endpoint, inFlight, send, missingRoute }));
  }
  for (const route of ["/v1/*", "/upload/*", "/files/*"]) {
    app.options(route, (c) => {
      const requestId = chooseRequestId(c.req.raw.headers);
      const methods = listMethods(c);
      noteRequest(deps, unknownCaller("OPTIONS", route, 204, requestId));
      return new Response(null, {
        status: 204,
        headers: {
          ...preflightHeaders,
          ...securityHeaders,
          ...(methods.length > 0 ? { Allow: methods.join(", ") } : {}),
          "X-Request-Id": requestId,
        },
      });
    });
  }
  app.notFound((c) => refuse(deps, c.req.raw, "none", missingRoute(c)));
  app.onError((error, c) => refuse(deps, c.req.raw, "none", error));
}

/** Returns 405 when the path exists with other methods, else 404. Both name the calls that are near. */
function makeRoutingProblem(offered: readonly Offered[], method: string, path: string): Problem {
  const methods = listMethodsAt(offered, path);
  const near = findNearCalls(offered, method, path);
  const hint = near.length === 0 ? "" : ` Near it: ${near.join(", ")}.`;
  if (methods.length === 0) return notFound(`There is no such path.${hint}`);
  // A malformed parameter names no record.
  if (methods.includes(method)) return notFound();
  const [last, ...others] = methods.toReversed();
  const words = others.length === 0 ? `${last} is` : `${others.toReversed().join(", ")} and ${last} are`;
  return new Problem(405, "method_not_allowed", `Only ${words} allowed here.${hint}`, {
    headers: { Allow: methods.join(", ") },
  });
}

function listOffered(app: Hono, endpoints: readonly Endpoint[]): Offered[] {
  const forms = new Map(endpoints.map(({ declared }) => [declared.path, declared.params]));
  return app.routes.filter(({ path }) => !path.includes("*"))
    .map(({ method, path }) => ({ method, path, parts: path.split("/"), params: forms.get(path) }));
}
