/** What goes with a deleted customer: the port that each feature fills for its own records. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** An account with its contacts, or a contact alone. */
export interface Selection {
  readonly company_id: number;
  /** Null: a contact alone leaves. */
  readonly account_id: string | null;
  /** Null: an account leaves. */
  readonly contact_id: string | null;
  /** A select of the ids of the contacts, or of some of them. */
  readonly contacts: Sql;
}

/** How many records of a kind go along: an expression for the number. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** The features' part. A step is bounded: what it leaves over is taken by the next. */
export interface Dependents {
  /** `at` is the moment as a timestamp. */
  readonly amounts: (leaving: Selection, at: string) => readonly Amount[];
  /** What a step reads; the results go to `take`. */
  readonly reads: (leaving: Selection) => readonly Statement[];
  /** A step: deletes what depends on them, and changes what shows it. */
  readonly take: (author: FieldAuthor, leaving: Selection, results: readonly Result[]) => Taken;
}

/** What a step changes, and whether there may be more to take. */
export interface Taken {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly more: boolean;
}
