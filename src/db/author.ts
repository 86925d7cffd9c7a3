/** The author of a change. A file of its own, below all parts of a commit. */
import type { Caller, Client } from "../core/access.ts";
import type { Deps } from "../deps.ts";
import type { Statement } from "../platform/database/database.ts";
import type { Idempotency, Target } from "./context.ts";
import type { CompanyFields } from "../fields/field_sets.ts";

/** The author of a change: the context of a request, or a job. */
export interface Author {
  readonly deps: Deps;
  readonly now: number;
  readonly at: string;
  readonly client?: Client;
  /** Where the call comes from; absent for jobs. */
  readonly address?: () => string;
  readonly caller?: Caller;
  readonly fields?: CompanyFields;
  readonly idempotency?: Idempotency | null;
  readonly target?: Target | null;
  /** Conditions of the commit, besides the guards of the change. */
  readonly guards?: readonly Statement[];
}

/** The author of a change to records with fields. */
export type FieldAuthor = Author & { readonly fields: CompanyFields };

/** The author of a change by a user: a call, or a job that goes on with what a user has begun. */
export type UserAuthor = FieldAuthor & { readonly caller: Caller };
