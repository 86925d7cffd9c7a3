/** The job that indexes texts: killed, and running beside a second one. */
import assert from "node:assert/strict";
import { type FileDatabase, openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { runOfTests } from "../support/process.ts";
import { copyTemplate } from "../support/template.ts";
import { countIndexed, findContacts, indexAll, insertCompany } from "./texts_world.ts";

const many = 3_000;
const names = Array.from({ length: many }, (_, i) => i % 10 === 0 ? `Berg ${i}` : `Sommer ${i}`);
const expected = names.flatMap((name, i) => name.startsWith("Berg") ? [i + 1] : []);

function withMany(test: (path: string, db: FileDatabase) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    await copyTemplate(path);
    await using stack = new AsyncDisposableStack();
    const db = openFile(path);
    stack.defer(() => db.close());
    await insertCompany(db, 1, names);
    await test(path, db);
  });
}

Deno.test("two jobs at once index every row once, and filters find the same meanwhile", () =>
  withMany(async (path, db) => {
    await using stack = new AsyncDisposableStack();
    const other = openFile(path);
    stack.defer(() => other.close());
    const both = Promise.all([indexAll(db, 40), indexAll(other, 40)]);
    let looks = 0;
    let done = false;
    const ended = both.finally(() => done = true);
    for (; !done; looks++) {
      assert.deepEqual(await findContacts(db, 1, "berg"), expected);
      // Without this pause, the reads would keep the jobs from writing.
      await new Promise((resolve) => setTimeout(resolve));
    }
    const each = await ended;
    assert.equal(each[0] + each[1], many + 1);
    assert.ok(looks > 2 && Math.min(...each) > 0, `${looks} ${each}`);
    assert.deepEqual(await countIndexed(db, "contacts"), [many, 0]);
    assert.deepEqual(await findContacts(db, 1, "berg"), expected);
  }));

Deno.test("a killed job loses nothing: each row is indexed or waiting", () =>
  withMany(async (path, db) => {
    const script = new URL("./texts_process.ts", import.meta.url).pathname;
    let waiting = many;
    for (let kills = 0; kills < 3; kills++) {
      const job = new Deno.Command(Deno.execPath(), {
        args: [...runOfTests, script, path],
        stdout: "null",
        stderr: "null",
      }).spawn();
      const before = waiting;
      while (waiting === before) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        [, waiting] = await countIndexed(db, "contacts");
      }
      job.kill("SIGKILL");
      await job.status;
      const [there, left] = await countIndexed(db, "contacts");
      waiting = left;
      assert.equal(there + left, many);
      assert.deepEqual(await findContacts(db, 1, "berg"), expected);
      if (kills === 0) assert.ok(left > 0, "it was killed in the middle");
    }
    await indexAll(db);
    assert.deepEqual(await countIndexed(db, "contacts"), [many, 0]);
    assert.deepEqual(await findContacts(db, 1, "berg"), expected);
  }));
