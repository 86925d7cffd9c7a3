/** A read in another thread has a deadline that ends its statement and those waiting behind it. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import {
  DatabaseUnavailable,
  type ThreadedRead,
  TookTooLong,
} from "../../../src/platform/database/database.ts";
import { type FileDatabase, openFile } from "../../../src/platform/database/file.ts";
import { addTicks } from "../../../src/platform/database/row_ticks.ts";
import { newFolder } from "../../support/temporary.ts";
import { measureUntilGood } from "../../support/measured.ts";

const few: ThreadedRead = { effort: "few", company: 1 };
const scan: ThreadedRead = { effort: "scan", company: 1 };

const sql = (text: string) => ({ sql: text, args: [] });

async function withRows(rows: number, deadline: number, check: (db: FileDatabase) => Promise<void>) {
  const folder = newFolder("deadline-");
  const db = openFile(`${folder}/a.db`, { deadline });
  try {
    await db.script(`
      create table t (n integer primary key, word text);
      create table beside (n integer primary key);
      create virtual table texts using fts5(word, content='', tokenize='trigram');
      with recursive up(n) as (select 1 union all select n + 1 from up where n < ${rows})
        insert into t select n, 'word ' || n from up;
      insert into texts (rowid, word) select n, word from t;
      insert into beside values (1);
    `);
    await check(db);
  } finally {
    await db.close();
    rmSync(folder, { recursive: true });
  }
}

/** Each would run for minutes. */
const endless: Readonly<Record<string, string>> = {
  join: "select count(*) as n from t a cross join t b where a.word || b.word = ''",
  sort: "select a.n from t a cross join t b where a.n <> b.n order by a.word || b.word limit 1",
  exists: "select count(*) as n from t a where not exists (select 1 from t b where a.word || b.word = '')",
  union: "select n from t where word = '' union all select a.n from t a, t b where a.word > b.word || '~~'",
  table:
    "with found(n) as materialized (select a.n from t a join t b on a.n <> b.n where a.word <> b.word) " +
    "select count(*) as n from found",
  "full text":
    "select count(*) as n from beside cross join t a cross join (select rowid as n from texts where texts match 'wor') b " +
    "where a.word || b.n = ''",
};

/** Reads until the thread answers, which takes longer on a busy machine. */
async function answers(db: FileDatabase): Promise<void> {
  for (const started = performance.now();;) {
    try {
      const [found] = await db.readOnThread([sql("select count(*) as n from beside")], scan);
      assert.deepEqual(found!.rows, [{ n: 1 }]);
      return;
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      assert.ok(performance.now() - started < 10_000, "the statement still runs");
    }
  }
}

for (const [name, text] of Object.entries(endless)) {
  Deno.test(`a read that takes too long is ended and its thread continues: ${name}`, () =>
    withRows(20_000, 100, async (db) => {
      await answers(db);
      await assert.rejects(db.readOnThread([sql(text)], scan), TookTooLong);
      await answers(db);
    }));
}

Deno.test("a read that waits behind a long one ends by its own deadline", () =>
  withRows(20_000, 100, async (db) => {
    await answers(db);
    const reading = async () => {
      const started = performance.now();
      const reads = Array.from({ length: 100 }, () => db.readOnThread([sql(endless.join!)], scan));
      for (const outcome of await Promise.allSettled(reads)) {
        assert.ok(outcome.status === "rejected" && outcome.reason instanceof DatabaseUnavailable);
      }
      return performance.now() - started;
    };
    // In sequence they would take 10 s.
    const soon = (took: number) => took < 5_000;
    assert.ok(soon(await measureUntilGood(reading, soon)));
    await answers(db);
  }));

Deno.test("long scans of one company do not delay another company", () =>
  withRows(20_000, 1_500, async (db) => {
    await answers(db);
    let over = 0;
    const slow = Array.from(
      { length: 6 },
      () => assert.rejects(db.readOnThread([sql(endless.join!)], scan), TookTooLong).then(() => over++),
    );
    for (let n = 0; n < 3; n++) {
      const [found] = await db.readOnThread([sql("select 1 as n")], { effort: "scan", company: 2 });
      assert.deepEqual(found!.rows, [{ n: 1 }]);
    }
    assert.equal(over, 0);
    await Promise.all(slow);
  }));

Deno.test("a full-text query that begins after its deadline does not begin", () =>
  withRows(10, 10_000, async (db) => {
    const given = "select rowid as n from texts where texts match ?";
    const [found] = await db.readOnThread([{ sql: given, args: ["wor"] }], few);
    assert.equal(found!.rows.length, 10);
    assert.match(addTicks(given, () => true), /match iif\(json_extract\(.*tick.*\) is not null, \?, null\)/);
  }));

Deno.test("a batch with one costly statement runs in another thread as a whole", () =>
  withRows(20_000, 100, async (db) => {
    const long = { ...sql(endless.join!), threaded: scan };
    await assert.rejects(db.read([sql("select 1 as one"), long]), TookTooLong);
    let answered = false;
    const reading = assert.rejects(db.read([long]), TookTooLong).then(() => answered = true);
    await db.read([sql("select 1 as one")]);
    assert.equal(answered, false);
    await reading;
  }));

Deno.test("terms that end a statement are added for its tables only", () => {
  const has = (table: string) => ["t", "u"].includes(table);
  const term = (alias: string) =>
    `likelihood((${alias}.rowid & 63) <> 0 or json_extract('{}', tick()) is not null, 1.0) and `;
  const cases: [string, string][] = [
    ["select 1", "select 1"],
    ["select 1 from t", "select 1 from t"],
    ["select 1 from t where a or b", `select 1 from t where ${term("t")}( a or b)`],
    [
      "select 1 from t x where 'where' = \"from\" order by 1",
      `select 1 from t x where ${term("x")}( 'where' = "from") order by 1`,
    ],
    [
      "select 1 from t as x left join u on u.n = x.n where x.n > 1 group by 1",
      `select 1 from t as x left join u on u.n = x.n where ${term("x")}( x.n > 1) group by 1`,
    ],
    [
      "select 1 where 1 in (select n from t where lower(n) = 'a' and upper(n) = 'A')",
      `select 1 where 1 in (select n from t where ${term("t")}( lower(n) = 'a' and upper(n) = 'A'))`,
    ],
    [
      "with t(n) as (select n from u where n) select 1 from t where n in (select n from u where n)",
      `with t(n) as (select n from u where ${term("u")}( n)) select 1 from t where n in ` +
      `(select n from u where ${term("u")}( n))`,
    ],
    [
      "select count(*) filter (where a) from t, json_each(?) j where a",
      `select count(*) filter (where a) from t, json_each(?) j where ${term("t")}( a)`,
    ],
    [
      "select 1 from t indexed by i where a union all select 2 from u where b limit 1",
      `select 1 from t indexed by i where ${term("t")}( a) union all select 2 from u ` +
      `where ${term("u")}( b) limit 1`,
    ],
  ];
  for (const [given, wanted] of cases) assert.equal(addTicks(given, has), wanted);
});
