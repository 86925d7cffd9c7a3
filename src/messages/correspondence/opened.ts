/** The picture by which a sent e-mail reports that it was opened, where the company wants to know. */
import { escaped } from "../../core/html.ts";
import { signHex } from "../../platform/signed.ts";

export const openedPurpose = "opened";
export const openedPath = "/opened";

/** HTML of the picture of one pixel. */
export function openedPicture(secretsKey: Uint8Array, origin: string, correspondenceId: string): string {
  const token = signHex(secretsKey, openedPurpose, correspondenceId.replaceAll("-", ""));
  return `<img src="${escaped(`${origin}${openedPath}/${token}.gif`)}" width="1" height="1" alt="">`;
}
