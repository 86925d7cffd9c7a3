import assert from "node:assert/strict";
import {
  DatabaseUnavailable,
  ReadTooMuch,
  type Statement,
  type ThreadedRead,
} from "../../../src/platform/database/database.ts";
import { openFile } from "../../../src/platform/database/file.ts";
import { inFolder } from "../../support/engines.ts";

const few: ThreadedRead = { effort: "few", company: 1 };
const scan: ThreadedRead = { effort: "scan", company: 1 };

const one: Statement = { sql: "select 1 as n", args: [] };

/** Counts longer than everything else takes. */
function counting(to: number): Statement {
  return {
    sql:
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select count(*) as n from n",
    args: [to],
  };
}

Deno.test("a read in another thread delays neither reads and writes nor reads of a small effort", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/a.db`, { deadline: 60_000 });
    await db.script("create table t (n integer)");
    await Promise.all([db.readOnThread([one], few), db.readOnThread([one], scan)]);
    const order: string[] = [];
    const recordAs = (name: string) => () => order.push(name);
    const scanned = db.readOnThread([counting(2_000_000)], scan).then(recordAs("scan"));
    await Promise.all([
      db.read([one]).then(recordAs("read")),
      db.write([{ sql: "insert into t values (1)", args: [] }]).then(recordAs("write")),
      db.readOnThread([one], few).then(recordAs("few")),
      db.readOnThread([one], few).then(recordAs("few")),
    ]);
    await scanned;
    assert.equal(order.length, 5);
    assert.equal(order.at(-1), "scan");
    await db.close();
  }));

Deno.test({
  name: "an idle thread takes reads of any effort, and another starts only while it is busy",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder(async (folder) => {
      const db = openFile(`${folder}/a.db`);
      const alone = connections(`${folder}/a.db`);
      for (const how of [scan, few, scan, few]) await db.readOnThread([one], how);
      assert.equal(connections(`${folder}/a.db`) - alone, 1);
      await Promise.all([scan, few].map((how) => db.readOnThread([one], how)));
      assert.equal(connections(`${folder}/a.db`) - alone, 2);
      await db.close();
    }),
});

/** How often this process has the file open: each thread has a connection of its own. */
function connections(path: string): number {
  const targets = [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return null;
    }
  });
  return targets.filter((target) => target === path).length;
}

Deno.test("a read in another thread sees all earlier writes in one snapshot", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/a.db`);
    await db.script("create table t (n integer)");
    for (let n = 1; n <= 20; n++) {
      await db.write([{ sql: "insert into t values (?)", args: [n] }]);
      const count: Statement = { sql: "select count(*) as n from t", args: [] };
      const [first, second] = await db.readOnThread([count, count], n % 2 ? few : scan);
      assert.deepEqual([first!.rows[0]!.n, second!.rows[0]!.n], [n, n]);
    }
    await db.close();
  }));

Deno.test("a read in another thread may not write, and a refused one does not harm later ones", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/a.db`);
    await db.script("create table t (n integer)");
    await assert.rejects(
      db.readOnThread([{ sql: "insert into t values (1)", args: [] }], few),
      /may not write/,
    );
    await assert.rejects(
      db.readOnThread([one, { sql: "select n from nowhere", args: [] }], few),
      /no such/,
    );
    const [found] = await db.readOnThread([{ sql: "select count(*) as n from t", args: [] }], few);
    assert.equal(found!.rows[0]!.n, 0);
    await db.close();
  }));

Deno.test("reads running at the close of a database fail as unavailable", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/a.db`, { patience: 0 });
    await db.readOnThread([one], scan);
    const left = assert.rejects(db.readOnThread([counting(50_000_000)], scan), DatabaseUnavailable);
    await db.close();
    await left;
    await assert.rejects(db.readOnThread([one], few), DatabaseUnavailable);
  }));

Deno.test("a read ends after the statement with which its rows have too many characters", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/much.db`);
    try {
      const rows = {
        sql:
          "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) select 'ten signs.' as text from n",
        args: [],
      };
      const endless = {
        sql: "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
        args: [],
      };
      const read = (most: number, ...more: Statement[]) =>
        db.readOnThread([rows, rows, ...more], { ...scan, most });
      assert.equal((await read(2_000)).length, 2);
      await assert.rejects(read(1_999, endless), ReadTooMuch);
    } finally {
      await db.close();
    }
  }));
