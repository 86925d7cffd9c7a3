/** The port for records of a deleted team. Each feature implements it for its own records. */
import type { FieldAuthor } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { inOrder, type Step, type Take } from "../../staged/kind.ts";
import { composeWorkRows } from "../../staged/work.ts";
import type { TeamFacts } from "./queries.ts";

export interface TeamDeletion {
  readonly company_id: number;
  readonly team_id: number;
  /** The team that replaces the deleted one in its records; null: none. */
  readonly successor_id: number | null;
  /** The user who deletes the team; null in work that an earlier version began. */
  readonly deleted_by: number | null;
  /** The first step is done. */
  readonly isBegun?: boolean;
}

/** An expression for the number of records of a type. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** What happens to the records of the features. The first step is in the commit of the deletion. */
export interface TeamReassignment {
  /** Counts open records of the teams (a select of ids), which need a successor. `at`: now as a timestamp. */
  readonly open: (companyId: number, teams: Sql, at: string) => readonly Amount[];
  /** Counts the other records of the team. */
  readonly countOwned: (companyId: number, teamId: number) => readonly Amount[];
  /**
   * The statements before members leave a team that gets no successor, for records that remember them. Members of a
   * large team leave in several batches, each with these statements.
   */
  readonly leaving: (companyId: number, teamId: number) => readonly Statement[];
  readonly step: (deletion: TeamDeletion, take: Take) => TeamStep;
}

/** One feature's part. */
export interface TeamPart extends Partial<TeamReassignment> {
  /** The statements of the first step, before the records of any `step` change. */
  readonly atOnce?: (author: FieldAuthor, deletion: TeamDeletion) => readonly Statement[];
}

export interface TeamStep {
  readonly reads: readonly Statement[];
  readonly apply: (author: FieldAuthor, successor: TeamFacts | null, results: readonly Result[]) => Step;
}

/** Joins the parts of the features. Records of a part move in steps when those of earlier parts have moved. */
export function joinTeamParts(parts: readonly TeamPart[]): TeamReassignment {
  return {
    open: (...given) => parts.flatMap(({ open }) => open?.(...given) ?? []),
    countOwned: (...given) => parts.flatMap(({ countOwned }) => countOwned?.(...given) ?? []),
    leaving: (...given) => parts.flatMap(({ leaving }) => leaving?.(...given) ?? []),
    step(deletion, take) {
      const steps = parts.flatMap(({ step }) => step?.(deletion, take) ?? []);
      return {
        reads: steps.flatMap(({ reads }) => reads),
        apply(author, successor, results) {
          const step = inOrder(steps.map(({ reads, apply }) => ({
            reads,
            apply: (by, own) => apply(by, successor, own),
          }))).apply(author, results);
          if (deletion.isBegun) return step;
          const first = parts.flatMap(({ atOnce }) => atOnce?.(author, deletion) ?? []);
          const { successor_id, deleted_by } = deletion;
          const payload = JSON.stringify({ successor_id, deleted_by, isBegun: true });
          return { ...step, statements: [...first, ...step.statements], payload };
        },
      };
    },
  };
}

/** The kind of staged work that reassigns the remaining records. */
export const kind = "team_reassignment";

/** SQL: selects the team, and deleted teams whose records staged work is still moving to it. */
export function selectWithPredecessors(companyId: number, teamId: number): Sql {
  return sql`select ${teamId} union all select cast(subject as integer)
    ${composeWorkRows(kind, companyId, teamId)}`;
}
