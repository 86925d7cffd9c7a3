/**
 * `GET /opened/:picture`: the tracking pixel of an e-mail. Its first request records when the e-mail was
 * opened.
 */
import { z } from "zod";
import type { Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import { securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { recordOpening } from "../correspondence/record_opening.ts";
import { recordMessageOpening } from "../campaigns/delivery_reports.ts";
import { openedPath, readOpened } from "../opened_picture.ts";

/** A transparent GIF. */
const pixel = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

export function serveOpened(app: Hono, deps: Deps): void {
  serveRaw(app, deps, `${openedPath}/:picture`, async (c, requestId) => {
    const mail = readOpened(deps.secretsKey, c.req.param("picture") ?? "");
    if (mail === null) throw notFound("There is no such address.");
    const isRead = c.req.method === "GET";
    if (isRead && mail.kind === "correspondence") await recordOpening(deps, mail.id);
    if (isRead && mail.kind === "campaign_message") await recordMessageOpening(deps, Number(mail.id));
    const headers = {
      ...securityHeaders,
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      "Content-Type": "image/gif",
      "Content-Length": String(pixel.length),
    };
    return new Response(isRead ? pixel : null, { headers });
  });
}

export const openedOperations: readonly Described[] = [{
  method: "get",
  path: `${openedPath}/{picture}`,
  operationId: "reportOpened",
  tags: ["Correspondence"],
  summary: "Get the picture of an e-mail, which reports that it was opened",
  description: "E-mails carry it where the company's setting `email_tracking` is on. HEAD reports nothing.",
  security: [],
  request: { params: z.object({ picture: z.string().meta({ example: "AAAAAAAB.gif" }) }) },
  responses: {
    200: { description: "A transparent pixel.", content: { "image/gif": {} } },
    404: describeProblem("There is no such address. Code `not_found`."),
    503: describeProblem("The database did not answer. Code `unavailable`."),
  },
}];
