/** The port for records of a deleted user. Each feature implements it for its own records. */
import type { Author, FieldAuthor } from "../../db/commit.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Step, Take } from "../../staged/kind.ts";

export interface UserDeletion {
  readonly company_id: number;
  readonly user_id: number;
  /** The user who gets the open records; null: none. */
  readonly successor_id: number | null;
}

export interface Successor {
  readonly id: number;
  readonly version: number;
  /** First and last name. */
  readonly name: string;
}

/** One feature's part. The first step is in the deletion's commit, with all records outside of `take`. */
export interface UserReassignment {
  /** Whether it can take several steps. Such parts follow those that end with the first commit. */
  readonly inSteps?: true;
  /** Selects a row when the successor would not see one of the records. */
  readonly unseen?: (deletion: UserDeletion) => Statement;
  readonly step: (deletion: UserDeletion, take: Take) => UserStep;
}

/** A part that is done with the first commit, without reads and events. */
export function changeAtOnce(
  statements: (
    deletion: UserDeletion,
    author: FieldAuthor,
    successor: Successor | null,
  ) => readonly Statement[],
): UserReassignment {
  return {
    step: (deletion) => ({
      reads: [],
      apply: (author, successor) => ({
        statements: [...statements(deletion, author, successor)],
        events: [],
        more: false,
      }),
    }),
  };
}

export interface UserStep {
  readonly reads: readonly Statement[];
  readonly apply: (author: FieldAuthor, successor: Successor | null, results: readonly Result[]) => Step;
}

/** Notifies the successor of records that need action before they work again; empty when `things` is 0. */
export function draftHandover(
  author: Author,
  successor: Successor,
  things: number,
  message: string,
): NotificationDraft[] {
  if (things === 0) return [];
  const { caller } = author;
  const user = caller ? { id: caller.userId } : null;
  return [{ type: "handed_over", to: [{ users: [successor.id] }], data: { user }, message }];
}

/** SQL: the name of a user, who may be deleted. */
export function selectUserName(userId: number): Sql {
  return sql`(select trim(first_name || ' ' || last_name) from users where id = ${userId})`;
}

/** Returns a number with its noun, such as `3 webhooks` or `1 webhook`. */
export function formatCount(things: number, what: string): string {
  return `${things} ${what}${things === 1 ? "" : "s"}`;
}
