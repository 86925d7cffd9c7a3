/** An endpoint with what its requests share. */
import type { Context } from "hono";
import type { Problem } from "../core/errors.ts";
import type { Deps } from "../deps.ts";
import type { Bindings } from "./address.ts";
import type { Endpoint } from "./endpoint.ts";
import type { InFlight } from "./idempotency.ts";

export interface Served {
  readonly deps: Deps;
  readonly endpoint: Endpoint;
  readonly inFlight: InFlight;
  /** Sends a further request to the app. */
  readonly send: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  /** The error for a request whose path only resembles that of the endpoint. */
  readonly missingRoute: (c: Context) => Problem;
}
