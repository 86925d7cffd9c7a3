/** The contract of every driver. */

import assert from "node:assert/strict";
import {
  type Database,
  guardChanged,
  GuardRefused,
  guardThat,
  NotUnique,
  ReferenceGone,
  type Statement,
  type Value,
} from "../../../src/platform/database/database.ts";
import { onEachEngine } from "../../support/engines.ts";

const schema = [
  "create table teams (id integer primary key autoincrement, name text not null unique)",
  `create table users (id text primary key, email text, team_id integer references teams(id), n integer,
     weight real, photo blob, unique (team_id, email))`,
];

const sql = (text: string, ...args: Value[]): Statement => ({ sql: text, args });

async function readRows(db: Database, text: string, ...args: Value[]) {
  const [result] = await db.read([sql(text, ...args)]);
  return result?.rows;
}

onEachEngine("rows are plain objects by column name, one result per statement", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await db.write([sql("insert into teams (name) values (?), (?)", "North", "South")]);
  const results = await db.read([
    sql("select id, name from teams order by id"),
    sql("select count(*) as n from users"),
  ]);
  assert.deepEqual(results, [
    { rows: [{ id: 1, name: "North" }, { id: 2, name: "South" }], changes: 0 },
    { rows: [{ n: 0 }], changes: 0 },
  ]);
});

onEachEngine("no statements are no work", async ({ db }) => {
  assert.deepEqual(await db.read([]), []);
  assert.deepEqual(await db.write([]), []);
});

onEachEngine("values return unchanged", async ({ db }) => {
  const photo = new Uint8Array([0, 1, 254, 255]);
  const values: Value[] = [
    null,
    "",
    "é 'quoted' 🙂",
    0,
    -1,
    2 ** 40,
    Number.MAX_SAFE_INTEGER,
    1.5,
    1e300,
    photo,
  ];
  for (const value of values) assert.deepEqual(await readRows(db, "select ? as v", value), [{ v: value }]);
});

onEachEngine("whole numbers are integers to SQLite, others are not", async ({ db }) => {
  const row = await readRows(
    db,
    "select typeof(?) as a, typeof(?) as b, ? || '' as c, json_array(?) as d",
    5,
    5.5,
    5,
    5,
  );
  assert.deepEqual(row, [{ a: "integer", b: "real", c: "5", d: "[5]" }]);
});

onEachEngine("NaN and infinities are refused", async ({ db }) => {
  await assert.rejects(db.read([sql("select ?", NaN)]), RangeError);
  await assert.rejects(db.write([sql("select ?", Infinity)]), RangeError);
});

onEachEngine(
  "changes counts the rows of inserts, updates, upserts and deletes, also when they return rows",
  async ({ db }) => {
    await db.write(schema.map((text) => sql(text)));
    const upsert =
      "insert into teams (name) values (?) on conflict (name) do update set name = excluded.name";
    const results = await db.write([
      sql("insert into teams (name) values ('a'), ('b'), ('c') returning id"),
      sql("update teams set name = name || '!' where id > 1"),
      sql("update teams set name = 'z' where id = 99 returning id"),
      sql(upsert, "a"),
      sql("insert into teams (name) values ('a') on conflict (name) do nothing"),
      sql("select changes() as n"),
      sql("delete from teams where id = 1 returning name"),
    ]);
    assert.deepEqual(results.map((result) => result.changes), [3, 2, 0, 1, 0, 0, 1]);
    assert.deepEqual(results[0]?.rows, [{ id: 1 }, { id: 2 }, { id: 3 }]);
    assert.deepEqual(results[5]?.rows, [{ n: 0 }]);
    assert.deepEqual(results[6]?.rows, [{ name: "a" }]);
  },
);

onEachEngine("a write that fails keeps nothing of its batch", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  const batch = [sql("insert into teams (name) values ('a')"), sql("insert into nowhere values (1)")];
  await assert.rejects(db.write(batch), /no such table: nowhere/);
  assert.deepEqual(await readRows(db, "select name from teams"), []);
});

onEachEngine("a guard refuses by its name when the statement before it changed no row", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await db.write([sql("insert into teams (name) values ('a')")]);
  const change = sql("update teams set name = 'b' where name = ?", "a");
  await db.write([change, guardChanged("team_state")]);
  await assert.rejects(
    db.write([sql("insert into teams (name) values ('c')"), change, guardChanged("team_state")]),
    (error) => error instanceof GuardRefused && error.guard === "team_state",
  );
  assert.deepEqual(await readRows(db, "select name from teams"), [{ name: "b" }]);
});

onEachEngine("a guard refuses by its name unless its condition holds", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  const guard = guardThat("no_team", { sql: "exists (select 1 from teams where name = ?)", args: ["a"] });
  await assert.rejects(
    db.write([guard]),
    (error) => error instanceof GuardRefused && error.guard === "no_team",
  );
  await db.write([sql("insert into teams (name) values ('a')"), guard]);
});

