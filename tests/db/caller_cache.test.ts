import { noCompanyFields } from "../../src/fields/field_sets.ts";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type CachedCaller, CallerCache, callerTables } from "../../src/db/caller_cache.ts";
import { sql } from "../../src/db/statements.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { startApp } from "../support/app.ts";
import { inFolder, onEachMigrated } from "../support/engines.ts";
import { copyTemplate } from "../support/template.ts";

const known: CachedCaller = {
  client: { tokenId: "t", clientId: "c", trusted: false, companyId: 1 },
  caller: null,
  fields: noCompanyFields,
  expiresAt: 1_000_000,
  state: { source: "token", hash: "h", changes: 0, permissions: "[]" },
};

onEachMigrated(
  "a caller is cached until the token ends, with a remote database for five seconds at most",
  async ({ db }) => {
    const callers = new CallerCache(db);
    await callers.get("token", 0);
    callers.put("token", known, 0, callers.generation);
    assert.equal(await callers.get("token", 4_999), known);
    assert.equal(await callers.get("token", 5_000), db.kind === "file" ? known : null);
    assert.equal(await callers.get("token", 1_000_000), null);
  },
);

onEachMigrated("a clock that is set back does not extend the entry of a cached caller", async ({ db }) => {
  const callers = new CallerCache(db);
  await callers.get("token", 0);
  callers.put("token", known, 100_000, callers.generation);
  assert.equal(await callers.get("token", 99_999), null);
});

onEachMigrated(
  "a process that changes callers sees the change at once",
  async ({ db }) => {
    const callers = new CallerCache(db);
    const remember = async () => {
      await callers.get("token", 0);
      callers.put("token", known, 0, callers.generation);
      assert.equal(await callers.get("token", 0), known);
    };
    const changes = [
      "update users set user_type = 3 where id = ?",
      'delete from "team_members" where user_id = ?',
      "insert into role_rights (role_id, right_name) values (?, 'agency')",
      "insert or ignore into user_roles (user_id, role_id) values (?, 1)",
      'update "companies" set deleted_at = ?',
      "delete from access_tokens where id = ?",
      "update teams set group_id = ?",
    ];
    for (const change of changes) {
      await remember();
      callers.noteCommit([sql`select 1`, { sql: change, args: [1] }]);
      assert.equal(await callers.get("token", 0), null, change);
    }
    await remember();
    callers.noteCommit([sql`update accounts set name = ${"x"}`]);
    assert.equal(await callers.get("token", 0), known);
  },
);

onEachMigrated("a caller that was read before a change is not cached after it", async ({ db }) => {
  const callers = new CallerCache(db);
  await callers.get("token", 0);
  const { generation } = callers;
  callers.noteCommit([sql`update users set deleted_at = ${"2026-03-02 09:00:00"}`]);
  callers.put("token", known, 0, generation);
  assert.equal(await callers.get("token", 0), null);
});

const nameChange = (table: string, what: string) =>
  `the next call sees a change by another connection: ${what} of ${table}`;

Deno.test("the next call sees a change of callers by another connection; other changes keep the cache", async (t) =>
  await inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    await copyTemplate(path);
    const db = openFile(path);
    const callers = new CallerCache(db);
    using other = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    const remember = async () => {
      await callers.get("token", 0);
      callers.put("token", known, 0, callers.generation);
      assert.equal(await callers.get("token", 0), known);
    };
    for (const table of [...callerTables, "access_tokens"]) {
      for (const [what, sql] of Object.entries(makeChanges(other, table))) {
        // A new token is not cached yet.
        if (table === "access_tokens" && what === "insert") other.exec(sql);
        else {
          await t.step(nameChange(table, what), async () => {
            await remember();
            other.exec(sql);
            assert.equal(await callers.get("token", 0), null);
          });
        }
      }
    }
    for (const sql of Object.values(makeChanges(other, "json_pool"))) {
      await remember();
      other.exec(sql);
      assert.equal(await callers.get("token", 0), known, sql);
    }
    await db.close();
  }));

/** Statements that insert, update and delete a row of the table. */
function makeChanges(db: DatabaseSync, table: string): Record<"insert" | "update" | "delete", string> {
  const columns = db.prepare(`select name from pragma_table_info(?) where "notnull" or pk`).all(table);
  const names = columns.map(({ name }) => String(name));
  return {
    insert: `insert into "${table}" (${names}) values (${names.map(() => 77)})`,
    update: `update "${table}" set ${names[0]} = ${names[0]} where ${names[0]} = 77`,
    delete: `delete from "${table}" where ${names[0]} = 77`,
  };
}

Deno.test("callers are cached up to a number of bytes; those with fields of their own take more", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assert.equal((await admin.call("GET", "/v1/me")).status, 200);
  const { callerCache: callers } = app.deps;
  const one = await callers.get(admin.token, app.clock.now());
  assert.ok(one);
  const countRemembered = async (bytes: number) => {
    const like = { ...one, fields: { ...one.fields, bytes } };
    for (let n = 0; n < 200; n++) callers.put(`${bytes} ${n}`, like, app.clock.now(), callers.generation);
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, n) => callers.get(`${bytes} ${n}`, app.clock.now())),
    );
    return found.filter((each) => each !== null).length;
  };
  assert.equal(await countRemembered(0), 200);
  const large = await countRemembered(1024 * 1024);
  assert.ok(large > 20 && large <= 64, `${large} callers`);
});
