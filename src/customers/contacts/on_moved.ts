/**
 * The port for records that move with a contact to another account. The features that own them implement it.
 */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import type { ContactFacts } from "./present.ts";

/** A move of a contact. */
export interface Move {
  /** An expression for the id of the contact. */
  readonly contact: Sql;
  /** Id of the target account. */
  readonly account_id: string;
  /** Whether its cases move too. */
  readonly with_cases: boolean;
}

export interface ContactMoveEffects {
  /** Reads that share the batch of the contact's; `apply` receives their results. */
  readonly reads: (move: Move) => readonly Statement[];
  readonly apply: (author: FieldAuthor, move: Move, moved: Moved, results: readonly Result[]) => MoveEffects;
}

interface Customer {
  readonly contact: ContactFacts;
  readonly account: AccountFacts;
}

/** The contact and its target account, before and after the move. */
export interface Moved {
  readonly before: Customer;
  readonly after: Customer;
}

export interface MoveEffects {
  /**
   * A step that moves some of the records before the contact, when there are too many for one commit. After
   * the step, the remaining records are read again. Null: all remaining records move with the contact.
   */
  readonly ahead: {
    readonly statements: readonly Statement[];
    readonly events: readonly EventDraft[];
  } | null;
  /** Guards for the results of the reads. They run before the contact moves. */
  readonly guards: readonly Statement[];
  /** Statements to run after the contact has moved. */
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}
