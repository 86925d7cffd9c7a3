/** `GET /pictures/files/:key`: a published picture without a token, for campaigns and signatures. */
import { z } from "zod";
import type { Hono } from "hono";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { serveRaw } from "../../http/raw_routes.ts";
import { pictureFolder } from "../../identity/pictures/address.ts";
import {
  noPicture,
  type PictureObject,
  pictureResponses,
  respondPicture,
} from "../../identity/pictures/serve.ts";
import type { Statement } from "../../platform/database/database.ts";
import { isAlive } from "../place.ts";

/** The prefix of the storage keys of published pictures. The id of the file and a secret follow. */
export const publishedFolder = `${pictureFolder}files/`;

/** Seconds that caches keep a published picture; short, because it can be withdrawn. */
const keptFor = 300;

/** Adds the addresses of published pictures to the app. */
export function servePublishedPictures(app: Hono, deps: Deps): void {
  serveRaw(app, deps, "/pictures/files/:key", async (c, requestId) => {
    const name = c.req.param("key") ?? "";
    const fileId = /^([0-9a-f-]{36})-[\w-]{43}$/.exec(name)?.[1];
    if (fileId === undefined) throw noPicture();
    const key = publishedFolder + name;
    const [found] = await deps.db.read([selectPublishedObject(fileId, key)]);
    const object = found!.rows[0] as PictureObject | undefined;
    return await respondPicture(deps, c.req.raw, requestId, { key, object, keptFor });
  });
}

/** Reads the object if the file still publishes it, its company exists and it is in no folder being deleted. */
function selectPublishedObject(fileId: string, key: string): Statement {
  return sql`select o.type, o.bytes from files f join companies c on c.id = f.company_id
    join objects o on o.key = f.picture_key
    where f.id = ${fileId} and f.picture_key = ${key} and o.removed_from is null and c.deleted_at is null
      and ${isAlive(sql`f.company_id`, sql`f.folder_id`)}`;
}

export const publishedPictureOperations: readonly Described[] = [{
  method: "get",
  path: "/pictures/files/{key}",
  operationId: "getPublishedPicture",
  tags: ["Files"],
  summary: "Get a published picture by its address",
  description: "Requires no token: the address is the secret.",
  security: [],
  request: {
    params: z.object({
      key: z.string().meta({
        example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001-Zm9yIGV4YW1wbGUgYSBrZXkgb2YgMzIgcmFuZG9tIGI",
      }),
    }),
  },
  responses: pictureResponses,
}];
