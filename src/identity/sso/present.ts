/** Presents a company's drivers in their order. */
import { plain } from "../../core/json.ts";
import type { Driver } from "./queries.ts";

export function presentDrivers(drivers: readonly Driver[]) {
  return plain(drivers.map(({ provider_name, issuer, client_id, client_secret }) => ({
    provider_name,
    issuer,
    client_id,
    client_secret: masked(client_secret),
  })));
}

const mask = "••••";
/** Characters. Four characters of a shorter secret would reveal too much. */
const longEnough = 12;

/** Masks a secret for answers. */
export function masked(secret: string): string {
  return secret.length < longEnough ? mask : mask + secret.slice(-4);
}

/** Whether a text is a masked secret. */
export function isMasked(secret: string): boolean {
  return secret.startsWith(mask);
}
