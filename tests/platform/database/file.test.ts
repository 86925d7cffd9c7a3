/** The file driver: durable settings, shared commits, and several processes on one file. */

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import {
  DatabaseUnavailable,
  guardChanged,
  GuardRefused,
  NotUnique,
  type Result,
  type Statement,
  type Value,
} from "../../../src/platform/database/database.ts";
import { type FileDatabase, type FileOptions, openFile } from "../../../src/platform/database/file.ts";
import { inFolder } from "../../support/engines.ts";
import { projectRoot, runCommand } from "../../support/process.ts";

const sql = (text: string, ...args: Value[]): Statement => ({ sql: text, args });

function withFile(use: (db: FileDatabase, path: string) => Promise<void>, options?: FileOptions) {
  return inFolder(async (folder) => {
    const db = openFile(`${folder}/made/crm.db`, options);
    await use(db, `${folder}/made/crm.db`);
    await db.close();
  });
}

async function numbers(db: FileDatabase): Promise<Value[]> {
  const [found] = await db.read([sql("select n from t order by n")]);
  return (found?.rows ?? []).map((row) => row.n ?? null);
}

const promised = {
  journal_mode: "wal",
  synchronous: 2,
  foreign_keys: 1,
  secure_delete: 1,
  cache_size: -16384,
  temp_store: 2,
  journal_size_limit: 67108864,
  busy_timeout: 20,
};

Deno.test("a new database, its folder and its log are readable by their owner only", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n)")]);
    const modes = ["", "-wal", "-shm"].map((ending) => Deno.statSync(path + ending).mode! & 0o777);
    assert.deepEqual(modes, [0o600, 0o600, 0o600]);
    assert.equal(Deno.statSync(path.slice(0, path.lastIndexOf("/"))).mode! & 0o777, 0o700);
  }));

Deno.test("every connection syncs at each commit, checks foreign keys and waits at most 20 ms", () =>
  withFile(async (db, path) => {
    assert.deepEqual(db.pragmas(), promised);
    const second = openFile(path);
    assert.deepEqual(second.pragmas(), promised);
    await second.close();
  }));

Deno.test("neither the file nor a backup keeps what was deleted", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer primary key, text)")]);
    const mark = "personal data of somebody";
    // Some rows have pages of their own, which deletion frees.
    await db.write([1, 2_000].map((times) => sql("insert into t (text) values (?)", mark.repeat(times))));
    db.checkpoint();
    await db.write([sql("delete from t")]);
    db.checkpoint();
    await db.backupTo(`${path}.copy`);
    for (const file of [path, `${path}.copy`]) {
      assert.ok(!new TextDecoder().decode(await Deno.readFile(file)).includes(mark), file);
    }
  }));

Deno.test("the settings are the same after scripts that change them, and after scripts that fail", () =>
  withFile(async (db) => {
    await db.script("pragma foreign_keys = off; begin; create table t (n integer); commit");
    assert.deepEqual(db.pragmas(), promised);
    await assert.rejects(
      db.script("pragma foreign_keys = off; begin; insert into nowhere values (1)"),
      /nowhere/,
    );
    assert.deepEqual(db.pragmas(), promised);
  }));

Deno.test("simultaneous writes share one commit", () =>
  withFile(async (db) => {
    await db.write([sql("create table t (n integer primary key)")]);
    const before = db.commits();
    await Promise.all(Array.from({ length: 100 }, (_, n) => db.write([sql("insert into t values (?)", n)])));
    assert.equal(db.commits() - before, 1);
    assert.equal((await numbers(db)).length, 100);
  }));

