/** What depends on the successor of a deleted record, by the declarations of references. */
import type { Statement } from "../platform/database/database.ts";
import { type Blocker, isBlocked, listBlockers } from "./blockers.ts";
import { makeDeleteNaming } from "./cascades.ts";
import { clearColumn } from "./clears.ts";
import type { DeletableKind, Deleted, Effect, Keep, Reassign, References } from "./references.ts";
import { identifier, type Sql, sql } from "./statements.ts";

/**
 * Returns the statements that let the rows of a deleted record name the successor. Without one (null) they are kept for
 * their makers, cleared or deleted, as declared. `at`: a timestamp.
 */
export type ReassignNaming = (
  author: { readonly at: string },
  kind: DeletableKind,
  deleted: Deleted,
  successor: Deleted["id"] | null,
) => Statement[];

/** A column that names a deleted record, and what the deletion makes of it. */
interface Naming {
  readonly table: string;
  readonly column: string;
  readonly effect: Effect;
  /** Prevent the deletion of the row itself. */
  readonly blockers: readonly Blocker[];
  /** Deletes what goes with rows (SQL after `from`). */
  readonly deleteFurther: (rows: Sql) => Statement[];
}

/** Makes the function of the declarations of all features. */
export function makeReassignNaming(
  references: readonly References[],
  blockers = (kind: DeletableKind): readonly Blocker[] => listBlockers(references, kind),
): ReassignNaming {
  const deleteNaming = makeDeleteNaming(references);
  return ({ at }, kind, deleted, successor) =>
    references.flatMap(({ table, columns, as }) =>
      Object.keys(columns).flatMap((column) => {
        const effect = findEffect(columns[column]!, kind, successor !== null);
        if (effect === null) return [];
        const deleteFurther = (rows: Sql) =>
          as ? deleteNaming(as.kind, sql`select ${identifier(as.key)} from ${rows}`) : [];
        const naming = { table, column, effect, blockers: as ? blockers(as.kind) : [], deleteFurther };
        return changeRows(naming, deleted, at, successor);
      })
    );
}

/** What does not depend on a successor is done by `clearNaming` and `deleteNaming`. */
function findEffect(
  declared: References["columns"][string],
  kind: DeletableKind,
  hasSuccessor: boolean,
): Effect | null {
  const effects = typeof declared === "string" ? undefined : declared[kind];
  if (Array.isArray(effects)) return effects[hasSuccessor ? 0 : 1];
  const effect = effects as Effect | undefined;
  return typeof effect === "object" && ("stop" in effect || isKept(effect)) ? effect : null;
}

function isKept(effect: Exclude<Effect, string>): boolean {
  return "atOnce" in effect && effect.then === "keep";
}

function changeRows(
  naming: Naming,
  deleted: Deleted,
  at: string,
  successor: Deleted["id"] | null,
): Statement[] {
  const { table, column, effect, blockers } = naming;
  if (effect === "keep" || "block" in effect) return [];
  if ("stop" in effect) {
    return changeRows({ ...naming, effect: effect.then }, deleted, at, successor);
  }
  if (!("atOnce" in effect)) return [];
  const name = identifier(table);
  switch (effect.then) {
    case "reassign":
      return [sql`update ${name} set ${identifier(effect.set ?? column)} = ${successor}, updated_at = ${at},
        version = version + 1 where ${findRows(column, effect, deleted)}`];
    case "keep":
      return [sql`update ${name} set kept_for = ${identifier(effect.maker)}, version = version + 1
        where ${findRows(column, effect, deleted)}`];
    case "clear":
      return clearColumn({ table, column, how: effect }, deleted, at);
    case "cascade": {
      const unblocked = blockers.length === 0
        ? sql``
        : sql` and not ${isBlocked(blockers, identifier(table, "id"), deleted.company_id)}`;
      const rows = sql`${name} where ${findRows(column, {}, deleted)}${unblocked}`;
      return [...naming.deleteFurther(rows), sql`delete from ${rows}`];
    }
  }
}

function findRows(column: string, { rows }: Pick<Reassign | Keep, "rows">, { company_id, id }: Deleted) {
  return sql`company_id = ${company_id} and ${rows ? rows(id) : sql`${identifier(column)} = ${id}`}`;
}
