/** Uploads to a root that does not exist. */
import { notFound, type Problem } from "../../core/errors.ts";
import { isUuid } from "../../core/ids.ts";
import { belongings } from "../table.ts";

/** Returns a 404 that names the roots. */
export function unknownRoot(): Problem {
  const [last, ...others] = belongings.toReversed();
  return notFound(
    `There is no such root. Files are uploaded to ${others.toReversed().join(", ")} or ${last}, ` +
      "or into a folder of one, as in /v1/filemanager/files/company/:folder_id.",
  );
}

/**
 * Returns the error for an upload whose path names no root; null for other requests. No endpoint handles such
 * a path: OpenAPI allows one parameter name in that position, which is the id of a file.
 */
export function strayUpload(method: string, path: string): Problem | null {
  const [, root] = /^\/v1\/filemanager\/files\/([^/]+)$/.exec(path) ?? [];
  return method === "POST" && root !== undefined && !isUuid(root) ? unknownRoot() : null;
}
