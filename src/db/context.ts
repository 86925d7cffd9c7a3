/** The first parameter of every verb: caller, time and dependencies. */
import type { Caller, Client } from "../core/access.ts";
import { Json } from "../core/json.ts";
import type { LimitStates } from "../core/rate_limits.ts";
import type { Deps } from "../deps.ts";
import type { Statement } from "../platform/database/database.ts";
import type { CompanyFields } from "../fields/field_sets.ts";

/** The idempotency key of a request and what it covers. */
export interface Idempotency {
  readonly key: string;
  /** A keyed hash of method, path and body, because a body can contain a password. */
  fingerprint: string;
  /** Reads the body if the verb has not read it, because the fingerprint covers it. */
  complete?: () => Promise<void>;
  /** Set by the commit that stored the answer. */
  kept: boolean;
}

export interface ClientContext {
  readonly deps: Deps;
  /** Epoch milliseconds; the only clock of features. */
  readonly now: number;
  /** The same as a wire timestamp. */
  readonly at: string;
  readonly requestId: string;
  /** The origin of links in the answer, such as `https://crm.example.org`. */
  readonly origin: string;
  /** Returns the address by which failed attempts are counted. Most calls do not need it. */
  readonly address: () => string;
  /** The state of the call's rate limits. */
  readonly limitStates: LimitStates;
  readonly client: Client;
  /** Guards of every write: the caller still exists and has the same rights. */
  readonly guards: readonly Statement[];
  readonly idempotency: Idempotency | null;
  /** `If-Match` of the request; see `checkMatch` in `http/conditional.ts`. */
  readonly ifMatch: string | null;
  /** What a PUT changes; null for other calls. */
  readonly target: Target | null;
}

/** The record that a PUT changes, as the caller saw it before. */
export interface Target {
  /** Set by `checkMatch` in `http/conditional.ts`. */
  present: (() => Json) | null;
}

/** The viewer of records, and the time of the call. */
export type Viewer = Pick<Context, "at" | "caller" | "fields">;

/** A call of a client that acts for a user. */
export interface Context extends ClientContext {
  readonly caller: Caller;
  readonly fields: CompanyFields;
}
