/** The records that stop because one that they name is deleted, by the declarations of references. */
import type { Statement } from "../platform/database/database.ts";
import type { Author } from "./commit.ts";
import type { DeletableKind, Deleted, Effect, References } from "./references.ts";
import { identifier, type Sql, sql } from "./statements.ts";

/** How the records of a table stop. */
export interface Stopping {
  readonly table: string;
  /**
   * Stops those of `rows` (SQL over their columns) that act, and notifies. `why`: the end of a sentence such as "It no
   * longer runs, because …".
   */
  readonly stop: (author: Author, companyId: number, rows: Sql, why: string) => readonly Statement[];
}

/** Returns the statements that stop the records of its company that name a deleted record. They precede other changes. */
export type StopNaming = (
  author: Author,
  kind: DeletableKind,
  deleted: Deleted,
  successor: Deleted["id"] | null,
) => Statement[];

/** Makes the function of the declarations of all features. */
export function makeStopNaming(
  references: readonly References[],
  stoppings: readonly Stopping[],
): StopNaming {
  const byTable = new Map(stoppings.map((stopping) => [stopping.table, stopping]));
  return (author, kind, deleted, successor) =>
    references.flatMap(({ table, columns }) =>
      Object.entries(columns).flatMap(([column, declared]) => {
        const effects = typeof declared === "string" ? undefined : declared[kind];
        const effect: Effect = Array.isArray(effects) ? effects[successor === null ? 1 : 0] : effects;
        if (typeof effect !== "object" || !("stop" in effect) || effect.by) return [];
        const rows = effect.rows?.(deleted.id) ?? sql`${identifier(column)} = ${deleted.id}`;
        return byTable.get(table)!.stop(author, deleted.company_id, rows, effect.stop);
      })
    );
}
