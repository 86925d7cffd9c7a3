/** What a deleted team leaves behind: the port that each feature fills for its own records. */
import type { FieldAuthor } from "../../db/commit.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { Step, Take } from "../../staged/kind.ts";
import { workFor } from "../../staged/work.ts";
import type { TeamFacts } from "./queries.ts";

export interface TeamDeletion {
  readonly company_id: number;
  readonly team_id: number;
  /** The team that takes its place; null: none does. */
  readonly successor_id: number | null;
}

/** How many records of a kind there are: an expression for the number. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** The features' part. The first step is in the commit of the deletion. */
export interface TeamReassignment {
  /** What is open, and so needs a successor; `at` is the moment as a timestamp. */
  readonly open: (companyId: number, teams: Sql, at: string) => readonly Amount[];
  /** What else belongs to the team. */
  readonly owned: (companyId: number, teamId: number) => readonly Amount[];
  readonly step: (deletion: TeamDeletion, take: Take) => TeamStep;
}

export interface TeamStep {
  readonly reads: readonly Statement[];
  readonly apply: (author: FieldAuthor, successor: TeamFacts | null, results: readonly Result[]) => Step;
}

/** The kind of staged work that follows. */
export const kind = "team_reassignment";

/** SQL: the team, and deleted ones whose records are still on their way to it. */
export function withPredecessors(companyId: number, teamId: number): Sql {
  return sql`select ${teamId} union all select cast(subject as integer) ${workFor(kind, companyId, teamId)}`;
}
