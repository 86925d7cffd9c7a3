/**
 * Addresses at `INBOUND_MAIL_DOMAIN` by which mail comes back: answers to a case, and reports of failed
 * delivery. They are signed. They consist of letters and digits, which mail servers preserve apart from upper
 * and lower case.
 */
import { decodeBase32IgnorePadding, encodeBase32LowerCaseNoPadding } from "@oslojs/encoding";
import type { Deps } from "../deps.ts";
import { readSignedHex, signHex } from "../platform/signed_texts.ts";
import { encodeSentMail, readSent, type SentMail } from "./sent_mail.ts";

const purpose = "mail return";

/** The address of answers to a case; null without `INBOUND_MAIL_DOMAIN`. */
export function composeReplyAddress(
  { config, secretsKey }: Pick<Deps, "config" | "secretsKey">,
  caseId: string,
): string | null {
  const { inboundMailDomain: domain } = config;
  return domain === null ? null : `${returnToken(secretsKey, { kind: "case", id: caseId })}@${domain}`;
}

/** The envelope sender of a message, for reports of failed delivery; empty without `INBOUND_MAIL_DOMAIN`. */
export function composeBounceAddress(
  { config, secretsKey }: Pick<Deps, "config" | "secretsKey">,
  mail: SentMail,
): { readonly envelopeFrom?: string } {
  const { inboundMailDomain: domain } = config;
  return domain === null ? {} : { envelopeFrom: `${returnToken(secretsKey, mail)}@${domain}` };
}

/** Returns the local part of an address: letters and digits. */
export function returnToken(secretsKey: Uint8Array, mail: SentMail): string {
  return encodeBase32LowerCaseNoPadding(decodeBytes(signHex(secretsKey, purpose, encodeSentMail(mail))));
}

/** Reads a token in upper or lower case; null when it was not signed with the key. */
export function readReturn(secretsKey: Uint8Array, token: string): SentMail | null {
  let signed: string;
  try {
    signed = Uint8Array.from(decodeBase32IgnorePadding(token.toUpperCase()))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  } catch {
    return null;
  }
  return readSent(readSignedHex(secretsKey, purpose, signed) ?? "");
}

function decodeBytes(base64url: string): Uint8Array {
  return Uint8Array.fromBase64(base64url, { alphabet: "base64url" });
}
