/** What every verb gets first: who is calling, when, and the world. */
import type { Caller, Client } from "../core/access.ts";
import type { Standings } from "../core/rate_limits.ts";
import type { Deps } from "../deps.ts";
import type { Statement } from "../platform/database/database.ts";
import type { CompanyFields } from "./fields.ts";

/** How a call can be repeated safely: under which key, and what it asked for. */
export interface Idempotency {
  readonly key: string;
  /** A keyed hash of method, path and body, since a body may hold a password. */
  readonly fingerprint: string;
  /** Set by the commit that kept the answer. */
  kept: boolean;
}

export interface ClientContext {
  readonly deps: Deps;
  /** Epoch milliseconds; the only clock that features know. */
  readonly now: number;
  /** The same as a wire timestamp. */
  readonly at: string;
  readonly requestId: string;
  /** The origin of links that the answer carries, such as `https://crm.example.org`. */
  readonly origin: string;
  /** Where the caller calls from, as failures are counted by it; most calls never ask. */
  readonly address: () => string;
  /** Where the call stands with the limits that it is held to. */
  readonly standings: Standings;
  readonly client: Client;
  /** Guards of every write of the call: that its caller is still there, and may still do the same. */
  readonly guards: readonly Statement[];
  readonly idempotency: Idempotency | null;
  /** `If-Match` of the request; see `checkMatch` in `http/conditional.ts`. */
  readonly ifMatch: string | null;
}

/** Whose eyes records are seen with, and when. */
export type Viewer = Pick<Context, "at" | "caller" | "fields">;

/** A call by a client that acts for a user. */
export interface Context extends ClientContext {
  readonly caller: Caller;
  readonly fields: CompanyFields;
}
