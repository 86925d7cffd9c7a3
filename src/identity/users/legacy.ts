/** What a deleted user leaves behind, as the features tell it to which it belongs: a port of theirs. */
import type { Author, FieldAuthor } from "../../db/commit.ts";
import type { Notice } from "../../db/notices.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** Whose things go to whom. */
export interface Passing {
  readonly company_id: number;
  readonly user_id: number;
  /** Who gets them; null: nobody does. */
  readonly heir_id: number | null;
}

export interface Heir {
  readonly id: number;
  /** First and last name. */
  readonly name: string;
}

/** One feature's part. Steps are bounded: what one leaves over is taken by the next. */
export interface Legacy {
  /** A row when something is left that the heir would not see. */
  readonly unseen?: (passing: Passing) => Statement;
  /** What a step reads; the results go to `pass`. */
  readonly reads: (passing: Passing) => readonly Statement[];
  readonly pass: (
    author: FieldAuthor,
    passing: Passing,
    heir: Heir | null,
    results: readonly Result[],
  ) => Passed;
}

/** What a step changes, and whether there may be more to take. */
export interface Passed {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  /** What the heir is notified of. */
  readonly notices?: readonly Notice[];
  readonly more: boolean;
}

/** One step of all features, of what their reads found, in their order. */
export function passAll(
  legacies: readonly Legacy[],
  author: FieldAuthor,
  passing: Passing,
  heir: Heir | null,
  results: readonly Result[],
): Required<Passed> {
  let from = 0;
  const passed = legacies.map((legacy) => {
    const count = legacy.reads(passing).length;
    return legacy.pass(author, passing, heir, results.slice(from, from += count));
  });
  return {
    statements: passed.flatMap(({ statements }) => statements),
    events: passed.flatMap(({ events }) => events),
    notices: passed.flatMap(({ notices = [] }) => notices),
    more: passed.some(({ more }) => more),
  };
}

/** Notifies the heir of things that need a look before they work again; nothing when there are none. */
export function handedOver(author: Author, heir: Heir, things: number, message: string): Notice[] {
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
