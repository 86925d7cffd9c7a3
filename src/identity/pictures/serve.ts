/** `GET /pictures/:key`: a picture without a token, since an `<img>` cannot send one. */
import { z } from "zod";
import type { Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { selectObjectByKey } from "../../db/objects.ts";
import type { Deps } from "../../deps.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { matchesNone } from "../../http/conditional.ts";
import { securityHeaders } from "../../http/headers.ts";
import { referToHeaders } from "../../http/openapi_headers.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { describeProblem } from "../../http/openapi_problems.ts";
import { pictureFolder } from "./address.ts";

/** Seconds: how long a link to a bucket works, and how long a browser caches it. */
const linkFor = 600;
const linkKept = 300;

/** Seconds that a browser caches a picture whose address never serves another picture. */
const keptForEver = 31_536_000;

export function servePictures(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/pictures/:key", async (c, requestId) => {
    const name = c.req.param("key") ?? "";
    // 256 random bits cannot be guessed.
    if (!/^[\w-]{43}$/.test(name)) throw noPicture();
    const key = pictureFolder + name;
    const [found] = await deps.db.read([selectObjectByKey(key)]);
    const object = found!.rows[0] as PictureObject | undefined;
    return await respondPicture(deps, c.req.raw, requestId, { key, object, keptFor: keptForEver });
  });
}

/** The columns that are read of a picture's stored object. */
export interface PictureObject {
  readonly type: string;
  readonly bytes: number;
}

/**
 * Returns the picture with the storage key, or 303 with a link to the bucket. The headers prevent scripts in
 * the picture from running. Throws 404 without an object. `keptFor`: the seconds that caches keep it.
 */
export async function respondPicture(
  deps: Pick<Deps, "storage" | "log">,
  request: Request,
  requestId: string,
  { key, object, keptFor }: {
    readonly key: string;
    readonly object: PictureObject | undefined;
    readonly keptFor: number;
  },
): Promise<Response> {
  if (!object) throw noPicture();
  const common = { ...securityHeaders, "X-Request-Id": requestId };
  const link = await deps.storage.link(key, linkFor);
  if (link !== null) {
    const headers = { ...common, Location: link, "Cache-Control": `private, max-age=${linkKept}` };
    return new Response(null, { status: 303, headers });
  }
  const etag = `"${key.slice(key.lastIndexOf("/") + 1)}"`;
  const kept = { ...common, ETag: etag, "Cache-Control": `public, max-age=${keptFor}, immutable` };
  if (matchesNone(request.headers, etag)) return new Response(null, { status: 304, headers: kept });
  const headers = {
    ...kept,
    "Content-Type": object.type,
    "Content-Length": String(object.bytes),
    "Content-Disposition": "inline",
    // A browser can open an SVG as a document. This policy prevents scripts and requests.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  if (request.method === "HEAD") return new Response(null, { headers });
  const stored = await deps.storage.get(key);
  if (stored === null) {
    deps.log.error({ event: "object_missing", request_id: requestId });
    throw noPicture();
  }
  return new Response(stored.body, { headers });
}

export const noPicture = () => notFound("There is no such picture.");

/** The responses of an address of a picture. */
export const pictureResponses: Described["responses"] = {
  200: { description: "The picture.", headers: referToHeaders("ETag"), content: { "image/*": {} } },
  303: {
    description: "The picture is in a bucket. `Location` is a link that works for some minutes.",
    headers: referToHeaders("Location"),
  },
  304: {
    description: "The picture is unchanged.",
    headers: referToHeaders("ETag"),
  },
  404: describeProblem("No record has this picture. Code `not_found`."),
  503: describeProblem("The database or storage did not answer. Code `unavailable`."),
};

export const pictureOperations: readonly Described[] = [{
  method: "get",
  path: "/pictures/{key}",
  operationId: "getPicture",
  tags: ["Service"],
  summary: "Get a picture by its address",
  description: "Requires no token: the address is the secret.",
  security: [],
  request: {
    params: z.object({
      key: z.string().meta({ example: "Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI" }),
    }),
  },
  responses: pictureResponses,
}];
