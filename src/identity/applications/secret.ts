import { sha256 } from "../../platform/crypto.ts";

/** The stored form of a client's secret: its SHA-256, and the last four characters as a hint for people. */
export function makeStoredSecret(secret: string): { secret_hash: string; secret_hint: string } {
  return { secret_hash: sha256(secret), secret_hint: secret.slice(-4) };
}

/** The stored form of a client without a secret. No SHA-256 is empty, so no secret matches it. */
export const noSecret = { secret_hash: "", secret_hint: "" };
