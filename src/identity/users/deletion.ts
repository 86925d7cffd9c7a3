/** What a deleted user leaves behind: the port that each feature fills for its own records. */
import type { Author, FieldAuthor } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** The deleted user and the successor. */
export interface UserDeletion {
  readonly company_id: number;
  readonly user_id: number;
  /** Who gets them; null: nobody does. */
  readonly heir_id: number | null;
}

export interface Successor {
  readonly id: number;
  /** First and last name. */
  readonly name: string;
}

/** One feature's part. Steps are bounded: what one leaves over is taken by the next. */
export interface UserReassignment {
  /** A row when something is left that the heir would not see. */
  readonly unseen?: (passing: UserDeletion) => Statement;
  /** What a step reads; the results go to `pass`. */
  readonly reads: (passing: UserDeletion) => readonly Statement[];
  readonly apply: (
    author: FieldAuthor,
    passing: UserDeletion,
    heir: Successor | null,
    results: readonly Result[],
  ) => ReassignmentStep;
}

/** What a step changes, and whether there may be more to take. */
export interface ReassignmentStep {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  /** What the heir is notified of. */
  readonly notices?: readonly NotificationDraft[];
  readonly more: boolean;
}

/** One step of all features, of what their reads found, in their order. */
export function reassignAll(
  legacies: readonly UserReassignment[],
  author: FieldAuthor,
  passing: UserDeletion,
  heir: Successor | null,
  results: readonly Result[],
): Required<ReassignmentStep> {
  let from = 0;
  const passed = legacies.map((legacy) => {
    const count = legacy.reads(passing).length;
    return legacy.apply(author, passing, heir, results.slice(from, from += count));
  });
  return {
    statements: passed.flatMap(({ statements }) => statements),
    events: passed.flatMap(({ events }) => events),
    notices: passed.flatMap(({ notices = [] }) => notices),
    more: passed.some(({ more }) => more),
  };
}

/** Notifies the heir of things that need a look before they work again; nothing when there are none. */
export function handedOver(
  author: Author,
  heir: Successor,
  things: number,
  message: string,
): NotificationDraft[] {
  if (things === 0) return [];
  const { caller } = author;
  const user = caller ? { id: caller.userId } : null;
  return [{ type: "handed_over", to: [{ users: [heir.id] }], data: { user }, message }];
}

/** SQL: the name of a user, who may be deleted. */
export const nameOf = "(select trim(first_name || ' ' || last_name) from users where id = ?)";

/** `3 webhooks`, `1 webhook`. */
export function counted(things: number, what: string): string {
  return `${things} ${what}${things === 1 ? "" : "s"}`;
}
