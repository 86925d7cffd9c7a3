/** The headers of a delivery, with both signatures. */
import { base64 } from "oslo/encoding";
import { hmacSha256Base64, sha1Hex } from "../../platform/crypto.ts";
import type { Due } from "./claim.ts";

/**
 * The headers of one attempt. `token` is the verification token in clear; null: nothing is signed.
 * `attemptAt` is epoch milliseconds. The body and the delivery's id are the same at each attempt.
 */
export function deliveryHeaders(
  delivery: Due,
  token: string | null,
  attemptAt: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "User-Agent": "Wayline-CRM/1.0",
    "X-Timestamp": delivery.generated_at,
    "X-Service-Event": delivery.event_name,
    "X-Service-Sequence": String(delivery.sequence),
    "X-Service-Delivery": delivery.id,
  };
  if (delivery.executor_id !== null) headers["X-Service-Executor-User"] = String(delivery.executor_id);
  if (token === null) return headers;
  const seconds = String(Math.floor(attemptAt / 1000));
  const signed = `${delivery.id}.${seconds}.${delivery.body}`;
  return {
    ...headers,
    "X-Service-Verification-Hash": sha1Hex(delivery.body + token),
    "webhook-id": delivery.id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${hmacSha256Base64(signingKey(token), signed)}`,
  };
}

const prefix = "whsec_";

/** The bytes of the token; of one that begins with `whsec_`, those that the base64 after it stands for. */
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
