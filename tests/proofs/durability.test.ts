import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { send, startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";
import { projectRoot, runCommand, startProcess } from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { nameFields } from "../sales/leads_world.ts";
import { canTrace, readSteps, type Step, traceArguments } from "./traced.ts";

/** Files that open a database, with the reason why each has its own connection. */
const opened: Readonly<Record<string, string>> = {
  "src/platform/database/connection.ts": "the connection of every service or command, and its readers",
  "src/platform/database/backup_worker.ts": "a thread that only reads, into a copy",
  "src/cli/backup_database.ts": "inspects files that no process serves",
  "src/cli/generate_migration.ts": "applies migrations in memory",
};

Deno.test("a database file is opened in one place for writing, and in listed others", async () => {
  const opening = (await filesIn("src")).filter(({ text }) => text.includes("new DatabaseSync("));
  assert.deepEqual(opening.map(({ path }) => path).sort(), Object.keys(opened).sort());
  const both = opening.find(({ path }) => path.endsWith("connection.ts"))!.text.split("new DatabaseSync(")
    .slice(1);
  assert.deepEqual(both.map((text) => text.startsWith("path, { readOnly: true")), [false, true]);
  const thread = opening.find(({ path }) => path.endsWith("backup_worker.ts"))!;
  assert.match(thread.text, /new DatabaseSync\(from, \{ readOnly: true/);
});

Deno.test("the connection of a box syncs at each commit, checks foreign keys and waits for locks", () =>
  inFolder(async (folder) => {
    const box = await openBox(loadConfig({ DATABASE_URL: `file:${folder}/crm.db` }), { log: memoryLog() });
    const names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"];
    const results = await box.deps.db.read(names.map((name) => ({ sql: `pragma ${name}`, args: [] })));
    const values = results.map(({ rows }) => Object.values(rows[0]!)[0]);
    await box.close();
    assert.deepEqual(values.slice(0, 3), ["wal", 2, 1]);
    assert.ok(Number(values[3]) > 0 && Number(values[3]) <= 50, `${values[3]} ms`);
  }));

const isCi = Deno.env.get("CI") === "true";
const traces = await canTrace();
if (!traces) console.log("strace is missing, so syncs before answers are not checked");

Deno.test({
  name: "a write is on the disk before its answer leaves the process, according to strace",
  ignore: !traces && !isCi,
  async fn() {
    assert.ok(traces, "strace must be installed where CI=true");
    await using app = await startApp();
    const { admin } = await app.company();
    const trace = `${app.folder}/trace`;
    const env = { DATABASE_URL: `file:${app.file}`, PORT: "0" };
    const server = await startProcess(traceArguments(trace, serve), env, { command: "strace" });
    try {
      for (let n = 0; n < 20; n++) {
        const body = { fixed_fields: nameFields({ name: `Name ${n}` }) };
        assert.equal((await send(`${server.url}/v1/accounts`, "POST", admin.token, body)).status, 201);
      }
    } finally {
      await server.kill();
    }
    assertSynced(await readSteps(trace, /"HTTP\/1\.1 201 /), 20);
  },
});

Deno.test({
  name: "a command's changes are on the disk before it reports them, according to strace",
  ignore: !traces && !isCi,
  fn: () =>
    inFolder(async (folder) => {
      assert.ok(traces, "strace must be installed where CI=true");
      const command = ["company", "create", "--name", "Acme", "--email", "ada@example.org"];
      const founder = ["--first-name", "Ada", "--last-name", "Byron"];
      const trace = `${folder}/trace`;
      const { code, stdout, stderr } = await runCommand(
        traceArguments(trace, commandArguments("crm", ...command, ...founder)),
        { DATABASE_URL: `file:${folder}/crm.db` },
        { command: "strace" },
      );
      assert.equal(code, 0, stdout + stderr);
      const first = JSON.stringify(stdout.slice(0, 10)).slice(1, -1);
      const steps = await readSteps(trace, new RegExp(`^write\\(1<.*"${first}`));
      assertSynced(steps.slice(0, steps.indexOf("say") + 1), 1);
    }),
});

/** Checks the number of answers, and that everything written before an answer was synced. */
function assertSynced(steps: readonly Step[], times: number): void {
  const runs = steps.join(" ").split("say").slice(0, -1).map((run) => run.trim());
  assert.equal(runs.length, times, steps.join(" "));
  for (const run of runs) assert.match(run, /write sync$/);
}

async function filesIn(folder: string): Promise<{ path: string; text: string }[]> {
  const found = [];
  for await (const { name, isDirectory } of Deno.readDir(projectRoot + folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await filesIn(path));
    else found.push({ path, text: await Deno.readTextFile(projectRoot + path) });
  }
  return found;
}
