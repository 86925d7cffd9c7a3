/**
 * The tracking pixel of a sent e-mail, which reports that the e-mail was opened, for companies with
 * `email_tracking`.
 */
import { escapeHtml } from "../core/html.ts";
import { readSignedHex, signHex } from "../platform/signed_texts.ts";
import { encodeSentMail, readSent, type SentMail } from "./sent_mail.ts";

const purpose = "opened";
export const openedPath = "/opened";

/** Returns the HTML of the picture, which has one pixel. */
export function composeOpenedPicture(secretsKey: Uint8Array, origin: string, mail: SentMail): string {
  const token = signHex(secretsKey, purpose, encodeSentMail(mail));
  return `<img src="${escapeHtml(`${origin}${openedPath}/${token}.gif`)}" width="1" height="1" alt="">`;
}

/** Reads the last part of the picture's address; null when it was not signed with the key. */
export function readOpened(secretsKey: Uint8Array, name: string): SentMail | null {
  const token = /^([\w-]+)\.gif$/.exec(name)?.[1];
  return readSent(readSignedHex(secretsKey, purpose, token ?? "") ?? "");
}
