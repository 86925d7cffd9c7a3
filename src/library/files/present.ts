/** File → wire shape of `/files`. */
import type { Context } from "../../db/context.ts";
import { signDownloadToken } from "../links.ts";
import { presentFile, type ShownFile, withUnkept } from "../present.ts";

/** The canonical JSON with a download token of the caller. */
export function presentWithToken({ deps, caller, now }: Context, file: ShownFile) {
  const download_token = signDownloadToken(deps.secretsKey, file, caller.userId, now);
  return withUnkept(presentFile(file), { download_token });
}
