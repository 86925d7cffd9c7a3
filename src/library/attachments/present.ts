/** Attached file → wire shape. */
import type { Context } from "../../db/context.ts";
import { fileMembers } from "../../core/file_json.ts";
import type { Row } from "../../platform/database/database.ts";
import { type FileFacts, readFileRow } from "../access.ts";
import { signDownloadToken } from "../links.ts";
import { withUnkept } from "../present.ts";

/** Reads the file of a row that also has `attached_by` and `attached_at`. */
export function readAttachedFile(
  { attached_by: _by, attached_at: _at, page_key: _key, page_id: _id, ...row }: Row,
): FileFacts {
  return readFileRow(row);
}

/** Presents a file as its record shows it, with a download token of the caller. */
export function presentAttached({ deps, caller, now }: Context, row: Row) {
  const file = readAttachedFile(row);
  const shown = {
    ...fileMembers(file),
    attached_by: row.attached_by as number,
    attached_at: row.attached_at as string,
  };
  return withUnkept(shown, {
    download_token: signDownloadToken(deps.secretsKey, file, caller.userId, now),
  });
}
