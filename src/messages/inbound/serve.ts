/** `POST /v1/mail/inbound`: a mail server passes on what arrives at `INBOUND_MAIL_DOMAIN`. */
import type { Context as HonoContext, Hono } from "hono";
import { fieldError, invalid, notFound, Problem } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import { readBytes } from "../../http/bodies.ts";
import { securityHeaders } from "../../http/headers.ts";
import { waitForTurn } from "../../http/large_bodies.ts";
import { chooseStrangersError } from "../../http/limits.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { respondRefused } from "../../http/respond.ts";
import { validateQuery } from "../../http/steps/input.ts";
import { handler } from "../../http/steps/step.ts";
import { timingSafeEqualText } from "../../platform/crypto.ts";
import { parseArrived } from "./parse.ts";
import { receive } from "./receive.ts";

/** Bytes of a message, as mail servers limit them. */
export const mostMailBytes = 25 * 1024 * 1024;
const path = "/v1/mail/inbound";

export function serveInbound(app: Hono, deps: Deps): void {
  app.post(
    path,
    handler(deps, {
      path,
      steps: [validateQuery({})],
      respond: (c) => take(deps, c),
      refuse: (c, error) =>
        respondRefused(deps, c.req.raw, c.get("requestId"), chooseStrangersError(deps, c, error)),
    }),
  );
}

async function take(deps: Deps, c: HonoContext): Promise<Response> {
  const request = c.req.raw;
  checkSender(deps, request.headers.get("authorization") ?? "");
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type !== "message/rfc822") {
    throw new Problem(415, "unsupported_media_type", "The body must be message/rfc822.");
  }
  const endTurn = await waitForTurn(request, mostMailBytes, null);
  try {
    await takeBytes(deps, await readBytes(request, mostMailBytes, deps.bodyMs));
  } finally {
    endTurn?.();
  }
  const headers = { ...securityHeaders, "X-Request-Id": c.get("requestId"), "Cache-Control": "no-store" };
  return new Response(null, { status: 202, headers });
}

/** Takes the bytes of an arriving message; throws 422 for bytes that are no message. */
export async function takeBytes(deps: Deps, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const arrived = await parseArrived(deps.mailParser, bytes, deps.config.inboundMailDomain ?? "localhost");
  if (arrived === null) {
    const rule = "The body must be a message with headers, of at most 500,000 lines.";
    throw invalid(fieldError("", "format", rule));
  }
  await receive(deps, arrived);
}

/** Throws 401 for a wrong bearer token, and 404 when `INBOUND_MAIL_SECRET` is not set. */
function checkSender({ config }: Deps, authorization: string): void {
  const { inboundMailSecret: secret } = config;
  if (secret === null) throw notFound();
  const given = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  if (timingSafeEqualText(given, secret)) return;
  throw new Problem(401, "unauthenticated", "The bearer token must be INBOUND_MAIL_SECRET.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

export const inboundOperations: readonly Described[] = [{
  method: "post",
  path,
  operationId: "receiveMail",
  tags: ["Correspondence"],
  summary: "Pass on an e-mail that has arrived",
  description:
    "For mail servers; the bearer token is `INBOUND_MAIL_SECRET`. An answer to an e-mail of a case becomes a " +
    "correspondence of that case, with its attachments as files; a report of failed delivery marks the e-mail as " +
    "failed. A message that arrives again is not recorded again. Files beyond nine tenths of `FILE_QUOTA` are left " +
    "out, and the timeline names them. Mail for an unknown address is 202 and dropped.",
  security: [],
  request: { body: { content: { "message/rfc822": { schema: { type: "string", format: "binary" } } } } },
  responses: {
    202: { description: "The message is accepted, or dropped." },
    401: describeProblem("The bearer token is wrong. Code `unauthenticated`."),
    404: describeProblem("`INBOUND_MAIL_SECRET` is not set. Code `not_found`."),
    413: describeProblem("The message is larger than 25 MiB. Code `payload_too_large`."),
    415: describeProblem("The content type is not `message/rfc822`. Code `unsupported_media_type`."),
    422: describeProblem("The body is not an e-mail message. Code `validation_failed`."),
    429: describeProblem(
      "60 mails of a case have arrived within an hour; try again after `Retry-After` seconds. Code `rate_limited`.",
    ),
    503: describeProblem(
      "The database or storage did not answer, or the company is deleted and can come back. Code `unavailable`.",
    ),
  },
}];
