/** Responses with the content of a file: whole or in part, never in a form that a browser would run. */
import { create as disposition } from "content-disposition";
import { notFound } from "../../core/errors.ts";
import type { Deps } from "../../deps.ts";
import { matchesNone, parseByteRange } from "../../http/conditional.ts";
import { corsHeaders, securityHeaders } from "../../http/headers.ts";
import { isShown } from "../media.ts";
import type { FileRow } from "../table.ts";

type Content = Pick<FileRow, "name" | "size" | "digest" | "media" | "object_key">;

/**
 * Answers 200 with the content; 206 for one range of it, 416 for a range past its end, 304 for an ETag that the
 * client has. HEAD has the same headers.
 */
export async function respondContent(
  deps: Pick<Deps, "storage" | "log">,
  request: Request,
  requestId: string,
  file: Content,
): Promise<Response> {
  const etag = `"${file.digest.slice(0, 40)}"`;
  const kept = {
    ...corsHeaders,
    ...securityHeaders,
    "X-Request-Id": requestId,
    ETag: etag,
    "Accept-Ranges": "bytes",
    // A cache would keep the content longer than the link is valid.
    "Cache-Control": "private, no-cache",
  };
  if (matchesNone(request.headers, etag)) return new Response(null, { status: 304, headers: kept });
  const range = parseByteRange(request, file.size, etag);
  if (range === "unsatisfiable") {
    return new Response(null, { status: 416, headers: { ...kept, "Content-Range": `bytes */${file.size}` } });
  }
  const length = range ? range.end - range.start + 1 : file.size;
  const headers = {
    ...kept,
    ...composeContentHeaders(file),
    "Content-Length": String(length),
    ...(range ? { "Content-Range": `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  };
  const status = range ? 206 : 200;
  if (request.method === "HEAD" || file.size === 0) return new Response(null, { status, headers });
  const stored = await deps.storage.get(file.object_key, range ?? undefined);
  if (stored === null || stored.size !== length) {
    await stored?.body.cancel();
    deps.log.error({ event: "object_missing", request_id: requestId });
    throw notFound("The content of this file is missing.");
  }
  return new Response(stored.body, { status, headers });
}

/** Pictures and PDF may be shown in place, everything else is saved. Nothing that is shown can run or load. */
function composeContentHeaders({ name, media }: Content): Record<string, string> {
  return {
    "Content-Type": media,
    "Content-Disposition": disposition(name, { type: isShown(media) ? "inline" : "attachment" }),
    "Content-Security-Policy": media === "application/pdf"
      // Browsers show no PDF in a sandbox, and show it as an object with styles of their own.
      ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
      : "sandbox; default-src 'none'",
  };
}