Deno.test("a failing batch of a shared commit is undone and rejected alone", () =>
  withFile(async (db) => {
    await db.write([sql("create table t (n integer primary key)")]);
    const before = db.commits();
    const outcomes = await Promise.allSettled([
      db.write([sql("insert into t values (1)")]),
      db.write([
        sql("insert into t values (2)"),
        sql("update t set n = 9 where n = 8"),
        guardChanged("gone"),
      ]),
      db.write([sql("insert into t values (3)"), sql("insert into t values (1)")]),
      db.write([sql("insert into t values (4)")]),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status), [
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    const reasons = outcomes.flatMap((outcome) => outcome.status === "rejected" ? [outcome.reason] : []);
    assert.ok(reasons[0] instanceof GuardRefused && reasons[1] instanceof NotUnique);
    assert.deepEqual(await numbers(db), [1, 4]);
    assert.equal(db.commits() - before, 1);
  }));

Deno.test("when a shared commit fails, each batch runs alone and only the faulty one is rejected", () =>
  withFile(async (db) => {
    await db.write([
      sql("create table t (n integer primary key)"),
      sql("create table late (n integer references t(n) deferrable initially deferred)"),
    ]);
    const outcomes = await Promise.allSettled([
      db.write([sql("insert into t values (1)")]),
      db.write([sql("insert into late values (99)")]),
      db.write([sql("insert into t values (2)")]),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await numbers(db), [1, 2]);
  }));

Deno.test("late statements run after all batches, never for a refused batch, and a failing one undoes its batch only", () =>
  withFile(async (db) => {
    await db.write([sql("create table t (n integer primary key, place integer)")]);
    const late = (text: string): Statement => ({ ...sql(text), late: true });
    const place = "(select ifnull(max(place), 0) + 1 from t)";
    const insert = (n: number) => `insert into t values (${n}, ${place}) returning place`;
    // Keeps the writer busy until all batches have reached it, so that they share a commit.
    const busy = db.write([sql(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select max(i) from n",
    )]);
    const outcomes = await Promise.allSettled([
      db.write([late(insert(1)), sql(insert(2))]),
      db.write([late(insert(3)), sql("insert into t values (2, 0)")]),
      db.write([sql(insert(4)), late(insert(5))]),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status), ["fulfilled", "rejected", "fulfilled"]);
    const [first, , last] = outcomes.map((outcome) => outcome.status === "fulfilled" ? outcome.value : []);
    const places = (results: readonly Result[]) => results.map(({ rows }) => rows[0]!.place);
    assert.deepEqual([places(first!), places(last!)], [[3, 1], [2, 4]]);
    await busy;
    const again = await Promise.allSettled([
      db.write([sql(insert(6))]),
      db.write([late(insert(6)), sql(insert(7))]),
      db.write([sql(insert(8))]),
    ]);
    assert.deepEqual(again.map((outcome) => outcome.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await numbers(db), [1, 2, 4, 5, 6, 8]);
  }));

Deno.test("an error that ends the transaction undoes only the batch that caused it", () =>
  withFile(async (db) => {
    await db.write([sql("create table t (n integer primary key)"), sql("insert into t values (0)")]);
    const outcomes = await Promise.allSettled([
      db.write([sql("insert into t values (1)")]),
      db.write([sql("insert or rollback into t values (0)")]),
      db.write([sql("insert into t values (2)")]),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status), ["fulfilled", "rejected", "fulfilled"]);
    assert.deepEqual(await numbers(db), [0, 1, 2]);
  }));

Deno.test("a write becomes visible to other connections exactly when it resolves", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)")]);
    const other = new DatabaseSync(path);
    const count = () => other.prepare("select count(*) as n from t").get()?.n;
    const writing = db.write([sql("insert into t values (1)")]);
    assert.equal(count(), 0);
    await writing;
    assert.equal(count(), 1);
    other.close();
  }));

Deno.test("while another process holds the lock, reads continue and writes wait", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)")]);
    const other = new DatabaseSync(path);
    other.exec("begin immediate; insert into t values (1)");
    const writes = [db.write([sql("insert into t values (2)")]), db.write([sql("insert into t values (3)")])];
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      assert.deepEqual(await numbers(db), []);
    }
    other.exec("commit");
    await Promise.all(writes);
    assert.deepEqual(await numbers(db), [1, 2, 3]);
    other.close();
  }));

Deno.test("a write that is locked out for too long fails as unavailable and is not done", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)")]);
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    const outcomes = await Promise.allSettled(
      [1, 2].map((n) => db.write([sql("insert into t values (?)", n)])),
    );
    for (const outcome of outcomes) {
      assert.ok(outcome.status === "rejected" && outcome.reason instanceof DatabaseUnavailable);
    }
    await assert.rejects(db.script("begin immediate; commit"), DatabaseUnavailable);
    other.exec("rollback");
    other.close();
    await db.write([sql("insert into t values (3)")]);
    assert.deepEqual(await numbers(db), [3]);
  }, { patience: 60 }));

Deno.test("the stamp changes when another connection writes, not with own reads and writes", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)")]);
    const before = db.stamp();
    await db.write([sql("insert into t values (1)")]);
    await numbers(db);
    assert.equal(db.stamp(), before);
    const other = openFile(path);
    await other.write([sql("insert into t values (2)")]);
    await other.close();
    assert.notEqual(db.stamp(), before);
  }));

