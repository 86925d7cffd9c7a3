/** `GET /previews/:key`: a preview without a token, for five minutes. Scripts in it cannot run. */
import { z } from "zod";
import type { Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { corsHeaders, securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { previewFolder } from "./keep.ts";

const makeExpiredProblem = () => notFound("There is no such preview; it may have expired.");

export function servePreviews(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/previews/:key", async (c, requestId) => {
    const name = c.req.param("key") ?? "";
    // 256 random bits cannot be guessed.
    if (!/^[\w-]{43}$/.test(name)) throw makeExpiredProblem();
    const key = previewFolder + name;
    const since = formatTimestamp(deps.clock.now() - lifetimes.fileLink);
    const [found] = await deps.db.read([
      sql`select o.type, o.bytes from objects o join companies c on c.id = o.company_id
        where o.key = ${key} and o.created_at >= ${since} and c.deleted_at is null`,
    ]);
    const row = found!.rows[0];
    if (!row) throw makeExpiredProblem();
    const headers = {
      ...corsHeaders,
      ...securityHeaders,
      "X-Request-Id": requestId,
      "Cache-Control": "private, no-store",
      "Content-Type": row.type as string,
      "Content-Length": String(row.bytes),
      "Content-Disposition": "inline",
      "Content-Security-Policy": row.type === "application/pdf"
        // Browsers show no PDF in a sandbox, and show it as an object with styles of their own.
        ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
        : "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:",
    };
    if (c.req.method === "HEAD") return new Response(null, { headers });
    const stored = await deps.storage.get(key);
    if (stored === null) throw makeExpiredProblem();
    return new Response(stored.body, { headers });
  });
}

export const previewOperations: readonly Described[] = [{
  method: "get",
  path: "/previews/{key}",
  operationId: "getPreview",
  tags: ["Templates"],
  summary: "Get a preview by its address",
  description: "Requires no token: the address is the secret, and works for 5 minutes.",
  security: [],
  request: {
    params: z.object({
      key: z.string().meta({ example: "Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI" }),
    }),
  },
  responses: {
    200: { description: "The preview.", content: { "text/html": {}, "application/pdf": {} } },
    404: describeProblem("There is no such preview, or it has expired. Code `not_found`."),
    503: describeProblem("The database or storage did not answer. Code `unavailable`."),
  },
}];
