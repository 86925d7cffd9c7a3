/** Hashes, passwords and sealed secrets, on Deno and on workerd. */

import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";

const scryptCost = { N: 2 ** 14, r: 8, p: 1 };
const maxScryptMemory = 64 * 1024 * 1024;
const saltBytes = 16;
const hashBytes = 32;
const cipherName = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** A sealed text was made with another key or has changed. */
export class SealBroken extends Error {}

/** Returns the SHA-256 in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Hashes bytes as they pass: `digest` is their SHA-256 in lower-case hex. */
export function sha256Stream(): { update(bytes: Uint8Array): void; digest(): string } {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

/**
 * Decodes base64 of the standard alphabet with its padding, in lines or not; null for any other text. Drops
 * surplus bits of the last character, which some encoders leave: RFC 4648, section 3.5, lets decoders choose.
 */
export function decodeBase64(written: string): Uint8Array<ArrayBuffer> | null {
  const text = /[\r\n]/.test(written) ? written.replaceAll(/[\r\n]+/g, "") : written;
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  try {
    const bytes = Uint8Array.fromBase64(text);
    // `fromBase64` skips white space.
    return bytes.length === text.length / 4 * 3 - padding ? bytes : null;
  } catch {
    return null;
  }
}

/** Decodes base64 with or without padding; null for any other text. Drops surplus bits at the end. */
export function decodeUnpaddedBase64(text: string): Uint8Array | null {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? new Uint8Array(Buffer.from(text, "base64")) : null;
}

/** Returns the SHA-1 in lower-case hex. */
export function sha1Hex(data: string | Uint8Array): string {
  return createHash("sha1").update(data).digest("hex");
}

/** Returns the HMAC-SHA-256 in base64. */
export function hmacSha256Base64(key: string | Uint8Array, data: string | Uint8Array): string {
  return createHmac("sha256", key).update(data).digest("base64");
}

/** Returns the HMAC-SHA256 in lower-case hex. */
export function hmacSha256Hex(key: string | Uint8Array, data: string | Uint8Array): string {
  return createHmac("sha256", key).update(data).digest("hex");
}

/**
 * Returns a keyed hash in lower-case hex, for comparing texts that may hold secrets or names. Without the key
 * nobody can guess the text. The hash differs by purpose.
 */
export function hashWithKey(key: Uint8Array, purpose: string, text: string): string {
  const { inner, outer } = keyBlocks(key);
  const hash = createHash("sha256").update(inner).update(`${purpose}\n${text}`).digest();
  return createHash("sha256").update(outer).update(hash).digest("hex");
}

/** The blocks with which HMAC-SHA256 begins its two hashes; see RFC 2104. */
interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

const blockBytes = 64;
const blocksOfKeys = new WeakMap<Uint8Array, KeyBlocks>();

/**
 * Works around: `createHmac` of Deno makes streams for each hash. Two plain hashes take less than half of its time.
 * True for: Deno 2.9.6.
 * Remove when: `createHmac` takes about as long as two times `createHash`.
 */
function keyBlocks(key: Uint8Array): KeyBlocks {
  const known = blocksOfKeys.get(key);
  if (known) return known;
  const block = new Uint8Array(blockBytes);
  block.set(key.length > blockBytes ? createHash("sha256").update(key).digest() : key);
  const blocks = { inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) };
  blocksOfKeys.set(key, blocks);
  return blocks;
}

/** Hashes a password as `scrypt$N$r$p$salt$hash`, salt and hash in base64. Does not block the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, scryptCost);
  return [
    "scrypt",
    scryptCost.N,
    scryptCost.r,
    scryptCost.p,
    salt.toString("base64"),
    hash.toString("base64"),
  ].join("$");
}

/**
 * Checks a password against its hash. A null hash (no such user, no password) takes as long and is false, so
 * that the time does not reveal which names exist.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = storedForm.exec(stored ?? hashOfNobody);
  if (match === null) return false;
  const [, N, r, p, salt = "", hash = ""] = match;
  const derived = await derive(password, Buffer.from(salt, "base64"), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  const expected = Buffer.from(hash, "base64");
  return stored !== null && expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** Encrypts a text with AES-256-GCM under a key of 32 bytes. Returns base64 of nonce, ciphertext and tag. */
export function seal(key: Uint8Array, plaintext: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce);
  return Buffer.concat([nonce, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()])
    .toString("base64");
}

/** Returns the text of `seal`. Throws SealBroken if the key is another one or the sealed text has changed. */
export function open(key: Uint8Array, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < nonceBytes + tagBytes) throw new SealBroken("a sealed text is too short");
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const body = bytes.subarray(nonceBytes, -tagBytes);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SealBroken("a sealed text does not match its key", { cause });
  }
}

/** Compares two texts in a time that does not depend on where they differ. */
export function timingSafeEqualText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const storedForm = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;
const hashOfNobody = `scrypt$${scryptCost.N}$${scryptCost.r}$${scryptCost.p}$` +
  `${"A".repeat(22)}==$${"A".repeat(43)}=`;

function derive(password: string, salt: Uint8Array, cost: typeof scryptCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same password can be typed as different code points on different keyboards.
    scrypt(
      password.normalize("NFKC"),
      salt,
      hashBytes,
      { ...cost, maxmem: maxScryptMemory },
      (error, key) => {
        if (error) reject(error);
        else resolve(key);
      },
    );
  });
}
