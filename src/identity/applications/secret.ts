import { sha256 } from "../../platform/crypto.ts";

/** What is kept of a client's secret: its SHA-256, and the last four characters for people to tell it by. */
export function secretOf(secret: string): { secret_hash: string; secret_hint: string } {
  return { secret_hash: sha256(secret), secret_hint: secret.slice(-4) };
}

/** Of a client that nobody can be any more, until it is given a secret: no SHA-256 is empty. */
export const noSecret = { secret_hash: "", secret_hint: "" };
