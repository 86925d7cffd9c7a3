/** The libSQL server of tests treats locks and departed clients as Turso does. */
import assert from "node:assert/strict";
import Libsql from "libsql";
import { inFolder } from "./engines.ts";
import { Stream } from "./hrana_stream.ts";

Deno.test("a connection that was refused a lock commits once the lock is free", () =>
  inFolder((folder) => {
    const path = `${folder}/crm.db`;
    const other = new Libsql(path);
    const stream = new Stream(path);
    const failures: unknown[] = [];
    const execute = (sql: string) => {
      const answer = JSON.stringify(stream.answer({ type: "execute", stmt: { sql } }));
      if (answer.includes('"error"')) failures.push(`${sql}: ${answer}`);
    };
    other.exec("create table t (n integer); begin immediate");
    execute("begin immediate");
    assert.match(failures.splice(0).join(), /^begin immediate: .*database is locked/);
    other.exec("commit");
    for (const sql of ["begin immediate", "insert into t values (1)", "commit"]) execute(sql);
    assert.deepEqual(failures, []);
    stream.end();
    other.close();
    return Promise.resolve();
  }));
