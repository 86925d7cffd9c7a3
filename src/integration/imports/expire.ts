/**
 * Removes what imports have of persons 30 days after their end: the file, its first rows, its faults, and what a
 * revert needs; and imports after a year.
 */
import { dropObjects } from "../../db/objects.ts";
import { bindRows, identifier, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { GuardRefused, guardThat } from "../../platform/database/database.ts";

/** Imports of one run, and rows of a step. */
const mostImports = 100;
const mostRows = 1_000;

const personal = ["import_errors", "import_changes", "import_keys"] as const;
const children = [...personal, "import_kept"] as const;

/** Returns the number of rows that it has removed or cleared at `now` (epoch milliseconds). */
export async function forgetImports({ db }: Pick<Deps, "db">, now: number): Promise<number> {
  const isEnded = sql`status in ('checked', 'done', 'cancelled', 'failed', 'reverted')`;
  const isExpired = sql`expires_at <= ${now} and ${isEnded}`;
  const isOld = sql`removed_at <= ${now} and ${isEnded}`;
  const [ended, old] = await db.read([
    sql`select id, object_key from imports where ${isExpired} limit ${bindRows(mostImports)}`,
    sql`select id, object_key from imports where ${isOld} limit ${bindRows(mostImports)}`,
  ]);
  const endedIds = JSON.stringify(ended!.rows.map(({ id }) => id));
  const oldIds = JSON.stringify(old!.rows.map(({ id }) => id));
  const keys = [...ended!.rows, ...old!.rows].map(({ object_key }) => object_key as string | null);
  if (ended!.rows.length + old!.rows.length === 0) return 0;
  const still = (ids: string, condition: Sql) =>
    sql`not exists (select 1 from imports where id in ${selectValues(ids)} and not (${condition}))`;
  const results = await db.write([
    // One that was started or reverted meanwhile needs its file; the next run finds the others.
    guardThat("imports", sql`${still(endedIds, isExpired)} and ${still(oldIds, isOld)}`),
    dropObjects(now, keys),
    sql`update imports set object_key = null, preview = iif(preview is null, null, '[]'), reading = json_set(
      reading, '$.columns', (select json_group_array(json_set(value, '$.samples', json('[]')))
      from json_each(reading, '$.columns'))) where id in ${selectValues(endedIds)}
        and object_key is not null`,
    ...personal.map((table) => deleteRows(table, endedIds)),
    sql`update imports set expires_at = null where id in ${selectValues(endedIds)}
      and not exists (select 1 from import_errors c where c.import_id = imports.id)
      and not exists (select 1 from import_changes c where c.import_id = imports.id)
      and not exists (select 1 from import_keys c where c.import_id = imports.id)`,
    ...children.map((table) => deleteRows(table, oldIds)),
    sql`delete from imports where id in ${selectValues(oldIds)}
      and not exists (select 1 from import_errors c where c.import_id = imports.id)
      and not exists (select 1 from import_changes c where c.import_id = imports.id)
      and not exists (select 1 from import_keys c where c.import_id = imports.id)
      and not exists (select 1 from import_kept c where c.import_id = imports.id)`,
  ]).catch((error) => {
    if (error instanceof GuardRefused) return [];
    throw error;
  });
  return results.reduce((sum, { changes }) => sum + changes, 0);
}

const selectValues = (ids: string) => sql`(select value from json_each(${ids}))`;

function deleteRows(table: typeof children[number], importIds: string): Sql {
  return sql`delete from ${identifier(table)} where rowid in (select rowid from ${identifier(table)}
    where import_id in ${selectValues(importIds)} limit ${bindRows(mostRows)})`;
}
