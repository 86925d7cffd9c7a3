/** How imports read files, and what ends them. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { awaitEnd, importFile, listFaults, moveImport, send } from "./imports_world.ts";

Deno.test("encodings, delimiters and line ends are found", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const utf16 = (text: string) => {
    const units = Uint16Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0));
    return new Uint8Array(units.buffer);
  };
  const latin = (text: string) => Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  const files: [string | Uint8Array, string, string][] = [
    ["\ufefflast_name,title\r\nMüller,Dr\r\n", "utf-8", ","],
    [utf16("last_name\ttitle\rMüller\tDr\r"), "utf-16le", "\t"],
    [latin("last_name;title\nM\xfcller;Dr\n\n"), "windows-1252", ";"],
    ["last_name|title\nMüller|Dr", "utf-8", "|"],
  ];
  for (const [bytes, encoding, delimiter] of files) {
    const done = await importFile(app, admin, bytes);
    assert.deepEqual([done.status, done.encoding, done.delimiter], ["done", encoding, delimiter]);
    assert.deepEqual(done.counts, { rows: 1, created: 1, updated: 0, skipped: 0, failed: 0 });
  }
  const { data } = (await admin.call("GET", "/v1/contacts")).body;
  for (const { fixed_fields } of data) {
    assert.equal(fixed_fields.find(({ name }: { name: string }) => name === "last_name").value, "Müller");
  }
});

Deno.test("lines of ndjson are objects; others fail", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const lines = [
    { external_id: "C1", last_name: "Byron", "account.name": "Works" },
    [1],
    { external_id: "C2", last_name: "#N/A", "account.name": "Works", b2c: false },
  ].map((line) => JSON.stringify(line)).join("\n");
  const done = await importFile(app, admin, `${lines}\nnonsense\n`, { format: "ndjson" });
  assert.deepEqual(done.counts, { rows: 4, created: 2, updated: 0, skipped: 0, failed: 2 });
  assert.deepEqual(await listFaults(admin, done.id), ["2   format", "4   format"]);
  const cleared = await importFile(
    app,
    admin,
    JSON.stringify({ external_id: "C1", title: "Dr", last_name: null }),
    {
      format: "ndjson",
      match: "external_id",
    },
  );
  assert.deepEqual(cleared.counts.failed, 1);
  assert.deepEqual(await listFaults(admin, cleared.id), ["1 last_name last_name required"]);
});

Deno.test("a line of ndjson that is too long fails its row alone", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const writeRow = (last_name: string, title = "") => JSON.stringify({ last_name, title });
  const file = [
    writeRow("Byron"),
    writeRow("Long", "x".repeat(1024 * 1024)),
    writeRow("Wide", "x".repeat(70_000)),
  ];
  const done = await importFile(app, admin, `${file.join("\r\n")}\n${writeRow("Lovelace")}`, {
    format: "ndjson",
  });
  assert.deepEqual(done.counts, { rows: 4, created: 2, updated: 0, skipped: 0, failed: 2 });
  assert.deepEqual(await listFaults(admin, done.id), ["2   max", "3 title title max"]);
});

Deno.test("all faults of a row are named, and a value that does not read is not missing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = [
    "last_name,email,consent.email,account.name,account.website,account.country",
    ",,perhaps,,://,Nowhere",
    ",wrong,perhaps,Works,,",
  ];
  const done = await importFile(app, admin, rows.join("\n"));
  assert.equal(done.counts.failed, 2, JSON.stringify(done));
  assert.deepEqual(await listFaults(admin, done.id), [
    "1 consent.email consent.email type",
    "1 account.country account.country enum",
    "1 account.website account.website format",
    "1 account.name account.name required",
    "1 last_name last_name required",
    "2 consent.email consent.email type",
    "2 email email format",
  ]);
});

Deno.test("an external id that a hidden record has is named beside the other faults of its row", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const [own, other] = [await company.team(), await company.team()];
  const rights = ["imports.manage", "customers.create", "customers.update"] as const;
  const worker = await company.user({ rights: [...rights], teams: [own] });
  await importFile(app, admin, "external_id,last_name,account.external_id,account.name\nC1,One,A1,Ada\n", {
    team_id: String(other),
  });
  const text =
    "external_id,last_name,email,account.external_id\n,Two,,A1\n,Three,nonsense,A1\nC1,Four,nonsense,\n";
  for (const match of ["none", "external_id"]) {
    const done = await importFile(app, worker, text, { match });
    assert.deepEqual(await listFaults(worker, done.id), [
      "1 account.external_id account.external_id unique",
      "2 account.external_id account.external_id unique",
      "2 email email format",
      "3 external_id external_id unique",
      "3 email email format",
    ]);
  }
  await importFile(app, worker, "external_id,last_name\nC2,Own\n");
  const moving = await importFile(app, worker, "external_id,account.external_id\nC2,A1\n", {
    match: "external_id",
  });
  assert.deepEqual(await listFaults(worker, moving.id), ["1 account.external_id account.external_id unique"]);
  const accounts = await importFile(app, worker, "external_id,name,website\nA1,,x y\n", {
    entity: "accounts",
  });
  assert.equal((await listFaults(worker, accounts.id))[0], "1 external_id external_id unique");
});

Deno.test("dates, numbers, countries, choices and custom fields are read as spreadsheets write them", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const german = await admin.call("PUT", `/v1/companies/${id}`, { locale: { code: "de-DE" } });
  assert.equal(german.status, 200, german.text);
  const field = async (label: string, type: string) => {
    const made = await admin.call("POST", "/v1/fields/account", { label, type });
    assert.equal(made.status, 201, made.text);
  };
  await field("Since", "date");
  await field("Budget", "numeric");
  const done = await importFile(
    app,
    admin,
    "name;country;Since;Budget;created_at\n" +
      "A;Deutschland;03.04.2025;1.234,50;2025-01-31 10:00:00\n" +
      "B;germany;31.12.2024;7,5;31.01.2025\n" +
      "C;de;45000;;\nD;Nowhere;32.01.2025;x;\nE;fr;0000-00-00;;0000-00-00 00:00:00\n" +
      "F;be;0000-00-00 00:00:00;;0000-00-00T00:00\nG;;;;0000-00-00 10:00\n",
    { entity: "accounts" },
  );
  assert.deepEqual(
    done.counts,
    { rows: 7, created: 5, updated: 0, skipped: 0, failed: 2 },
    JSON.stringify(done),
  );
  assert.equal(done.decimal, ",");
  assert.deepEqual(done.columns[2].date_format, "dmy");
  assert.deepEqual(await listFaults(admin, done.id), [
    "4 country country enum",
    "4 Since since format",
    "4 Budget budget type",
    "7 created_at created_at format",
  ]);
  const { data } = (await admin.call("GET", "/v1/accounts?sort=name")).body;
  const values = data.map((
    { fixed_fields, custom_fields }: {
      fixed_fields: { name: string; value: { id: string } }[];
      custom_fields: { value: unknown }[];
    },
  ) => [fixed_fields[5]!.value.id, ...custom_fields.map(({ value }) => value)]);
  assert.deepEqual(values, [
    ["DE", "2025-04-03", 1234.5],
    ["DE", "2024-12-31", 7.5],
    ["DE", "2023-03-15", null],
    ["FR", null, null],
    ["BE", null, null],
  ]);
  assert.equal(data[0].created_at, "2025-01-31 10:00:00");
});

Deno.test("an import ends when its maker loses the right or goes, and what is in stays", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const team = await company.team();
  const maker = await company.user({ teams: [team], rights: ["imports.manage"] });
  const checked = await importFile(app, maker, "last_name\nA\nB\n", { dry_run: "1" });
  assert.equal(checked.team_id, team);
  const lost = await admin.call("PUT", `/v1/companies/${company.id}/users/${maker.id}`, { role_ids: [] });
  assert.equal(lost.status, 200, lost.text);
  const failed = await moveImport(app, admin, checked.id, "start");
  assert.deepEqual([failed.status, failed.failure.code], ["failed", "right_missing"]);
  const other = await company.user({ teams: [team], rights: ["imports.manage"] });
  const second = await importFile(app, other, "last_name\nA\nB\n", { dry_run: "1" });
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}/users/${other.id}`)).status, 204);
  const gone = await moveImport(app, admin, second.id, "start");
  assert.deepEqual([gone.status, gone.failure.code], ["failed", "maker_deleted"]);
  assert.equal((await admin.call("GET", "/v1/contacts")).body.pagination.total, 0);
});

Deno.test("records that others use stay, and events name the maker", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const done = await importFile(app, admin, "last_name,account.name\nA,Works\nB,Other\n");
  const { data } = (await admin.call("GET", "/v1/accounts?sort=name")).body;
  const more = await admin.call("POST", `/v1/accounts/${data[1].id}/contacts`, {
    fixed_fields: [{ name: "last_name", value: "Mine" }],
  });
  assert.equal(more.status, 201, more.text);
  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.deepEqual(reverted.reverted, { deleted: 3, restored: 0, kept: 1 });
  const kept = await admin.call("GET", `/v1/imports/${done.id}/kept`);
  assert.deepEqual(kept.body.data, [{ row: 1, entity: "accounts", id: data[1].id, reason: "in_use" }]);
  const executors = await app.sql("select distinct executor_id from outbox");
  assert.deepEqual(executors, [{ executor_id: admin.id }]);
});

Deno.test("a form sent again under its key has one import; a file of the library is taken by its id", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const stored = await admin.call("POST", "/v1/files", {
    name: "people.csv",
    data: btoa("last_name\nByron\n"),
  });
  assert.equal(stored.status, 201, stored.text);
  const body = { entity: "contacts", file_id: stored.body.id };
  const headers = { "Idempotency-Key": "once" };
  const one = await admin.call("POST", "/v1/imports", body, headers);
  assert.equal(one.status, 201, one.text);
  const again = await admin.call("POST", "/v1/imports", body, headers);
  assert.deepEqual([again.status, again.body.id], [201, one.body.id]);
  const done = await awaitEnd(app, admin, one.body.id);
  assert.deepEqual([done.status, done.file_id, done.counts.created], ["done", stored.body.id, 1]);
  const lacking = await admin.call("POST", "/v1/imports", { entity: "contacts" });
  assert.deepEqual([lacking.status, lacking.body.errors[0].path, lacking.body.errors[0].code], [
    422,
    "file_id",
    "required",
  ]);
  const both = await send(admin, "last_name\n", { entity: "contacts", file_id: stored.body.id });
  assert.deepEqual([both.status, both.body.errors[0].path, both.body.errors[0].code], [
    422,
    "file_id",
    "excluded",
  ]);
});

Deno.test("the file and what a revert needs go 30 days after the end", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const done = await importFile(app, admin, "last_name\nA\n");
  const readUsage = async () => Number((await admin.call("GET", "/v1/files/usage")).body.bytes);
  assert.ok(await readUsage() > 0);
  const { forgetImports } = await import("../../src/integration/imports/expire.ts");
  const day = 86_400_000;
  await forgetImports(app.deps, app.clock.now() + 29 * day);
  assert.ok(await readUsage() > 0);
  await forgetImports(app.deps, app.clock.now() + 31 * day);
  assert.equal(await readUsage(), 0);
  const late = await admin.call("POST", `/v1/imports/${done.id}/revert`);
  assert.deepEqual([late.status, late.body.code], [409, "import_state"]);
  await forgetImports(app.deps, app.clock.now() + 366 * day);
  assert.equal((await admin.call("GET", `/v1/imports/${done.id}`)).status, 404);
});

Deno.test("the file of an import that starts while the expired are removed stays", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const checked = await importFile(app, admin, "last_name\nA\n", { dry_run: "true" });
  const { forgetImports } = await import("../../src/integration/imports/expire.ts");
  const late = app.clock.now() + 31 * 86_400_000;
  const { db } = app.deps;
  // The moment between the read and the write of the job.
  const write = db.write.bind(db);
  const start = "update imports set status = 'running', expires_at = null where id = ?";
  const meanwhile = {
    read: db.read.bind(db),
    write: async (statements: Parameters<typeof db.write>[0]) => {
      await write([{ sql: start, args: [checked.id] }]);
      return await write(statements);
    },
  };
  assert.equal(await forgetImports({ db: { ...db, ...meanwhile } }, late), 0);
  const [row] = await app.sql("select object_key from imports");
  assert.notEqual(row!.object_key, null);
});
