import assert from "node:assert/strict";
import type { Database } from "../../../src/platform/database/database.ts";
import { openFile } from "../../../src/platform/database/file.ts";
import { listPendingMigrations, migrate, parseMigration } from "../../../src/platform/database/migrate.ts";
import { readMigrations } from "../../../src/platform/database/migration_files.ts";
import { migrationTags } from "../../../src/platform/database/migration_tags.ts";
import { inFolder, onEachEngine } from "../../support/engines.ts";
import { projectRoot, runCommand } from "../../support/process.ts";

const first = parseMigration(
  "0000_first",
  `create table parents (id integer primary key, name text);
--> statement-breakpoint
create table children (id integer primary key, parent_id integer references parents(id) on delete cascade);
--> statement-breakpoint
-- only words
--> statement-breakpoint
create trigger named after insert on parents begin
  update parents set name = coalesce(name, 'none') where id = new.id;
  insert into children (parent_id) values (new.id);
end;`,
);
const rebuild = parseMigration(
  "0001_rebuild",
  `PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE __new_parents (id integer primary key, name text not null);
--> statement-breakpoint
INSERT INTO __new_parents SELECT id, name FROM parents;--> statement-breakpoint
DROP TABLE parents;--> statement-breakpoint
ALTER TABLE __new_parents RENAME TO parents;--> statement-breakpoint
PRAGMA foreign_keys=ON;`,
);
const tags = [first.tag, rebuild.tag];

async function one(db: Database, text: string) {
  const [result] = await db.read([{ sql: text, args: [] }]);
  return result?.rows[0];
}

onEachEngine("migrations are applied once, in order, with their triggers", async ({ db }) => {
  assert.deepEqual(await listPendingMigrations(db, tags), tags);
  assert.deepEqual(await migrate(db, [first]), ["0000_first"]);
  assert.deepEqual(await listPendingMigrations(db, tags), ["0001_rebuild"]);
  await db.write([{ sql: "insert into parents (id) values (7)", args: [] }]);
  assert.deepEqual(await one(db, "select name, (select count(*) from children) as n from parents"), {
    name: "none",
    n: 1,
  });
  assert.deepEqual(await migrate(db, [first, rebuild]), ["0001_rebuild"]);
  assert.deepEqual(await migrate(db, [first, rebuild]), []);
  assert.deepEqual(await listPendingMigrations(db, tags), []);
  assert.match(
    String((await one(db, "select applied_at from migrations"))?.applied_at),
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  );
});

onEachEngine(
  "a rebuilt table keeps its referring rows, and foreign keys hold afterwards",
  async ({ db }) => {
    await migrate(db, [first]);
    await db.write([{ sql: "insert into parents (id) values (7)", args: [] }]);
    await migrate(db, [first, rebuild]);
    assert.deepEqual(await one(db, "select count(*) as n from children"), { n: 1 });
    await assert.rejects(db.write([{ sql: "insert into children (parent_id) values (99)", args: [] }]));
    await db.write([{ sql: "delete from parents", args: [] }]);
    assert.deepEqual(await one(db, "select count(*) as n from children"), { n: 0 });
  },
);

onEachEngine("a migration that fails leaves nothing and stays pending", async ({ db }) => {
  const broken = parseMigration(
    "0001_broken",
    "create table half (n integer);--> statement-breakpoint\ninsert into nowhere values (1);",
  );
  await assert.rejects(migrate(db, [first, broken, rebuild]), /nowhere/);
  assert.deepEqual(await listPendingMigrations(db, [...tags, broken.tag]), ["0001_rebuild", "0001_broken"]);
  assert.deepEqual(await one(db, "select count(*) as n from sqlite_master where name = 'half'"), { n: 0 });
  await db.write([{ sql: "insert into parents (id) values (1)", args: [] }]);
});

onEachEngine("the project's own migrations apply, and the bundled tags are theirs", async ({ db }) => {
  const migrations = readMigrations(`${projectRoot}drizzle`);
  assert.ok(migrations.length > 0);
  assert.deepEqual(migrationTags, migrations.map((migration) => migration.tag));
  assert.deepEqual(await migrate(db, migrations), migrations.map((migration) => migration.tag));
  assert.ok(Number((await one(db, "select count(*) as n from sqlite_master where type = 'table'"))?.n) > 10);
});

Deno.test("processes that start at once apply each migration once, and none fails", () =>
  inFolder(async (folder) => {
    const code = `import { openFile } from "${projectRoot}src/platform/database/file.ts";
      import { migrate } from "${projectRoot}src/platform/database/migrate.ts";
      import { readMigrations } from "${projectRoot}src/platform/database/migration_files.ts";
      const db = openFile("${folder}/crm.db");
      console.log(JSON.stringify(await migrate(db, readMigrations("${projectRoot}drizzle"))));
      await db.close();`;
    const runs = await Promise.all([1, 2, 3].map(() => runCommand(["eval", code], {})));
    assert.deepEqual(runs.map((run) => [run.code, run.stderr]), [[0, ""], [0, ""], [0, ""]]);
    const expected = readMigrations(`${projectRoot}drizzle`).map((migration) => migration.tag);
    const applied: string[] = runs.flatMap((run) => JSON.parse(run.stdout));
    assert.deepEqual(applied.toSorted(), expected);
    const db = openFile(`${folder}/crm.db`);
    assert.deepEqual(await listPendingMigrations(db, expected), []);
    await db.close();
  }));
