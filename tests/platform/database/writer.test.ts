/** In a busy process a separate thread writes. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import {
  DatabaseUnavailable,
  guardChanged,
  GuardRefused,
  NotUnique,
  ReferenceGone,
  type Statement,
  type Value,
} from "../../../src/platform/database/database.ts";
import { type FileDatabase, type FileOptions, openFile } from "../../../src/platform/database/file.ts";
import { inFolder } from "../../support/engines.ts";

const sql = (text: string, ...args: Value[]): Statement => ({ sql: text, args });

const withFile = (options: FileOptions, test: (db: FileDatabase, path: string) => Promise<void>) =>
  inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const db = openFile(path, options);
    await db.write([sql("create table t (n integer primary key, text text)")]);
    try {
      await test(db, path);
    } finally {
      await db.close();
    }
  });

const beside = { busyCommits: 0 };
const numbers = async (db: FileDatabase) =>
  (await db.read([sql("select n from t order by n")]))[0]!.rows.map(({ n }) => n);

Deno.test("a thread takes over after many busy commits, and every write is made once", () =>
  withFile({ busyCommits: 3, longCommit: Infinity }, async (db) => {
    await db.write([sql("insert into t values (0, '0')")]);
    const each = async (_: unknown, of: number) => {
      for (let i = 0; i < 50; i++) {
        await db.write([
          sql("update t set text = text + 1 where n = 0"),
          sql("insert into t values (?, 'x')", 1 + of * 50 + i),
        ]);
      }
    };
    await Promise.all(Array.from({ length: 16 }, each));
    // The table, the first write and some shared ones; the thread made the rest.
    assert.ok(db.commits() >= 5 && db.commits() < 40, `${db.commits()} commits`);
    const [counted] = await db.read([sql("select text from t where n = 0")]);
    assert.equal(counted!.rows[0]!.text, "800");
    assert.equal((await numbers(db)).length, 801);
  }));

Deno.test("few sequential writes need no thread", () =>
  withFile({ busyCommits: 3, longCommit: Infinity }, async (db) => {
    for (let n = 0; n < 100; n++) await db.write([sql("insert into t values (?, 'x')", n)]);
    assert.equal(db.commits(), 101);
  }));

Deno.test("a thread also takes over after some long commits", () =>
  withFile({ busyCommits: 3, longCommit: 0 }, async (db) => {
    for (let n = 0; n < 100; n++) await db.write([sql("insert into t values (?, 'x')", n)]);
    assert.equal(db.commits(), 3);
    assert.equal((await numbers(db)).length, 100);
  }));

Deno.test("a thread's write is readable right after its answer, with values and changes", () =>
  withFile(beside, async (db) => {
    const bytes = new Uint8Array([0, 1, 255]);
    const [inserted, returned] = await db.write([
      sql("insert into t values (7, ?)", "ä😀"),
      sql("insert into t values (8, ?) returning n, text", bytes),
    ]);
    assert.deepEqual(inserted, { rows: [], changes: 1 });
    assert.deepEqual(returned, { rows: [{ n: 8, text: bytes }], changes: 1 });
    const [read] = await db.read([sql("select * from t order by n")]);
    assert.deepEqual(read!.rows, [{ n: 7, text: "ä😀" }, { n: 8, text: bytes }]);
    assert.equal(db.commits(), 0);
  }));

for (const [name, options] of [["the thread", beside], ["the process", {}]] as const) {
  Deno.test(`before a write resolves, ${name} reports how long its statements ran`, () =>
    withFile(options, async (db) => {
      const ran: number[] = [];
      const write = db.write([sql("insert into t values (1, 'x')")], (ms) => ran.push(ms));
      await write.then(() => assert.equal(ran.length, 1));
      assert.ok(ran[0]! > 0, `${ran}`);
      await assert.rejects(db.write([sql("insert into nowhere values (1)")], (ms) => ran.push(ms)));
      assert.equal(ran.length, 1);
    }));
}

Deno.test("a batch refused by a thread is undone completely, with the same error as elsewhere", () =>
  withFile(beside, async (db) => {
    await db.write([
      sql("create table child (n integer references t(n))"),
      sql("insert into t values (1, 'x')"),
    ]);
    const insert = sql("insert into t values (2, 'x')");
    const writeRefused = async (...statements: Statement[]) => {
      const error = await db.write([insert, ...statements]).then(() => null, (error: unknown) => error);
      assert.deepEqual(await numbers(db), [1]);
      return error;
    };
    const guard = await writeRefused(sql("update t set n = 3 where n = 9"), guardChanged("gone"));
    assert.ok(guard instanceof GuardRefused && guard.guard === "gone", String(guard));
    const unique = await writeRefused(sql("insert into t values (1, 'y')"));
    assert.ok(unique instanceof NotUnique && unique.columns === "t.n", String(unique));
    assert.ok(await writeRefused(sql("insert into child values (5)")) instanceof ReferenceGone);
    assert.match(String(await writeRefused(sql("insert into nowhere values (1)"))), /no such table: nowhere/);
    await db.write([insert]);
    assert.deepEqual(await numbers(db), [1, 2]);
  }));

Deno.test("a locked out thread waits, gives up after its limit, and writes again afterwards", () =>
  withFile({ ...beside, patience: 300 }, async (db, path) => {
    await db.write([sql("insert into t values (1, 'x')")]);
    using other = new DatabaseSync(path);
    const insert = (n: number) => db.write([sql("insert into t values (?, 'x')", n)]);
    other.exec("begin immediate");
    await assert.rejects(insert(2), DatabaseUnavailable);
    const patient = insert(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    other.exec("rollback");
    await patient;
    assert.deepEqual(await numbers(db), [1, 3]);
  }));

Deno.test("closing waits for a thread's writes and refuses later ones", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`, beside);
    await db.write([sql("create table t (n integer primary key)")]);
    const writes = Array.from({ length: 200 }, (_, n) => db.write([sql("insert into t values (?)", n)]));
    const closing = db.close();
    await assert.rejects(db.write([sql("insert into t values (1000)")]), DatabaseUnavailable);
    await Promise.all(writes);
    await closing;
    const again = openFile(`${folder}/crm.db`);
    assert.equal((await numbers(again)).length, 200);
    await again.close();
  }));

Deno.test("reads are answered during a long write of a thread", () =>
  withFile(beside, async (db) => {
    const long = db.write([
      sql(
        "insert into t with recursive c (n) as (select 1 union all select n + 1 from c where n < 400000) " +
          "select n, 'x' from c",
      ),
    ]);
    let reads = 0;
    let writing = true;
    const done = long.finally(() => writing = false);
    while (writing) {
      const [counted] = await db.read([sql("select count(*) as n from t")]);
      if (counted!.rows[0]!.n !== 0) break;
      reads++;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await done;
    assert.equal((await numbers(db)).length, 400_000);
    assert.ok(reads > 5, `${reads} reads`);
  }));

Deno.test("the thread runs each statement with its own values, late ones last, and returns each one's rows", () =>
  withFile(beside, async (db) => {
    const add = (n: number, text: Value) => sql("insert into t values (?, ?) returning n, text", n, text);
    const results = await db.write([
      add(1, "one"),
      { ...sql("update t set text = 'late' where n < 3"), late: true },
      sql("update t set text = upper(text)"),
      add(2, new Uint8Array([0, 255])),
      sql("delete from t where n = ?", 9),
      add(3, null),
      sql("select count(*) as n from t"),
    ]);
    assert.deepEqual(results, [
      { rows: [{ n: 1, text: "one" }], changes: 1 },
      { rows: [], changes: 2 },
      { rows: [], changes: 1 },
      { rows: [{ n: 2, text: new Uint8Array([0, 255]) }], changes: 1 },
      { rows: [], changes: 0 },
      { rows: [{ n: 3, text: null }], changes: 1 },
      { rows: [{ n: 3 }], changes: 0 },
    ]);
    const [after] = await db.read([sql("select text from t order by n")]);
    assert.deepEqual(after!.rows.map(({ text }) => text), ["late", "late", null]);
  }));