onEachEngine("a statement that runs again returns its rows under any column names", async ({ db }) => {
  const text = `select ? as "a b", null as "it's", 'x' as "q""uote", 2.5 as "\\n", 1 as "return"`;
  for (const value of ["first", null, 3, "fourth"]) {
    assert.deepEqual(await readRows(db, text, value), [
      { "a b": value, "it's": null, 'q"uote': "x", "\\n": 2.5, return: 1 },
    ]);
  }
});

onEachEngine("a unique index or a primary key refuses with its columns", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await db.write([sql("create unique index by_fold on users (lower(email))")]);
  await db.write([
    sql("insert into teams (name) values ('a')"),
    sql("insert into users (id, email, team_id) values ('1', 'e', 1)"),
  ]);
  const refuses = (text: string, columns: string) =>
    assert.rejects(db.write([sql(text)]), (error) => error instanceof NotUnique && error.columns === columns);
  await refuses("insert into teams (name) values ('a')", "teams.name");
  await refuses("insert into teams (id, name) values (1, 'b')", "teams.id");
  await refuses("insert into users (id) values ('1')", "users.id");
  await refuses("insert into users (id, email) values ('2', 'E')", "index 'by_fold'");
  await db.write([sql("drop index by_fold")]);
  await refuses("insert into users (id, email, team_id) values ('2', 'e', 1)", "users.team_id, users.email");
});

onEachEngine("a reference to a missing row is refused", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await assert.rejects(db.write([sql("insert into users (id, team_id) values ('1', 9)")]), ReferenceGone);
  await db.write([
    sql("insert into teams (name) values ('a')"),
    sql("insert into users (id, team_id) values ('1', 1)"),
  ]);
  await assert.rejects(db.write([sql("delete from teams")]), ReferenceGone);
});

onEachEngine("a read may not write", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await assert.rejects(db.read([sql("insert into teams (name) values ('a')")]));
  await assert.rejects(db.read([sql("select 1"), sql("insert into teams (name) values ('a') returning id")]));
  assert.deepEqual(await readRows(db, "select name from teams"), []);
  await db.write([sql("insert into teams (name) values ('a')")]);
});

onEachEngine("a list is one bound value", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  await db.write([
    sql("insert into teams (name) select value from json_each(?)", JSON.stringify(["a", "b", "c"])),
  ]);
  const text = "select id from teams where name in (select value from json_each(?)) order by id";
  assert.deepEqual(await readRows(db, text, JSON.stringify(["c", "a", "x"])), [{ id: 1 }, { id: 3 }]);
});

onEachEngine("a batch may be large", async ({ db }) => {
  await db.write(schema.map((text) => sql(text)));
  const many = Array.from(
    { length: 2000 },
    (_, i) => sql("insert into teams (name) values (?)", `team ${i}`),
  );
  const results = await db.write(many);
  assert.equal(results.length, 2000);
  assert.deepEqual(await readRows(db, "select count(*) as n, max(id) as last from teams"), [{
    n: 2000,
    last: 2000,
  }]);
});

onEachEngine("writes at the same moment all happen", async ({ db }) => {
  await db.write([sql("create table counters (n integer)"), sql("insert into counters values (0)")]);
  await Promise.all(Array.from({ length: 100 }, () => db.write([sql("update counters set n = n + 1")])));
  assert.deepEqual(await readRows(db, "select n from counters"), [{ n: 100 }]);
});

onEachEngine(
  "a column added by another connection appears in the next result of the same statement",
  async ({ db }) => {
    await db.write(schema.map((text) => sql(text)));
    await db.write([sql("insert into teams (name) values ('a')")]);
    assert.deepEqual(await readRows(db, "select * from teams"), [{ id: 1, name: "a" }]);
    await db.script("alter table teams add column colour text default 'red'");
    assert.deepEqual(await readRows(db, "select * from teams"), [{ id: 1, name: "a", colour: "red" }]);
  },
);

onEachEngine(
  "a script runs completely with its triggers, and one that fails in its transaction leaves nothing",
  async ({ db }) => {
    await db.script(`
    create table a (n integer); create table b (n integer);
    create trigger copy after insert on a begin insert into b values (new.n); insert into b values (-new.n); end;
    insert into a values (7);`);
    assert.deepEqual(await readRows(db, "select n from b order by n"), [{ n: -7 }, { n: 7 }]);
    await assert.rejects(
      db.script("begin; delete from b; insert into nowhere values (1); commit"),
      /nowhere/,
    );
    assert.deepEqual(await readRows(db, "select count(*) as n from b"), [{ n: 2 }]);
    await db.write([sql("delete from b")]);
  },
);
