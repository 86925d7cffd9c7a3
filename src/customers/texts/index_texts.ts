/** Updates the text indexes in steps, since every row may be stale after a migration. */
import { identifier, joinSql, sql } from "../../db/statements.ts";
import type { Database, Statement } from "../../platform/database/database.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { composeSeqOfKey, composeTeamMark, type TextIndex } from "../../filters/text_index.ts";
import { textIndexes } from "./texts.ts";

/** Rows that one step indexes: few enough that it holds the write lock for well under 100 ms. */
const stepRows = 100;
/** Milliseconds of work after which a run ends. The next run continues. */
const budget = 20_000;

/**
 * Indexes stale rows until none is left or `until` (of `performance.now`) has passed. Returns their number.
 * Each step is one batch that selects the rows that are then stale, so several processes may run at once.
 */
export async function indexTexts(
  { db }: { readonly db: Database },
  { rows = stepRows, until = performance.now() + budget }: { rows?: number; until?: number } = {},
): Promise<number> {
  const indexes = Object.values(textIndexes);
  const stale = await db.read(indexes.map(({ stale }) => sql`select 1 from ${identifier(stale)} limit 1`));
  let indexed = 0;
  for (const [place, index] of indexes.entries()) {
    let left = stale[place]!.rows.length > 0;
    while (left && performance.now() < until) {
      const results = await db.write(step(index, rows));
      const { changes } = results.at(-1)!;
      indexed += changes;
      left = changes === rows;
    }
  }
  return indexed;
}

function step({ table, texts, stale, columns }: TextIndex, rows: number): Statement[] {
  const [target, marks] = [identifier(texts), identifier(stale)];
  const keys = sql`select key from ${marks} order by key limit ${rows}`;
  const names = joinSql(columns.map((name) => identifier(name)), ",");
  const values = joinSql(columns.map((name) => composeCaseFold("o", name)), ",");
  return [
    // Deletes under both kinds (business and consumer), since the kind may have changed.
    sql`delete from ${target} where rowid in
      (select s.key * 2 + kind.value from (${keys}) s cross join json_each('[0,1]') kind)`,
    // Rows in the order of their row ids are written together.
    sql`insert into ${target} (rowid, ${names}, team)
      select s.key * 2 + o.b2c, ${values}, ${composeTeamMark(sql`o.team_id`)} from (${keys}) s
      cross join ${identifier(table)} o on o.seq = ${composeSeqOfKey(sql`s.key`)} order by s.key`,
    sql`delete from ${marks} where key in (${keys})`,
  ];
}
