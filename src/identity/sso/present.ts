/** Presents a company's drivers in their order. */
import type { Driver } from "./queries.ts";

export function presentDrivers(drivers: readonly Driver[]) {
  return drivers.map(({ provider_name, issuer, client_id, client_secret }) => ({
    provider_name,
    issuer,
    client_id,
    client_secret: maskSecret(client_secret),
  }));
}

const mask = "••••";
/** Characters from which a masked secret shows its last four. They would reveal too much of a shorter one. */
const longEnough = 12;

/** Masks a secret for answers. */
export function maskSecret(secret: string): string {
  return secret.length < longEnough ? mask : mask + secret.slice(-4);
}

/** Whether a text is a masked secret. */
export function isMasked(secret: string): boolean {
  return secret.startsWith(mask);
}
