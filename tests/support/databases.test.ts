import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { lendCopy, lendDatabase, type LentDatabase } from "./databases.ts";
import { selectRows } from "./rows.ts";

Deno.test("a database that an app gave back is lent again, with no row of any table", async () => {
  const first = await lendDatabase();
  const fresh = await countContent(first);
  await fill(first);
  for (const [table, n] of Object.entries(await countContent(first))) assert.ok(n > 0, `${table} is empty`);
  await first.db.write([update]);
  writeFileSync(join(first.folder, "left.txt"), "");
  await first.giveBack(true);
  await assert.rejects(first.db.write([update]), DatabaseUnavailable);

  const second = await lendDatabase();
  assert.equal(second.file, first.file);
  assert.deepEqual(await countContent(second), fresh);
  assert.deepEqual(await selectRows(second.db, "select n from caller_changes"), [{ n: 0 }]);
  assert.ok(!existsSync(join(first.folder, "left.txt")));
  await second.giveBack(false);
  assert.ok(!existsSync(first.folder));
});

const unfit: [string, (lent: LentDatabase) => Promise<unknown>][] = [
  ["an index was added", ({ db }) => db.script("create index teams_name on teams (name)")],
  ["a trigger was dropped", ({ db }) => db.script("drop trigger teams_caller_changes_insert")],
  ["migrations were changed", ({ db }) => db.script("update migrations set tag = 'older_' || tag")],
  ["its file has grown", ({ db }) => db.script("update caller_changes set n = zeroblob(9000000)")],
  [
    "many writes shared a commit",
    ({ db }) => Promise.all(Array.from({ length: 80 }, () => db.write([update]))),
  ],
];
const update = { sql: "update caller_changes set n = n + 1", args: [] };

for (const [why, change] of unfit) {
  Deno.test(`a database is not lent again when ${why}`, async () => {
    const first = await lendDatabase();
    await change(first);
    await first.giveBack(true);
    assert.ok(!existsSync(first.folder));
    await (await lendDatabase()).giveBack(false);
  });
}

Deno.test("two apps never share a database, and a copy of a file is not lent again", async () => {
  const [one, other] = [await lendDatabase(), await lendDatabase()];
  assert.notEqual(one.file, other.file);
  await one.db.write([update]);
  const copy = await lendCopy(one.file);
  await copy.giveBack(true);
  assert.ok(!existsSync(copy.folder));
  await one.giveBack(false);
  await other.giveBack(false);
});

/**
 * Returns the number of rows of each table and search index, and the last id of each table that counts its
 * ids.
 */
async function countContent({ db }: LentDatabase): Promise<Record<string, number>> {
  const lastIds = await selectRows(db, "select name || ' id' as name, seq from sqlite_sequence");
  const found = await listTables(db, "type = 'table' or name like '%_docsize'");
  const counts = await db.read(
    found.map((table) => ({ sql: `select count(*) as n from ${table}`, args: [] })),
  );
  return Object.fromEntries([
    ...found.map((table, at) => [table, counts[at]!.rows[0]!.n]),
    ...lastIds.map(({ name, seq }) => [name, seq]),
  ]);
}

/** Adds a row to each table and search index, whether it makes sense or not. */
async function fill({ db }: LentDatabase): Promise<void> {
  const insertions: string[] = [];
  for (const table of await listTables(db, "type in ('table', 'virtual')")) {
    if (table === "migrations" || table === "caller_changes") continue;
    const columns = await selectRows(
      db,
      `select name, type from pragma_table_xinfo('${table}') where hidden = 0`,
    );
    const names = columns.map(({ name }) => `"${name}"`);
    const values = columns.map(({ type }) => `${type}`.toLowerCase() === "integer" ? "30000" : "'{}'");
    insertions.push(`insert or ignore into ${table} (${names}) values (${values})`);
  }
  const lax = "pragma foreign_keys = off; pragma ignore_check_constraints = on;";
  await db.script(`${lax} ${insertions.join(";")}; pragma ignore_check_constraints = off`);
}

async function listTables(db: Database, condition: string): Promise<string[]> {
  const own = "schema = 'main' and name not like 'sqlite\\_%' escape '\\'";
  const found = await selectRows(
    db,
    `select name from pragma_table_list where ${own} and (${condition}) order by 1`,
  );
  return found.map(({ name }) => String(name));
}
