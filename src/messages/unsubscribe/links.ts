/**
 * Links by which a contact unsubscribes from the e-mails of a company. They do not expire. Each names the
 * company, the contact, the campaign or automated communication whose e-mail has the link, and the address that
 * it went to, encrypted.
 */
import { open, seal } from "../../platform/crypto.ts";
import { readSignedHex, signHex } from "../../platform/signed_texts.ts";

export interface Unsubscribing {
  readonly companyId: number;
  /** Null: the link of a test mail, which ends nothing. */
  readonly contactId: string | null;
  /** The id of the campaign or automated communication. */
  readonly aboutId: string;
  /** The address of the e-mail; absent in links of test mails and of earlier versions. */
  readonly email?: string | undefined;
}

const purpose = "unsubscribe";
/** In hex: the company, the contact (zeros for none), what the mail is about, and the sealed address. */
const layout = /^([0-9a-f]{12})([0-9a-f]{32})([0-9a-f]{32})((?:[0-9a-f]{2})*)$/;
const nobody = "0".repeat(32);

/** The path of the page. */
export const unsubscribePath = "/unsubscribe";

/** The address of the page; `origin` of the installation. */
export function unsubscribeUrl(secretsKey: Uint8Array, origin: string, of: Unsubscribing): string {
  const company = of.companyId.toString(16).padStart(12, "0");
  const contact = of.contactId?.replaceAll("-", "") ?? nobody;
  const sealed = of.email === undefined ? "" : Uint8Array.fromBase64(seal(secretsKey, of.email)).toHex();
  const token = signHex(secretsKey, purpose, company + contact + of.aboutId.replaceAll("-", "") + sealed);
  return `${origin}${unsubscribePath}/${token}`;
}

/** Reads the token of an address; null when it was not signed with the key. */
export function readUnsubscribing(secretsKey: Uint8Array, token: string): Unsubscribing | null {
  const parts = layout.exec(readSignedHex(secretsKey, purpose, token) ?? "");
  if (parts === null) return null;
  const [, company, contact, about, sealed] = parts;
  return {
    companyId: parseInt(company!, 16),
    contactId: contact === nobody ? null : uuid(contact!),
    aboutId: uuid(about!),
    email: sealed === "" ? undefined : open(secretsKey, Uint8Array.fromHex(sealed!).toBase64()),
  };
}

/** The headers by which mail programs offer to unsubscribe (RFC 2369 and RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": oneClick };
}

/** What a mail program posts (RFC 8058, section 3.1), as a name and a value. */
export const [oneClickName, oneClickValue] = ["List-Unsubscribe", "One-Click"] as const;
const oneClick = `${oneClickName}=${oneClickValue}`;

function uuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
