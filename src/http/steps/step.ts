/** The steps that every kind of route has. A step is Hono middleware; it leaves typed variables for later ones. */
import type { Context, MiddlewareHandler } from "hono";
import { type Policy, Standings } from "../../core/rate_limits.ts";
import type { Deps } from "../../deps.ts";
import { requestIdOf } from "../headers.ts";
import { logRequest } from "../request_log.ts";

declare module "hono" {
  interface ContextVariableMap {
    requestId: string;
    /** The limits that apply to the request, for its response headers. */
    standings: Standings;
    /** The company and user in the log line; undefined while the caller is unknown. */
    actor: { readonly companyId: number | null; readonly userId: number | null } | undefined;
  }
}

export type Step = MiddlewareHandler;

/** Answers an error in the form of the route: a problem document, an OAuth error, or a page. */
export type Refuse = (c: Context, error: unknown) => Response | Promise<Response>;

/**
 * One handler that runs the steps in this order; false and undefined stand for steps that a route does not need. The
 * last one responds; an earlier one that ends the request throws. A step that only returns `next()` costs no promise,
 * and Hono's router finds a route faster with one handler than with a dozen.
 */
export function steps(...all: readonly (Step | false | undefined)[]): Step {
  const needed = all.filter((step): step is Step => typeof step === "function");
  const last = needed.pop()!;
  return async (c) => {
    const respond = async () => {
      c.res = (await last(c, noNext))!;
    };
    const runFrom = (at: number): Promise<void> =>
      at === needed.length ? respond() : needed[at]!(c, () => runFrom(at + 1)) as Promise<void>;
    await runFrom(0);
    return c.res;
  };
}

const noNext = () => Promise.resolve();

/** Takes the request's `X-Request-Id`, or makes one. */
export const requestId: Step = (c, next) => {
  c.set("requestId", requestIdOf(c.req.raw.headers));
  return next();
};

/** Logs one line for each request, with the path as declared. */
export function requestLog({ log }: Deps, route: string): Step {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const actor = c.get("actor");
    logRequest(log, {
      method: c.req.raw.method,
      route,
      status: c.res.status,
      requestId: c.get("requestId"),
      duration: performance.now() - started,
      companyId: actor?.companyId ?? null,
      userId: actor?.userId ?? null,
    });
  };
}

/** Sends `RateLimit` and `RateLimit-Policy`: of these policies, and of the limits that later steps count. */
export function rateLimits(policies: readonly Policy[] = []): Step {
  return async (c, next) => {
    const standings = new Standings();
    if (policies.length > 0) standings.declare(policies);
    c.set("standings", standings);
    await next();
    if (standings.silent) return;
    const headers = standings.headers();
    for (const name in headers) c.res.headers.set(name, headers[name]!);
  };
}

/** Answers errors of the later steps in the form of the route. */
export function refusals(refuse: Refuse): Step {
  return async (c, next) => {
    try {
      await next();
    } catch (error) {
      c.res = await refuse(c, error);
    }
  };
}
