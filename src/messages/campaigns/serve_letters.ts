/** `GET /campaigns/letters/:token`: the ZIP of a campaign's letters without a bearer token, for five minutes. */
import { z } from "zod";
import type { Hono } from "hono";
import { lifetimes } from "../../core/lifetimes.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { parseByteRange } from "../../http/conditional.ts";
import { fixLength } from "../../http/fixed_length.ts";
import { corsHeaders, securityHeaders } from "../../http/headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { makeExpiredProblem } from "../../library/links.ts";
import { readSignedHex } from "../../platform/signed_texts.ts";
import { zipPurpose } from "./letters.ts";
import { planZip, streamZipPart } from "./letters_zip.ts";

export function serveLetters(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/campaigns/letters/:token", async (c, requestId) => {
    const id = readToken(deps, c.req.param("token") ?? "");
    const [found] = await deps.db.read([
      sql`select 1 as found from campaigns o join companies c on c.id = o.company_id
        where o.id = ${id} and o.status = 'sent' and c.deleted_at is null`,
    ]);
    if (id === null || found!.rows.length === 0) throw makeExpiredProblem();
    return await respondZip(deps, c.req.raw, requestId, id);
  });
}

/**
 * Responds 200 with the ZIP; 206 with one range of it, so that a download can continue where it stopped; 416
 * for a range past its end.
 */
async function respondZip(deps: Deps, request: Request, requestId: string, id: string): Promise<Response> {
  const layout = await planZip(deps, id);
  const { size } = layout;
  const etag = `"${layout.digest.slice(0, 40)}"`;
  const kept = {
    ...corsHeaders,
    ...securityHeaders,
    "X-Request-Id": requestId,
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-store",
  };
  const range = parseByteRange(request, size, etag);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...kept, "Content-Range": `bytes */${size}` } });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  const headers = {
    ...kept,
    "Content-Type": "application/zip",
    "Content-Disposition": 'attachment; filename="letters.zip"',
    "Content-Length": String(length),
    ...(range ? { "Content-Range": `bytes ${start}-${end}/${size}` } : {}),
  };
  const body = request.method === "HEAD"
    ? null
    : fixLength(streamZipPart(deps, id, layout, { start, end }), length);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Returns the campaign's id from the token of an address; null when it is not valid or has expired. */
function readToken({ secretsKey, clock }: Deps, token: string): string | null {
  const hex = readSignedHex(secretsKey, zipPurpose, token);
  const parts = /^([0-9a-f]{12})([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    hex ?? "",
  );
  if (parts === null) return null;
  const left = parseInt(parts[1]!, 16) * 1000 - clock.now();
  return left > 0 && left <= lifetimes.fileLink ? parts.slice(2).join("-") : null;
}

export const letterOperations: readonly Described[] = [{
  method: "get",
  path: "/campaigns/letters/{token}",
  operationId: "downloadCampaignLetters",
  tags: ["Campaigns"],
  summary: "Get the letters of a campaign by the address of their ZIP",
  description: "Requires no token: the address is the secret, and works for 5 minutes.",
  security: [],
  request: { params: z.object({ token: z.string().meta({ example: "AZOcXn06fD-KVQpL5aGgAQ" }) }) },
  responses: {
    200: { description: "A ZIP of PDFs.", content: { "application/zip": {} } },
    206: {
      description: "The requested `Range`, so that an interrupted download can continue.",
      content: { "application/zip": {} },
    },
    416: { description: "The `Range` begins after the end of the file." },
    404: describeProblem("There is no such file, or its address has expired. Code `not_found`."),
    503: describeProblem("The database or storage did not answer. Code `unavailable`."),
  },
}];
