/** What follows a contact to another account. The features that own those records implement this port. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import type { ContactFacts } from "./present.ts";

/** Where a contact goes. */
export interface Move {
  /** An expression for the id of the contact. */
  readonly contact: Sql;
  /** The id of the account that it will be in. */
  readonly account_id: string;
  /** Whether its cases go along. */
  readonly with_cases: boolean;
}

export interface ContactMoveEffects {
  /** What `follow` takes, read with the contact. */
  readonly reads: (move: Move) => readonly Statement[];
  readonly apply: (author: FieldAuthor, move: Move, moved: Moved, results: readonly Result[]) => MoveEffects;
}

interface Customer {
  readonly contact: ContactFacts;
  readonly account: AccountFacts;
}

/** The contact and the account that it goes to, as they were read and as they will be. */
export interface Moved {
  readonly before: Customer;
  readonly after: Customer;
}

export interface MoveEffects {
  /**
   * A step that goes ahead of the move, in a commit of its own, where there is too much for one commit; what it
   * leaves over is read again. Null: the rest goes with the contact.
   */
  readonly ahead: {
    readonly statements: readonly Statement[];
    readonly events: readonly EventDraft[];
  } | null;
  /** That what was read is still so, before the contact moves. */
  readonly guards: readonly Statement[];
  /** After the contact has moved. */
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
}
