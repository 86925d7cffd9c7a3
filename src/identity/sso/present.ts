/** A company's drivers as the wire has them, in their order. */
import { type Json, plain } from "../../core/json.ts";
import type { Driver } from "./queries.ts";

export function presentDrivers(drivers: readonly Driver[]): Json {
  return plain(drivers.map(({ provider_name, issuer, client_id, client_secret }) => ({
    provider_name,
    issuer,
    client_id,
    client_secret: masked(client_secret),
  })));
}

const mask = "••••";
/** Characters; four of a shorter secret would give too much of it away. */
const longEnough = 12;

/** What is shown of a secret. */
export function masked(secret: string): string {
  return secret.length < longEnough ? mask : mask + secret.slice(-4);
}

/** Whether a text stands for a secret rather than being one. */
export function isMasked(secret: string): boolean {
  return secret.startsWith(mask);
}
