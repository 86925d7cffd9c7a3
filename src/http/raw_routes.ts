/** What is served outside of `/v1`: request id, security headers and a log line, without the envelope. */
import type { Context as HonoContext, Hono } from "hono";
import { encodedHeaders, encodingOf } from "./compression.ts";
import { matchesNone } from "./conditional.ts";
import type { Deps } from "../deps.ts";
import { requestIdOf, securityHeaders } from "./headers.ts";
import { logRequest } from "./request_log.ts";
import { notModified, respondRefused, respondText } from "./respond.ts";

/** What a page answers with 200. */
export interface Page {
  readonly type: string;
  readonly text: string;
  /** Given: browsers may ask whether it has changed, and keep it so many seconds without asking. */
  readonly etag?: string;
  readonly keepFor?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves GET (and HEAD) of a route; what `page` throws becomes a problem. */
export function serveRaw(
  app: Hono,
  deps: Deps,
  route: string,
  page: (c: HonoContext, requestId: string) => Page | Response | Promise<Page | Response>,
): void {
  app.get(route, async (c) => {
    const started = performance.now();
    const request = c.req.raw;
    const requestId = requestIdOf(request.headers);
    let response: Response;
    try {
      const made = await page(c, requestId);
      response = made instanceof Response ? made : respondPage(deps, made, request, requestId);
    } catch (error) {
      response = respondRefused(deps, request, requestId, error);
    }
    logRequest(deps.log, {
      method: request.method,
      route,
      status: response.status,
      requestId,
      duration: performance.now() - started,
      companyId: null,
      userId: null,
    });
    return response;
  });
}

function respondPage(
  { compressor }: Deps,
  page: Page,
  request: Request,
  requestId: string,
): Response {
  const { etag, keepFor = 0 } = page;
  const headers: Record<string, string> = {
    "Content-Type": page.type,
    ...securityHeaders,
    "Cache-Control": etag ? (keepFor > 0 ? `public, max-age=${keepFor}` : "no-cache") : "no-store",
    ...(etag ? { ETag: etag } : {}),
    "X-Request-Id": requestId,
    ...page.headers,
  };
  if (etag && matchesNone(request.headers, etag)) {
    return notModified(encodedHeaders(headers, encodingOf(compressor, request.headers, page.text, etag)));
  }
  return respondText(compressor, request, page.text, { status: 200, headers }, etag);
}
