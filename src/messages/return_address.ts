/**
 * Addresses at `INBOUND_MAIL_DOMAIN` by which mail comes back: answers to a case, and reports of failed delivery.
 * They are signed, and consist of letters and digits, which mail servers keep in any case.
 */
import { decodeBase32IgnorePadding, encodeBase32LowerCaseNoPadding } from "@oslojs/encoding";
import type { Deps } from "../deps.ts";
import { readSignedHex, signHex } from "../platform/signed.ts";

/** What an address leads back to: a case, or a sent message whose delivery failed. */
export const returnKinds = ["case", "correspondence", "campaign"] as const;
export type ReturnKind = typeof returnKinds[number];

export interface Return {
  readonly kind: ReturnKind;
  /** A UUID. */
  readonly id: string;
}

const purpose = "mail return";

/** The address of answers to a case; null without `INBOUND_MAIL_DOMAIN`. */
export function replyAddress(
  { config, secretsKey }: Pick<Deps, "config" | "secretsKey">,
  caseId: string,
): string | null {
  const { inboundMailDomain: domain } = config;
  return domain === null ? null : `${returnToken(secretsKey, { kind: "case", id: caseId })}@${domain}`;
}

/** The envelope sender of a message, for reports of failed delivery; empty without `INBOUND_MAIL_DOMAIN`. */
export function bounceAddress(
  { config, secretsKey }: Pick<Deps, "config" | "secretsKey">,
  kind: ReturnKind,
  id: string,
): { readonly envelopeFrom?: string } {
  const { inboundMailDomain: domain } = config;
  return domain === null ? {} : { envelopeFrom: `${returnToken(secretsKey, { kind, id })}@${domain}` };
}

/** Letters and digits. */
export function returnToken(secretsKey: Uint8Array, { kind, id }: Return): string {
  const hex = `0${returnKinds.indexOf(kind)}${id.replaceAll("-", "")}`;
  return encodeBase32LowerCaseNoPadding(bytesOf(signHex(secretsKey, purpose, hex)));
}

/** Reads a token in any case; null when it was not signed with the key. */
export function readReturn(secretsKey: Uint8Array, token: string): Return | null {
  let signed: string;
  try {
    signed = Uint8Array.from(decodeBase32IgnorePadding(token.toUpperCase()))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  } catch {
    return null;
  }
  const parts = /^0(\d)([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    readSignedHex(secretsKey, purpose, signed) ?? "",
  );
  const kind = returnKinds[Number(parts?.[1])];
  return parts === null || kind === undefined ? null : { kind, id: parts.slice(2).join("-") };
}

function bytesOf(base64url: string): Uint8Array {
  return Uint8Array.fromBase64(base64url, { alphabet: "base64url" });
}
