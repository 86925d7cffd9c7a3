import assert from "node:assert/strict";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { startHrana } from "../support/hrana.ts";
import { runCommand } from "../support/process.ts";
import { commandArguments } from "../support/service.ts";

const command = commandArguments("migrate");

async function tables(path: string): Promise<unknown[]> {
  const db = openFile(path);
  try {
    const [found] = await db.read([{ sql: "select tag from migrations order by tag", args: [] }]);
    return found!.rows.map((row) => row.tag);
  } finally {
    await db.close();
  }
}

Deno.test("db:migrate creates and migrates a file; a second run changes nothing", () =>
  inFolder(async (folder) => {
    const env = { DATABASE_URL: `file:${folder}/data/crm.db` };
    const first = await runCommand(command, env);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^applied 0000_first_release\n/);
    assert.match(first.stdout, /crm\.db is up to date: (\d+) migrations, \1 of them new\n$/);
    assert.equal(first.stderr, "");
    const second = await runCommand(command, env);
    assert.match(second.stdout, /^\S+crm\.db is up to date: \d+ migrations, 0 of them new\n$/);
    assert.equal((await tables(`${folder}/data/crm.db`))[0], "0000_first_release");
  }));

Deno.test("db:migrate migrates a remote database", () =>
  inFolder(async (folder) => {
    const path = `${folder}/remote.db`;
    await using stack = new AsyncDisposableStack();
    const hrana = await startHrana({ path, token: "t0ken" });
    stack.defer(() => hrana.close());
    const env = { DATABASE_URL: hrana.url, DATABASE_AUTH_TOKEN: "t0ken" };
    const done = await runCommand(command, env);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^applied 0000_first_release\n[^]*127\.0\.0\.1:\d+ is up to date/);
    assert.ok(!done.stdout.includes("t0ken"));
    assert.equal((await tables(path))[0], "0000_first_release");
  }));

Deno.test("a command reports a wrong setting or argument in one line", () =>
  inFolder(async (folder) => {
    const wrong = await runCommand(command, { DATABASE_URL: "mysql://x" });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^DATABASE_URL must be [^\n]*\n$/);
    const typed = await runCommand([...command, "--all"], { DATABASE_URL: `file:${folder}/crm.db` });
    assert.equal(typed.code, 1);
    assert.match(typed.stderr, /^Unknown option '--all'[^]*\nUsage: deno task db:migrate\n$/);
    assert.equal(typed.stdout, "");
    const gone = await runCommand(command, { DATABASE_URL: "http://127.0.0.1:9", DATABASE_AUTH_TOKEN: "t" });
    assert.equal(gone.code, 1);
    assert.equal(gone.stderr, "DATABASE_URL: the database did not answer\n");
  }));
