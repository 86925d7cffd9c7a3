/** The steps of a request to an endpoint, in the order in which they run. */
import type { Handler } from "hono";
import type { Served } from "./served_endpoint.ts";
import { access, answerProblems, caller, callerAgain } from "./steps/caller.ts";
import {
  ifForm,
  ifJson,
  openIncomingFile,
  readBody,
  readPathParams,
  validateBody,
  validateQuery,
} from "./steps/input.ts";
import { idempotency, run } from "./steps/run.ts";
import { handler } from "./steps/step.ts";

/** Returns the handler of an endpoint: the steps that its declaration asks for, in their order. */
export function pipeline(served: Served): Handler {
  const { deps, endpoint, missingRoute } = served;
  const { declared } = endpoint;
  const hasForm = declared.multipart !== undefined;
  const streams = hasForm && declared.streamed === true;
  const hasBody = !streams && (hasForm || declared.body !== undefined);
  const json = streams && declared.orJson
    ? { ...declared, multipart: undefined, body: declared.orJson }
    : undefined;
  return handler(deps, {
    path: declared.path,
    limits: declared.limits,
    steps: [
      caller(deps, endpoint),
      access(endpoint),
      declared.params && readPathParams(declared.params, missingRoute),
      validateQuery(declared),
      hasBody && readBody(deps, declared),
      hasBody && callerAgain(deps, endpoint),
      json && ifJson(readBody(deps, json)),
      json && ifJson(callerAgain(deps, endpoint)),
      endpoint.writes && idempotency(endpoint),
      streams && (json ? ifForm(openIncomingFile(deps, declared)) : openIncomingFile(deps, declared)),
      json && ifJson(validateBody(json)),
      hasBody && validateBody(declared),
    ],
    respond: run(served),
    refuse: answerProblems(deps, endpoint),
  });
}
