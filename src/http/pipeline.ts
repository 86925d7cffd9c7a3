/** The steps of a request to an endpoint, in the order in which they run. */
import type { Context } from "hono";
import type { Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import { type Endpoint, writes } from "./endpoint.ts";
import type { InFlight } from "./idempotency.ts";
import { access, caller, callerAgain, problems } from "./steps/caller.ts";
import { body, params, query, readBody } from "./steps/input.ts";
import { idempotency, run } from "./steps/run.ts";
import { rateLimits, refusals, requestId, requestLog, type Step, steps } from "./steps/step.ts";

export interface Served {
  readonly deps: Deps;
  readonly endpoint: Endpoint;
  readonly inFlight: InFlight;
  /** The refusal of a request whose path only looks like that of the endpoint. */
  readonly astray: (c: Context) => Problem;
}

export function pipeline({ deps, endpoint, inFlight, astray }: Served): Step {
  const { declared } = endpoint;
  const hasBody = declared.body !== undefined || declared.multipart !== undefined;
  return steps(
    requestId,
    requestLog(deps, declared.path),
    rateLimits(declared.limits),
    refusals(problems(deps, endpoint)),
    caller(deps, endpoint),
    access(endpoint),
    declared.params && params(declared.params, astray),
    declared.query && query(declared.query),
    hasBody && readBody(deps, declared),
    hasBody && callerAgain(deps, endpoint),
    writes(endpoint) && idempotency(endpoint),
    hasBody && body(declared),
    run(deps, endpoint, inFlight),
  );
}
