/** What shows the account of a contact and follows it to another, as the features tell it: a port of theirs. */
import type { EventDraft } from "../../db/outbox.ts";
import type { Sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { ContactFacts } from "./present.ts";

/** The rows themselves are moved by triggers; the features tell of it. */
export interface Followers {
  /** What is read of them with the contact (an expression for its id); the result goes to `follow`. */
  readonly reads: (contact: Sql) => Statement;
  /** Of the contact as it will be. */
  readonly follow: (contact: ContactFacts, read: Result) => Followed;
}

export interface Followed {
  /** That what was read is still so, before the contact moves. */
  readonly guards: readonly Statement[];
  readonly events: readonly EventDraft[];
}
