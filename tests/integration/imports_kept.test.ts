/** What an import keeps of persons, how much that is, and when it goes. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { importFile } from "./imports_world.ts";

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
