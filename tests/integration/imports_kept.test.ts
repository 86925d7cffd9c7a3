/** What an import keeps of persons, how much that is, and when it goes. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { awaitEnd, importFile, moveImport, send } from "./imports_world.ts";

const day = 24 * 60 * 60 * 1000;

async function measureKeys(app: TestApp) {
  const [sizes] = await app.sql(
    "select count(*) as n, coalesce(sum(length(key)), 0) as all_of_them from import_keys",
  );
  return sizes as { n: number; all_of_them: number };
}

/** Lets nothing remove what a dry run has remembered, so that it can be measured. */
async function holdKeys(app: TestApp) {
  await app.deps.db.write([{
    sql: `create trigger hold before insert on staged_work when new.kind = 'import_keys'
      begin select raise(ignore); end`,
    args: [],
  }]);
}

Deno.test("a dry run keeps little of a row: no more than some of its own values", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await holdKeys(app);
  const rows = Array.from(
    { length: 60 },
    (_, n) => `C${n},Ada,Love ${n},a${n}@example.org,+4930100000${n},A${n},Firm`,
  );
  const dry = await importFile(
    app,
    admin,
    ["external_id,first_name,last_name,email,phone_number,account.external_id,account.name", ...rows].join(
      "\n",
    ),
    { match: "external_id", dry_run: "true" },
  );
  assert.equal(dry.counts.created, 60);
  const { n, all_of_them } = await measureKeys(app);
  assert.ok(n > 0 && all_of_them < 60 * 1_200, `${all_of_them} characters of 60 rows`);
});

Deno.test("a dry run keeps a record once, however many rows change it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await holdKeys(app);
  const field = await admin.call("POST", "/v1/fields/contact", {
    label: "Story",
    name: "story",
    type: "multi_line",
  });
  assert.equal(field.status, 201, field.text);
  const wide = "w".repeat(10_000);
  await importFile(app, admin, `external_id,last_name,Story\nC1,Ada,${wide}\n`);
  const rows = Array.from({ length: 300 }, (_, n) => `C1,Ada ${n}`);
  const dry = await importFile(app, admin, ["external_id,last_name", ...rows].join("\n"), {
    match: "external_id",
    dry_run: "true",
  });
  assert.deepEqual([dry.counts.updated, dry.preview.length], [300, 20]);
  const { all_of_them } = await measureKeys(app);
  assert.ok(all_of_them > wide.length && all_of_them < 5 * wide.length, `${all_of_them} characters`);
});

for (const end of ["checked", "started", "cancelled"]) {
  Deno.test(`what a dry run has remembered goes when it is ${end}`, async () => {
    await using app = await startApp();
    const { admin } = await app.company();
    const many = Array.from({ length: 600 }, (_, n) => `C${n},Ada ${n}`);
    const text = ["external_id,last_name", ...many].join("\n");
    const { body } = await send(admin, text, { entity: "contacts", match: "external_id", dry_run: "true" });
    if (end === "cancelled") {
      while ((await measureKeys(app)).n === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal((await admin.call("POST", `/v1/imports/${body.id}/cancel`)).status, 200);
    }
    const found = await awaitEnd(app, admin, body.id);
    assert.equal(found.status, end === "cancelled" ? "cancelled" : "checked");
    if (end === "started") {
      const done = await moveImport(app, admin, body.id, "start");
      assert.deepEqual([done.status, done.counts.created], ["done", 600]);
    }
    assert.equal((await measureKeys(app)).n, 0);
    assert.deepEqual(await app.sql("select * from staged_work"), []);
  });
}

Deno.test("the first rows, samples and faults of an import go 30 days after its end; its counts stay", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = "last_name,email\nLovelace,ada@example.org\nByron,no mail\n";
  const dry = await importFile(app, admin, text, { dry_run: "true" });
  const run = await importFile(app, admin, text);
  const keep = async () =>
    (await app.sql("select preview, reading from imports"))
      .some((row) => JSON.stringify(row).includes("Lovelace"));
  const errors = async (id: string) => (await admin.call("GET", `/v1/imports/${id}/errors`)).body.data.length;
  app.clock.move(30 * day - 60_000);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual([await keep(), await errors(dry.id), await errors(run.id)], [true, 1, 1]);
  app.clock.move(60_000);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual([await keep(), await errors(dry.id), await errors(run.id)], [false, 0, 0]);
  for (const each of [dry, run]) {
    const { body } = await admin.call("GET", `/v1/imports/${each.id}`);
    assert.deepEqual([body.counts, body.mapping, body.status], [each.counts, each.mapping, each.status]);
    assert.deepEqual(body.columns, each.columns.map((column: object) => ({ ...column, samples: [] })));
    assert.deepEqual(body.preview, each.preview === null ? null : []);
  }
});
