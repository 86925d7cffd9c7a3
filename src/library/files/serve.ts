/**
 * Serves addresses that need no bearer token: a public file, a download token, and the link that all
 * downloads redirect to. The service itself streams the bytes, from a folder or a bucket.
 */
import { z } from "zod";
import type { Context as HonoContext, Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { readMemberRow, selectMemberById } from "../../db/caller_guard.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { corsHeaders, securityHeaders } from "../../http/headers.ts";
import { referToHeaders } from "../../http/openapi_headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { findOrigin } from "../../http/request.ts";
import { isUuid } from "../../core/ids.ts";
import type { Statement } from "../../platform/database/database.ts";
import { requireReadableFile, selectFileById } from "../access.ts";
import { type Link, type LinkKind, makeExpiredProblem, readGeneration, readLink } from "../links.ts";
import { isAlive } from "../place.ts";
import type { FileRow } from "../table.ts";
import { composeLinkHeaders } from "./get.ts";
import { respondContent } from "./respond_content.ts";

/** The columns of a file that serving needs. */
export type Served = Pick<FileRow, "id" | "name" | "size" | "digest" | "media" | "object_key" | "public">;

/** Adds the three addresses to the app. */
export function serveFiles(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/v1/files/:file_id/public", async (c, requestId) => {
    const id = c.req.param("file_id") ?? "";
    const [found] = await deps.db.read([selectServed(isUuid(id) ? id.toLowerCase() : "")]);
    const file = found!.rows[0] as Served | undefined;
    if (file?.public !== 1) throw notFound("There is no such public file.");
    return redirect(c, deps, requestId, file);
  });
  serveRaw(app, deps, "/v1/files/download/:download_token", async (c, requestId) => {
    const now = deps.clock.now();
    const token = requireLink(c, deps, "token", "download_token", now);
    const [asker] = await deps.db.read([selectMemberById(token.userId)]);
    if (!asker!.rows[0]) throw makeExpiredProblem();
    const member = readMemberRow(asker!.rows[0]);
    const [found] = await deps.db.read([selectFileById({ member, at: formatTimestamp(now) }, token.fileId)]);
    const file = requireReadableFile(member, found!.rows[0]);
    if (readGeneration(file) !== token.generation) throw makeExpiredProblem();
    return redirect(c, deps, requestId, file);
  });
  serveRaw(app, deps, "/files/:link", async (c, requestId) => {
    const link = requireLink(c, deps, "content", "link", deps.clock.now());
    const [found] = await deps.db.read([selectServed(link.fileId)]);
    const file = found!.rows[0] as Served | undefined;
    if (!file || readGeneration(file) !== link.generation) throw makeExpiredProblem();
    return await respondContent(deps, c.req.raw, requestId, file);
  });
}

/** Reads a file of any company that exists, unless it is in a folder being deleted. */
function selectServed(id: string): Statement {
  return sql`select f.id, f.name, f.size, f.digest, f.media, f.object_key, f.public
    from files f join companies c on c.id = f.company_id
    where f.id = ${id} and c.deleted_at is null and ${isAlive(sql`f.company_id`, sql`f.folder_id`)}`;
}

/** Returns the link of the parameter; throws 404 when it is invalid or has expired. */
function requireLink(c: HonoContext, deps: Deps, kind: LinkKind, parameter: string, now: number): Link {
  const link = readLink(deps.secretsKey, kind, c.req.param(parameter) ?? "", now);
  if (link === null) throw makeExpiredProblem();
  return link;
}

function redirect(
  c: HonoContext,
  deps: Deps,
  requestId: string,
  file: Pick<FileRow, "id" | "object_key">,
): Response {
  const origin = findOrigin(c.req.raw, deps.config.publicUrl, deps.config.trustProxy);
  const headers = {
    ...corsHeaders,
    ...securityHeaders,
    ...composeLinkHeaders({ deps, origin, now: deps.clock.now() }, file),
    "X-Request-Id": requestId,
  };
  return new Response(null, { status: 303, headers });
}

const describeParameter = (name: string, example: string) =>
  z.object({ [name]: z.string().meta({ example }) });
const linkExample = "AgGTnF59Onw_ilUKS-WhoAGfnTqJZ1pVRgAAAAAABwGboQ8sAFr0Yz4b0aW3kq8h2vXl7Q";

const redirects = {
  303: {
    description: "`Location` is a link to the content, which needs no token for 5 minutes.",
    headers: referToHeaders("Location"),
  },
  404: describeProblem("There is no such file, or it is no longer public. Code `not_found`."),
  503: describeProblem("The database did not answer. Code `unavailable`."),
};

export const fileOperations: readonly Described[] = [
  {
    method: "get",
    path: "/v1/files/{file_id}/public",
    operationId: "downloadPublicFile",
    tags: ["Files"],
    summary: "Download a public file",
    description: "Requires no token.",
    security: [],
    request: { params: describeParameter("file_id", "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001") },
    responses: redirects,
  },
  {
    method: "get",
    path: "/v1/files/download/{download_token}",
    operationId: "downloadFileByToken",
    tags: ["Files"],
    summary: "Download a file by its download token",
    description: "Requires no other token: everybody who has it may download, as long as its user may.",
    security: [],
    request: { params: describeParameter("download_token", linkExample) },
    responses: redirects,
  },
  {
    method: "get",
    path: "/files/{link}",
    operationId: "getFileContent",
    tags: ["Files"],
    summary: "Get the content of a file by a link",
    description: "Downloads lead here. Requires no token, and serves pages of any origin.",
    security: [],
    request: { params: describeParameter("link", linkExample) },
    responses: {
      200: { description: "The content.", headers: referToHeaders("ETag"), content: { "*/*": {} } },
      206: {
        description: "The part that `Range` names.",
        headers: referToHeaders("ETag"),
        content: { "*/*": {} },
      },
      304: { description: "The content is unchanged.", headers: referToHeaders("ETag") },
      404: describeProblem(
        "The link has expired after 5 minutes, or its file is deleted. Code `not_found`.",
      ),
      416: { description: "The `Range` begins after the end of the file." },
      503: describeProblem("The database or storage did not answer. Code `unavailable`."),
    },
  },
];
