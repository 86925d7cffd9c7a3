/** Identifiers and tokens. */

import { encodeBase64urlNoPadding } from "@oslojs/encoding";
import { V7Generator } from "uuidv7";

const tokenBytes = 32;
/** Milliseconds that the clock may step back while ids still rise: as much can an id be ahead of its moment. */
export const rollbackAllowanceMs = 10_000;

/** Returns a new UUID version 7 for a moment (default: now). Within a process, ids always rise. */
export function makeId(now: number = Date.now()): string {
  // Created on first use: workerd has no randomness while modules load.
  generator ??= new V7Generator();
  return generator.generateOrResetCore(Math.floor(now), rollbackAllowanceMs).toString();
}

/** Returns the moment of an id of `makeId`, in epoch milliseconds. */
export function readTimeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns whether the text is a UUID of any version. */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}

/** Returns whether the text is an integer from 1 to 2^53 - 1 without leading zeros. */
export function isIntegerId(text: string): boolean {
  return integerForm.test(text) && Number.isSafeInteger(Number(text));
}

/** Returns a secret of 256 random bits in base64url: 43 characters. */
export function makeToken(): string {
  return encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(tokenBytes)));
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const integerForm = /^[1-9]\d{0,15}$/;

let generator: V7Generator | undefined;
