/** Signs short texts for URLs that contain what they refer to: they need no row and cannot be forged. */
import {
  decodeBase64urlIgnorePadding,
  decodeHex,
  encodeBase64urlNoPadding,
  encodeHexLowerCase,
} from "@oslojs/encoding";
import { hashWithKey, timingSafeEqualText } from "./crypto.ts";

/** Hex digits of a signature: 128 bits. */
const macLength = 32;

/** Returns the hex digits (an even number) with a signature for the `purpose`, in base64url. */
export function signHex(key: Uint8Array, purpose: string, hex: string): string {
  return encodeBase64urlNoPadding(decodeHex(hex + computeMac(key, purpose, hex)));
}

/** Returns the hex digits of a signed text; null when it was not signed for the purpose with the key. */
export function readSignedHex(key: Uint8Array, purpose: string, text: string): string | null {
  const all = decodeToHex(text);
  const hex = all.slice(0, -macLength);
  if (hex === "" || !timingSafeEqualText(all.slice(-macLength), computeMac(key, purpose, hex))) return null;
  return hex;
}

/** Returns a value of JSON with a signature for the `purpose`, in base64url. */
export function signJson(key: Uint8Array, purpose: string, value: unknown): string {
  return signHex(key, purpose, new TextEncoder().encode(JSON.stringify(value)).toHex());
}

/** Returns the value of a signed text of `signJson`; null when it was not signed for the purpose with the key. */
export function readSignedJson(key: Uint8Array, purpose: string, text: string): unknown {
  const hex = readSignedHex(key, purpose, text);
  return hex === null ? null : JSON.parse(new TextDecoder().decode(Uint8Array.fromHex(hex)));
}

function computeMac(key: Uint8Array, purpose: string, hex: string): string {
  return hashWithKey(key, purpose, hex).slice(0, macLength);
}

/** Empty for text that is not base64url. */
function decodeToHex(text: string): string {
  try {
    return encodeHexLowerCase(decodeBase64urlIgnorePadding(text));
  } catch {
    return "";
  }
}
