/** How write batches share commits. */
import assert from "node:assert/strict";
import { connect } from "../../../src/platform/database/connection.ts";
import { groupCommits } from "../../../src/platform/database/group_commit.ts";
import { keepStatements } from "../../../src/platform/database/kept_statements.ts";
import { inFolder } from "../../support/engines.ts";
import { stopTime } from "../../support/still_time.ts";

Deno.test("each batch of a shared commit is reported with the time of its own statements alone", () =>
  inFolder(async (folder) => {
    const connection = connect(`${folder}/crm.db`);
    connection.exec("create table notes (ms integer)");
    using time = stopTime();
    connection.function("take", (ms) => {
      time.pass(Number(ms));
      return ms;
    });
    const group = groupCommits(connection, keepStatements(connection, 10), {
      patience: 1_000,
      longCommit: 20,
    });
    const note = (ms: number) => ({ sql: "insert into notes values (take(?))", args: [ms] });
    const refused = { sql: "insert into nowhere values (take(1))", args: [] };
    const ran: [batch: string, ms: number][] = [];
    const write = (name: string, ...statements: Parameters<typeof group.write>[0]) =>
      group.write(statements, (ms) => ran.push([name, ms]));
    await Promise.all([write("one", { ...note(7), late: true }, note(10)), write("two", note(3), note(2))]);
    assert.equal(group.spent.commits, 1);
    assert.deepEqual(ran, [["one", 17], ["two", 5]]);
    ran.length = 0;
    // All run again, with savepoints, after one has failed.
    await Promise.all([write("three", note(4)), assert.rejects(write("bad", note(1), refused))]);
    assert.deepEqual(ran, [["three", 4]]);
    connection.close();
  }));
