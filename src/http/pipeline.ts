/** The steps of a request to an endpoint, in the order in which they run. */
import type { Context, Handler } from "hono";
import type { Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import type { Endpoint } from "./endpoint.ts";
import type { InFlight } from "./idempotency.ts";
import { access, caller, callerAgain, problems } from "./steps/caller.ts";
import { body, incomingFile, params, query, readBody } from "./steps/input.ts";
import { idempotency, run } from "./steps/run.ts";
import { handler } from "./steps/step.ts";

export interface Served {
  readonly deps: Deps;
  readonly endpoint: Endpoint;
  readonly inFlight: InFlight;
  /** The error for a request whose path only resembles that of the endpoint. */
  readonly astray: (c: Context) => Problem;
}

export function pipeline({ deps, endpoint, inFlight, astray }: Served): Handler {
  const { declared } = endpoint;
  const hasForm = declared.multipart !== undefined;
  const streams = hasForm && declared.streamed === true;
  const hasBody = !streams && (hasForm || declared.body !== undefined);
  return handler(deps, {
    path: declared.path,
    limits: declared.limits,
    steps: [
      caller(deps, endpoint),
      access(endpoint),
      declared.params && params(declared.params, astray),
      query(declared),
      hasBody && readBody(deps, declared),
      hasBody && callerAgain(deps, endpoint),
      endpoint.writes && idempotency(endpoint),
      streams && incomingFile(deps, declared),
      hasBody && body(declared),
    ],
    respond: run(deps, endpoint, inFlight),
    refuse: problems(deps, endpoint),
  });
}
