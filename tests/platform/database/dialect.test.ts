/** SQL that must mean the same on both engines. */

import assert from "node:assert/strict";
import type { Statement, Value } from "../../../src/platform/database/database.ts";
import { onEachEngine } from "../../support/engines.ts";

const sql = (text: string, ...args: Value[]): Statement => ({ sql: text, args });

onEachEngine("changes() after an upsert counts an insert, an update and a refusal", async ({ db }) => {
  await db.write([sql("create table t (k text primary key, n integer)")]);
  const upsert =
    `insert into t values ('a', ?) on conflict (k) do update set n = excluded.n where excluded.n > t.n`;
  const results = await db.write([1, 2, 1].flatMap((n) => [sql(upsert, n), sql("select changes() as n")]));
  assert.deepEqual([1, 3, 5].map((i) => results[i]?.rows[0]?.n), [1, 1, 0]);
});

onEachEngine(
  "changes() after a statement that returns rows, and not those of its triggers",
  async ({ db }) => {
    await db.write([
      sql("create table t (n integer)"),
      sql("create table log (n integer)"),
      sql("create trigger tt after insert on t begin insert into log values (new.n), (new.n), (new.n); end"),
      sql("create trigger tu after update on t begin delete from log; end"),
    ]);
    const results = await db.write([
      sql("insert into t values (1), (2) returning n"),
      sql("select changes() as n"),
      sql("update t set n = 3 where n = 9"),
      sql("select changes() as n"),
      sql("update t set n = 3 where n = 1"),
      sql("select changes() as n"),
      sql("select count(*) as n from log"),
      sql("select changes() as n"),
    ]);
    assert.deepEqual([1, 3, 5, 6, 7].map((i) => results[i]?.rows[0]?.n), [2, 0, 1, 0, 1]);
    assert.deepEqual([0, 2, 4].map((i) => results[i]?.changes), [2, 0, 1]);
  },
);

onEachEngine("a correlated subquery with a limit may be inside in", async ({ db }) => {
  await db.write([
    sql("create table teams (id integer primary key)"),
    sql("create table users (id integer primary key, team_id integer, n integer)"),
    sql("insert into teams values (1), (2)"),
    sql("insert into users values (1, 1, 5), (2, 1, 9), (3, 1, 7), (4, 2, 1)"),
  ]);
  const [result] = await db.read([sql(`select t.id as team, u.id as user from teams t join users u
    on u.id in (select x.id from users x where x.team_id = t.id order by x.n desc limit 2) order by 1, 2`)]);
  assert.deepEqual(result?.rows, [{ team: 1, user: 2 }, { team: 1, user: 3 }, { team: 2, user: 4 }]);
});

onEachEngine("a full-text index without content can be changed and deleted from", async ({ db }) => {
  await db.write([
    sql("create virtual table f using fts5(words, content='', contentless_delete=1, tokenize='unicode61')"),
    sql("insert into f (rowid, words) values (1, 'anna north'), (2, 'bert north')"),
  ]);
  await db.write([
    sql("delete from f where rowid = 1"),
    sql("insert or replace into f (rowid, words) values (2, 'carl')"),
  ]);
  const [gone, kept] = await db.read(
    ["north", "car*"].map((words) => sql("select rowid as id from f where f match ?", words)),
  );
  assert.deepEqual([gone?.rows, kept?.rows], [[], [{ id: 2 }]]);
});

onEachEngine("the sequence of a table has the new id inside its batch", async ({ db }) => {
  await db.write([
    sql("create table t (id integer primary key autoincrement, name text)"),
    sql("create table other (id integer primary key autoincrement)"),
    sql("create table events (body text)"),
    sql("insert into t (id, name) values (41, 'x')"),
  ]);
  const id = "(select seq from sqlite_sequence where name = 't')";
  const results = await db.write([
    sql("insert into t (name) values ('y')"),
    sql("insert into other default values"),
    sql(`insert into events values (json_set(?, '$.id', ${id}))`, JSON.stringify({ name: "y", id: 0 })),
    sql(
      `insert into events values (json_set(?, '$.id', ${id}, '$.tags', json(?))) returning body`,
      "{}",
      "[1]",
    ),
    sql(`select id, name from t where id = ${id}`),
  ]);
  assert.deepEqual(results[4]?.rows, [{ id: 42, name: "y" }]);
  assert.deepEqual(results[3]?.rows, [{ body: '{"id":42,"tags":[1]}' }]);
  const [events] = await db.read([sql("select body from events order by rowid limit 1")]);
  assert.deepEqual(events?.rows, [{ body: '{"name":"y","id":42}' }]);
});
