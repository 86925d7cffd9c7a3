/** Published picture → wire shape. */
import type { Context } from "../../db/context.ts";
import { composePictureUrl } from "../../identity/pictures/address.ts";

/** `key`: the storage key of the published copy. */
export function presentPicture({ origin }: Pick<Context, "origin">, fileId: string, key: string) {
  return { file_id: fileId, url: composePictureUrl(origin, key)! };
}
