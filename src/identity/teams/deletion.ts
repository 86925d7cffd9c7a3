/** What a deleted team leaves behind: the port that each feature fills for its own records. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { TeamFacts } from "./queries.ts";

/** Whose records go to whom. */
export interface TeamDeletion {
  readonly company_id: number;
  readonly team_id: number;
  /** The team that takes its place; null: none does. */
  readonly heir_id: number | null;
}

/** How many records of a kind there are: an expression for the number. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** The features' part. A step is bounded: what it leaves over is taken by the next. */
export interface TeamReassignment {
  /** What is open, without which the team cannot be missed; `at` is the moment as a timestamp. */
  readonly open: (companyId: number, teams: Sql, at: string) => readonly Amount[];
  /** What else belongs to the team. */
  readonly owned: (companyId: number, teamId: number) => readonly Amount[];
  /** What a step reads; the results go to `pass`. */
  readonly reads: (parting: TeamDeletion) => readonly Statement[];
  /** A step: what belongs to the team goes to the heir. Without one nothing moves. */
  readonly apply: (
    author: FieldAuthor,
    parting: TeamDeletion,
    heir: TeamFacts | null,
    results: readonly Result[],
  ) => ReassignmentStep;
}

/** What a step changes, and whether there may be more to take. */
export interface ReassignmentStep {
  readonly statements: readonly Statement[];
  readonly events: readonly EventDraft[];
  readonly more: boolean;
}

/** SQL: the team, and deleted ones whose records are still on their way to it. */
export function withPredecessors(teamId: number): Sql {
  return sql`select ${teamId} union all select team_id from team_handovers where heir_id = ${teamId}`;
}
