import { sha256 } from "../../platform/crypto.ts";

/** The stored form of a client's secret: its SHA-256, and the last four characters as a hint for people. */
export function secretOf(secret: string): { secret_hash: string; secret_hint: string } {
  return { secret_hash: sha256(secret), secret_hint: secret.slice(-4) };
}

/** A client with this has no secret: no SHA-256 is empty. */
export const noSecret = { secret_hash: "", secret_hint: "" };
