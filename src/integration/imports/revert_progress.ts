/** What the steps of a revert have in common. */
import type { EventDraft } from "../../db/outbox.ts";
import { insertAll, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { Step } from "../../staged/kind.ts";
import type { Begun } from "./begin.ts";
import type { CustomerKind } from "./own_values.ts";
import { importKept } from "./table.ts";

/** What a revert has done, as records. `of`: the number of all. */
export interface Reverted {
  readonly deleted: number;
  readonly restored: number;
  readonly kept: number;
  readonly of: number;
}

export type KeptReason = "changed" | "in_use" | "deleted";

/** A record that an import has made or changed. */
export interface Change<Entity extends string = CustomerKind> {
  readonly seq: number;
  readonly row: number;
  readonly entity: Entity;
  readonly record_id: string;
  readonly before: string | null;
  readonly after: string;
}

/** A record that stays. */
export interface KeptChange {
  readonly change: Change<string>;
  readonly reason: KeptReason;
}

/** The step that has reverted the changes down to `last`. */
export function composeRevertedStep(
  { row, author, guard }: Begun,
  last: Change<string>,
  { deleted, restored, kept }: {
    readonly deleted: number;
    readonly restored: number;
    readonly kept: readonly KeptChange[];
  },
  { statements, events }: {
    readonly statements: readonly Statement[];
    readonly events: readonly EventDraft[];
  },
): Step {
  const counts = JSON.parse(row.reverted!) as Reverted;
  const next: Reverted = {
    ...counts,
    deleted: counts.deleted + deleted,
    restored: counts.restored + restored,
    kept: counts.kept + kept.length,
  };
  return {
    statements: [
      guard,
      ...statements,
      ...(kept.length > 0
        ? [insertAll(
          importKept,
          kept.map(({ change, reason }) => ({
            company_id: row.company_id,
            import_id: row.id,
            row: change.row,
            entity: change.entity,
            record_id: change.record_id,
            reason,
          })),
        )]
        : []),
      sql`delete from import_changes where import_id = ${row.id} and seq >= ${last.seq}`,
      sql`update imports set reverted = ${JSON.stringify(next)} where id = ${row.id}`,
    ],
    events,
    more: true,
    author,
    payload: JSON.stringify({ place: last.seq }),
  };
}
