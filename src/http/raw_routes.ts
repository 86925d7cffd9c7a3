/** Routes outside of `/v1`: request id, security headers and a log line, without a caller. */
import type { Context as HonoContext, Hono } from "hono";
import { matchesNone } from "./conditional.ts";
import type { Deps } from "../deps.ts";
import { chooseStrangersError } from "./limits.ts";
import { securityHeaders } from "./headers.ts";
import { validateQuery } from "./steps/input.ts";
import { notModified, respondRefused, respondText } from "./respond.ts";
import { handler } from "./steps/step.ts";

/** The content of a response. */
export interface Page {
  /** 200 by default. */
  readonly status?: 404;
  readonly type: string;
  readonly text: string;
  /** Lets browsers revalidate the page. */
  readonly etag?: string;
  /** Seconds for which browsers use the page without revalidation. */
  readonly keepFor?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves GET and HEAD of a route. Errors of `page` become problem documents. */
export function serveRaw(
  app: Hono,
  deps: Deps,
  route: string,
  page: (c: HonoContext, requestId: string) => Page | Response | Promise<Page | Response>,
): void {
  app.get(
    route,
    handler(deps, {
      path: route,
      steps: [route.startsWith("/v1/") && validateQuery({})],
      async respond(c) {
        const made = await page(c, c.get("requestId"));
        return made instanceof Response ? made : respondPage(deps, made, c.req.raw, c.get("requestId"));
      },
      refuse: (c, error) =>
        respondRefused(deps, c.req.raw, c.get("requestId"), chooseStrangersError(deps, c, error)),
    }),
  );
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
    return notModified(compressor, request, page.text, headers, etag);
  }
  return respondText(compressor, request, page.text, { status: page.status ?? 200, headers }, etag);
}