Deno.test("reads sent together see one snapshot while another process writes", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)"), sql("insert into t values (0)")]);
    const database = JSON.stringify(path);
    // A function runs the writer between the two statements of the reader.
    const code = `import { DatabaseSync } from "node:sqlite"; const db = new DatabaseSync(${database});
      db.exec("pragma busy_timeout = 5000"); console.log("writing");
      for (let i = 0; i < 1_000_000; i++) db.exec("update t set n = n + 1");`;
    const child = new Deno.Command(Deno.execPath(), { args: ["eval", code], stdout: "piped" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    const seen = new Set<Value | undefined>();
    const end = performance.now() + 20_000;
    try {
      while (seen.size < 100 && performance.now() < end) {
        const results = await db.read(Array.from({ length: 20 }, () => sql("select n from t")));
        const values = results.map((result) => result.rows[0]?.n);
        assert.equal(new Set(values).size, 1);
        seen.add(values[0]);
      }
    } finally {
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
    }
    assert.ok(seen.size >= 100, `${seen.size} states seen: the writer did not run beside`);
  }));

Deno.test("two processes that write to one file lose nothing", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (who text, n integer)"), sql("create table c (n integer)")]);
    await db.write([sql("insert into c values (0)")]);
    const code = `import { openFile } from "${projectRoot}src/platform/database/file.ts";
      const db = openFile(${JSON.stringify(path)});
      await Promise.all([0, 1, 2, 3].map(async (lane) => {
        for (let i = 0; i < 200; i++) {
          await db.write([{ sql: "insert into t values (?, ?)", args: [Deno.env.get("WHO"), lane * 1000 + i] },
            { sql: "update c set n = n + 1", args: [] }]);
        }
      }));
      await db.close();`;
    const runs = await Promise.all(["a", "b"].map((who) => runCommand(["eval", code], { WHO: who })));
    assert.deepEqual(runs.map((run) => [run.code, run.stderr]), [[0, ""], [0, ""]]);
    const [rows, counter] = await db.read([
      sql("select who, count(distinct n) as n from t group by who order by who"),
      sql("select n from c"),
    ]);
    assert.deepEqual(rows?.rows, [{ who: "a", n: 800 }, { who: "b", n: 800 }]);
    assert.deepEqual(counter?.rows, [{ n: 1600 }]);
  }));

Deno.test("closing waits for running writes and leaves one file", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`);
    const writing = db.write([sql("create table t (n integer)")]);
    await db.close();
    await writing;
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["crm.db"]);
    const again = openFile(`${folder}/crm.db`);
    assert.deepEqual(await numbers(again), []);
    await again.close();
  }));

Deno.test("a copy is one snapshot while the database is written", () =>
  withFile(async (db, path) => {
    await db.write([sql("create table t (n integer)"), sql("create table u (n integer)")]);
    // A copy of few rows may be done before the second write.
    let during = 0;
    for (let rows = 20_000; during < 2; rows *= 2) {
      assert.ok(rows < 1_000_000, "nothing was written meanwhile");
      await db.write([
        sql("insert into t select value from json_each(?)", JSON.stringify([...Array(rows).keys()])),
        sql("delete from u"),
      ]);
      await db.write([sql("insert into u select n from t")]);
      await rm(`${path}.copy`, { force: true });
      let copied = false;
      const copy = db.backupTo(`${path}.copy`).finally(() => copied = true);
      for (during = 0; !copied; during++) {
        await db.write([sql("insert into t values (-1)"), sql("insert into u values (-1)")]);
      }
      await copy;
    }
    const there = openFile(`${path}.copy`);
    const [state] = await there.read([
      sql(
        "select (select count(*) from t) as t, (select count(*) from u) as u, integrity_check from pragma_integrity_check",
      ),
    ]);
    await there.close();
    const row = state?.rows[0];
    assert.ok(row && row.t === row.u && Number(row.t) >= 20000);
    assert.equal(row.integrity_check, "ok");
    await assert.rejects(db.backupTo("/nowhere/at/all.db"));
  }));

Deno.test("a limited number of statements is kept, and a dropped one runs again", () =>
  withFile(async (db) => {
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 20; n++) {
        const [found] = await db.read([sql(`select ${n} as n`)]);
        assert.deepEqual(found?.rows, [{ n }]);
      }
    }
  }, { kept: 3 }));
