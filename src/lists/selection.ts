/** Selections: the rows of the scope that a list shows. */
import type { Scope } from "../db/scope.ts";
import { identifier, sql } from "../db/statements.ts";
import type { AccessPath } from "./access_path.ts";
import { type ListCondition, onColumn } from "./conditions.ts";

/** Selects rows of the scope that a list shows. */
export interface Selection {
  /** The conditions that each row must meet. */
  readonly conditions: readonly ListCondition[];
  /** Further paths, besides those by the indexes of the list's own columns. */
  readonly paths: (scope: Scope) => readonly AccessPath[];
}

export const unfiltered: Selection = { conditions: [], paths: () => [] };

/** Returns the selection of the rows that are in both selections. */
export function intersectSelections(one: Selection, other: Selection): Selection {
  if (one === unfiltered) return other;
  if (other === unfiltered) return one;
  return {
    conditions: [...one.conditions, ...other.conditions],
    paths: (scope) => [...one.paths(scope), ...other.paths(scope)],
  };
}

/** Selects rows by integer ids. */
export function selectByIds(ids: readonly number[]): Selection {
  const list = JSON.stringify([...new Set(ids)]);
  const fraction = Math.min(1, 0.0005 * ids.length);
  const condition = onColumn(
    (own) => identifier(own, "rowid"),
    null,
    (of) => sql`${of} in (select value from json_each(${list}))`,
    fraction,
  );
  const path = {
    rowIds: sql`select value as row from json_each(${list})`,
    isDistinct: true,
    covers: [condition],
    inScope: false,
    read: fraction,
    found: fraction,
  };
  return { conditions: [condition], paths: () => [path] };
}
