/** What a deleted user leaves behind, as the features tell it to which it belongs: a port of theirs. */
import type { FieldAuthor } from "../../db/commit.ts";
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
  readonly more: boolean;
}

/** One step of all features, of what their reads found, in their order. */
export function passAll(
  legacies: readonly Legacy[],
  author: FieldAuthor,
  passing: Passing,
  heir: Heir | null,
  results: readonly Result[],
): Passed {
  let from = 0;
  const passed = legacies.map((legacy) => {
    const count = legacy.reads(passing).length;
    return legacy.pass(author, passing, heir, results.slice(from, from += count));
  });
  return {
    statements: passed.flatMap(({ statements }) => statements),
    events: passed.flatMap(({ events }) => events),
    more: passed.some(({ more }) => more),
  };
}
