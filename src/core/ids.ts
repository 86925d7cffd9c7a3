/** Identifiers and tokens. */

import { base64url } from "oslo/encoding";
import { V7Generator } from "uuidv7";

const TOKEN_BYTES = 32;
/** Milliseconds by which the clock may step back while ids still rise. */
const ROLLBACK_ALLOWANCE = 10_000;

/** A new UUID version 7 for a moment (now, when none is given); within one process each is above the last. */
export function newId(now: number = Date.now()): string {
  // Made on the first call: workerd gives no randomness while modules load.
  generator ??= new V7Generator();
  return generator.generateOrResetCore(Math.floor(now), ROLLBACK_ALLOWANCE).toString();
}

/** Whether a text has the form of a UUID, of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether a text is a positive integer up to 2^53 - 1, written without leading zeros. */
export function isIntegerId(text: string): boolean {
  return INTEGER.test(text) && Number.isSafeInteger(Number(text));
}

/** A secret of 256 random bits in base64url: 43 characters. */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)), { includePadding: false });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INTEGER = /^[1-9]\d{0,15}$/;

let generator: V7Generator | undefined;
