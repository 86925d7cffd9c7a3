/** A kind of staged work, as a feature declares it. */
import type { Author, FieldAuthor } from "../db/commit.ts";
import type { NotificationDraft } from "../db/notifications.ts";
import type { EventDraft } from "../db/outbox.ts";
import type { Sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import type { Database, Result, Statement } from "../platform/database/database.ts";

/** A kind of staged work. Each step of it is one commit. */
export interface StagedKind {
  readonly kind: string;
  /** Whether the work is that of deleted companies. All other work of theirs waits. */
  readonly ofDeleted?: true;
  /**
   * Plans a step. Selects its records with `take`, always in the same order. May read the database first; a kind that
   * reads all of it returns the step itself.
   */
  readonly step: (work: Work, take: Take, at: Moment) => PlannedStep | Promise<PlannedStep | Step>;
  /**
   * For steps of what is no record in the database, such as the rows of a file: returns the payload with which
   * the work goes on after a step has failed. Null: the loop looks for the record that fails, or puts the work off.
   */
  readonly afterFailure?: (work: Work, error: unknown) => string | null;
}

/** The database, and the present in epoch milliseconds and as a timestamp. */
export interface Moment {
  readonly deps: Deps;
  readonly db: Database;
  readonly now: number;
  readonly at: string;
  /** Returns how many of the usual number of rows a step takes: fewer while commits are slow. */
  readonly share: (usual: number) => number;
}

/** A row of `staged_work`, as its kind sees it. */
export interface Work {
  readonly company_id: number;
  readonly subject: string;
  /** JSON. */
  readonly payload: string;
}

export interface PlannedStep {
  readonly reads: readonly Statement[];
  /** Pure: the change, from the results of the reads. */
  readonly apply: (author: FieldAuthor, results: readonly Result[]) => Step;
}

export interface Step {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly notifications?: readonly NotificationDraft[];
  /** Whether anything may be left for another step. */
  readonly more: boolean;
  /** Statements that only the last step runs, when no record is left or set aside. */
  readonly last?: readonly Statement[];
  /** The new payload, JSON; missing: unchanged. */
  readonly payload?: string;
  /** Who makes the change; missing: the job. */
  readonly author?: Author;
}

/**
 * Selects the records of a step, at most `most`, from `ids`: one or several selects of a column `id`. A select
 * has no id twice and no limit, because a step with fewer than `most` records counts as the last.
 */
export type Take = (ids: Sql | readonly Sql[], most: number) => RecordBatch;

export interface RecordBatch {
  readonly ids: Sql;
  /** The most records that the step takes. When it takes as many, more may be left. */
  readonly most: number;
}

export const noChange: Step = { statements: [], events: [], more: false };

/**
 * Combines several parts into one step. A part begins when the earlier parts have nothing left, and takes
 * their changes into account.
 */
export function inOrder(parts: readonly PlannedStep[]): PlannedStep {
  return {
    reads: parts.flatMap(({ reads }) => reads),
    apply(author, results) {
      let from = 0;
      let sum = noChange;
      for (const { reads, apply } of parts) {
        sum = joinSteps(sum, apply(author, results.slice(from, from += reads.length)));
        if (sum.more) break;
      }
      return sum;
    },
  };
}

/** Joins two steps into one, for one commit. */
export function joinSteps(one: Step, other: Step): Step {
  return {
    statements: [...one.statements, ...other.statements],
    events: [...one.events, ...other.events],
    notifications: [...one.notifications ?? [], ...other.notifications ?? []],
    more: one.more || other.more,
    last: [...one.last ?? [], ...other.last ?? []],
  };
}
