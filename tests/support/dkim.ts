/** Keys for DKIM, and an independent verification of what they signed. */
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import assert from "node:assert/strict";

/** Returns a pair of RSA keys in PEM. */
export function newKeyPair(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Verifies a DKIM signature by RFC 6376: relaxed headers, relaxed body. */
export function verifySignature(
  data: string,
  publicKey: string,
): { tags: Record<string, string>; isValid: boolean } {
  const end = data.indexOf("\r\n\r\n");
  const headers = data.slice(0, end).split(/\r\n(?![ \t])/);
  const findHeaders = (name: string) =>
    headers.filter((header) => header.slice(0, header.indexOf(":")).trim().toLowerCase() === name);
  const relaxHeader = (header: string) => {
    const colon = header.indexOf(":");
    const value = header.slice(colon + 1).replaceAll(/\r\n(?=[ \t])/g, "").replaceAll(/[ \t]+/g, " ").trim();
    return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
  };
  const [signature] = findHeaders("dkim-signature");
  const tags = Object.fromEntries(
    relaxHeader(signature!).slice("dkim-signature:".length).split(";").filter((tag) => tag.trim() !== "").map(
      (tag) => {
        const [name, ...value] = tag.split("=");
        return [name!.trim(), value.join("=").replaceAll(/\s/g, "")];
      },
    ),
  );
  assert.equal(tags.c, "relaxed/relaxed");
  const body = data.slice(end + 4).replaceAll(/[ \t]+(?=\r\n)/g, "").replaceAll(/[ \t]+/g, " ")
    .replace(/(\r\n)+$/, "\r\n");
  const isBody = createHash("sha256").update(body).digest("base64") === tags.bh;
  const used = new Map<string, number>();
  const lines = tags.h!.split(":").flatMap((name) => {
    const key = name.trim().toLowerCase();
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return findHeaders(key).at(-count) ?? [];
  });
  const text = [...lines.map(relaxHeader), relaxHeader(signature!).replace(/([;\s]b=)[^;]*/, "$1")].join(
    "\r\n",
  );
  const isSigned = createVerify("sha256").update(text).verify(publicKey, tags.b!, "base64");
  return { tags, isValid: isBody && isSigned };
}
