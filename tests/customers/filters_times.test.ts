/** The number of rows in a range of time chooses the path, also at the very limit. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { identifier, sql } from "../../src/db/statements.ts";
import type { AccessPath, TimedEntries } from "../../src/lists/access_path.ts";
import { onColumn } from "../../src/lists/conditions.ts";
import { chooseByTime } from "../../src/lists/time_path.ts";
import { bindValue } from "../../src/platform/database/database.ts";

Deno.test("a range of time is read where its rows are as few as estimated, and no more", () => {
  using db = new DatabaseSync(":memory:");
  db.exec("create table totals (company_id, kind, n); create table rows (at)");
  const wrong: string[] = [];
  // Many of these shares are a little less or more than a whole number of rows.
  for (const all of [20_000, 100_000, 1_000_000]) {
    db.exec(`delete from totals; insert into totals values (1, 'rows', ${all})`);
    for (let most = 350; most <= 700; most += 25) {
      for (const [entries, expected] of [[most - 1, 1], [most + 1, 0], [most + 100, 0]] as const) {
        db.exec(
          `delete from rows; with recursive up(n) as (select 1 union all select n + 1 from up where n < ${entries})
          insert into rows select '2026-01-01 00:00:00' from up`,
        );
        const { tables } = choose(most / all);
        const [found] = db.prepare(`with ${tables!.sql} select yes from short`).all(
          ...tables!.args.map(bindValue),
        );
        if (found!.yes !== expected) wrong.push(`${entries} of at most ${most} among ${all}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

/** Returns the choice between a range of time and a path that reads this share of the rows. */
function choose(share: number): AccessPath {
  const { column } = onColumn((own) => identifier(own, "at"), "range", (of) => sql`${of} > ''`, 0.1, true);
  const select: TimedEntries["select"] = (columns) => sql`select ${columns} from rows c`;
  const path = { isDistinct: true, covers: [], inScope: true };
  const timed: AccessPath = {
    ...path,
    rowIds: select(sql`c.rowid as row`),
    timed: { column: column!, isOrder: true, select },
    read: 0.1,
    found: 0.1,
  };
  const other: AccessPath = { ...path, rowIds: sql`select 1 as row`, read: share, found: share };
  return chooseByTime([timed, other], {
    table: "rows",
    scope: { companyId: 1, streams: null },
    conditions: [],
  })!;
}
