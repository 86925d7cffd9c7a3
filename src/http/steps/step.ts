/** The parts of every route: steps that read and check a request, a response or an error, and a log line. */
import type { Context, Handler } from "hono";
import { composeLimitHeaders, declareLimits, type LimitStates, type Policy } from "../../core/rate_limits.ts";
import type { Deps } from "../../deps.ts";
import { composeIgnoredHeader } from "../ignored_members.ts";
import { chooseRequestId } from "../request.ts";
import { noteRequest } from "../respond.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Runs when the response is made. */
    atEnd: (() => void) | undefined;
    requestId: string;
    /** The limits that apply to the request, for its response headers. */
    limitStates: LimitStates;
    /** Members of the body and parameters of the query that nothing reads. */
    ignored: { readonly header: IgnoredHeader; readonly names: readonly string[] }[] | undefined;
    /** The company and user in the log line; undefined while the caller is unknown. */
    actor: { readonly companyId: number | null; readonly userId: number | null } | undefined;
  }
}

export type IgnoredHeader = "Ignored-Members" | "Ignored-Parameters";

/** Notes what the call sends and nothing reads, for a header of its response, also when it is refused. */
export function noteIgnored(c: Context, header: IgnoredHeader, names: readonly string[]): void {
  if (names.length > 0) c.set("ignored", [...c.get("ignored") ?? [], { header, names }]);
}

/** Reads or checks a part of the request. Leaves typed variables for later steps; throws to refuse the request. */
export type Step = (c: Context) => void | Promise<void>;

export interface Route {
  /** The path as declared. */
  readonly path: string;
  /** Policies of failed attempts that responses report beside the limits that steps count. */
  readonly limits?: readonly Policy[] | undefined;
  /** The steps in the order in which they run. Skips false and undefined, so that a route can omit steps. */
  readonly steps: readonly (Step | false | undefined)[];
  readonly respond: (c: Context) => Response | Promise<Response>;
  /** Returns the error of a step in the form of the route: a problem document, an OAuth error, or a page. */
  readonly refuse: (c: Context, error: unknown) => Response | Promise<Response>;
}

/**
 * Runs all steps in one handler: the router is faster with one than with a dozen, and a loop creates no
 * closures per call.
 */
export function handler(deps: Deps, { path, limits = [], steps, respond, refuse }: Route): Handler {
  const needed = steps.filter((step) => typeof step === "function");
  return async (c) => {
    const started = performance.now();
    const requestId = chooseRequestId(c.req.raw.headers);
    const states: LimitStates = new Map();
    if (limits.length > 0) declareLimits(states, limits);
    c.set("requestId", requestId);
    c.set("limitStates", states);
    let response: Response;
    try {
      for (const step of needed) {
        const pending = step(c);
        if (pending) await pending;
      }
      response = await respond(c);
    } catch (error) {
      response = await refuse(c, error);
    } finally {
      c.get("atEnd")?.();
    }
    if (states.size > 0) {
      const headers = composeLimitHeaders(states);
      for (const name in headers) response.headers.set(name, headers[name]!);
    }
    for (const { header, names } of c.get("ignored") ?? []) {
      response.headers.set(header, composeIgnoredHeader(names));
    }
    const actor = c.get("actor");
    noteRequest(deps, {
      method: c.req.raw.method,
      route: path,
      status: response.status,
      requestId,
      duration: performance.now() - started,
      companyId: actor?.companyId ?? null,
      userId: actor?.userId ?? null,
    });
    return response;
  };
}
