/** The headers of a delivery, with both signatures. */
import { base64 } from "oslo/encoding";
import { hmacSha256Base64, sha1Hex } from "../../platform/crypto.ts";
import type { Due } from "./claim.ts";

/** The parts of an event in the headers, the same at each attempt. */
export type SignedEvent = Pick<
  Due,
  "id" | "generated_at" | "event_name" | "sequence" | "executor_id"
>;

/** The signature of an attempt: its time in seconds, the hash and the signatures. */
export type Signed = readonly [timestamp: string, hash: string, signatures: string];

/** The headers that do not depend on the attempt. */
export function eventHeaders(delivery: SignedEvent): Record<string, string> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": "Wayline-CRM/1.0",
    "X-Timestamp": delivery.generated_at,
    "X-Service-Event": delivery.event_name,
    "X-Service-Sequence": String(delivery.sequence),
    "X-Service-Delivery": delivery.id,
  };
  if (delivery.executor_id !== null) headers["X-Service-Executor-User"] = String(delivery.executor_id);
  return headers;
}

/**
 * Signs an attempt at `attemptAt` (epoch milliseconds). `tokens` are opened: the first makes the hash, each
 * makes a signature. Returns null without tokens.
 */
export function signedBy(
  { id, body }: { readonly id: string; readonly body: string },
  tokens: readonly string[],
  attemptAt: number,
): Signed | null {
  const [present] = tokens;
  if (present === undefined) return null;
  const seconds = String(Math.floor(attemptAt / 1000));
  const text = `${id}.${seconds}.${body}`;
  const signatures = tokens.map((token) => `v1,${hmacSha256Base64(signingKey(token), text)}`);
  return [seconds, sha1Hex(body + present), signatures.join(" ")];
}

/**
 * Returns the headers that sign an attempt. They are hidden from users who cannot read the token, because
 * they allow guessing it.
 */
export function signingHeaders(
  id: string,
  [timestamp, hash, signatures]: Signed,
  withSecrets = true,
): Record<string, string> {
  const attempt = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (!withSecrets) return attempt;
  return { "X-Service-Verification-Hash": hash, ...attempt, "webhook-signature": signatures };
}

const prefix = "whsec_";

/** Returns the bytes of the token; after `whsec_`, the decoded base64. */
function signingKey(token: string): Uint8Array {
  if (token.startsWith(prefix)) {
    try {
      const key = base64.decode(token.slice(prefix.length), { strict: false });
      if (key.length > 0) return key;
    } catch {
      // Not base64: then it is a token like any other.
    }
  }
  return new TextEncoder().encode(token);
}
