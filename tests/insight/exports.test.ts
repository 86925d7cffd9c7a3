import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import readXlsxFile from "read-excel-file/universal";
import { createApp } from "../../src/app.ts";
import { sql } from "../../src/db/statements.ts";
import { removeOldExports } from "../../src/insight/exports/expire.ts";
import { exportLeaseMs, makeExports } from "../../src/insight/exports/make.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";

const path = "/v1/reports/export";
const query = `${path}?indicators=accounts.b2b.created,sign_ins&group_by=user`;
const day = 86_400_000;
const account = (name: string) => ({ fixed_fields: [{ name: "name", value: name }] });

/**
 * A company whose users created accounts: two by the admin, and one by a colleague whose name looks like a
 * formula.
 */
async function sold(app: TestApp) {
  const company = await app.company();
  const [own, other] = [await company.team(), await company.team()];
  const colleague = await company.user({ teams: [other] });
  const names = { first_name: "=1+1", last_name: "O'Hara" };
  await company.admin.call("PUT", `/v1/companies/${company.id}/users/${colleague.id}`, names);
  for (const by of [company.admin, company.admin, colleague]) {
    const made = await by.call("POST", "/v1/accounts", account("Acme"));
    assert.equal(made.status, 201, made.text);
  }
  return { company, admin: company.admin, colleague, teams: [own, other] as const };
}

/** The file of an export that is done. */
async function downloadFile(app: TestApp, by: Actor, exportId: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await by.call("GET", `${path}/${exportId}`);
  assert.equal(body.status, "done");
  const { download_token } = (await by.call("GET", `/v1/files/${body.file_id}`)).body;
  const response = await fetch(`${app.url}/v1/files/download/${download_token}`);
  return new Uint8Array(await response.arrayBuffer());
}

const parseCsv = (bytes: Uint8Array): string[][] => parse(bytes, { bom: true, record_delimiter: "\r\n" });

/** The same app without background work, so it writes no file. */
const withoutBackground = (app: TestApp) => createApp({ ...app.deps, stopping: AbortSignal.abort() });

/** An export that no job has begun. */
async function pending(app: TestApp, { token }: Actor): Promise<{ body: Body }> {
  const request = new Request(`${app.url}${query}`, { headers: { Authorization: `Bearer ${token}` } });
  return { body: await (await withoutBackground(app).fetch(request)).json() };
}

Deno.test("GET exports the rows of metrics as CSV: a file of the caller's, without formulas", async () => {
  await using app = await startApp();
  const { admin, colleague } = await sold(app);
  const made = await admin.call("GET", query);
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.body, {
    export_id: made.body.export_id,
    file_id: null,
    status: "pending",
    error: null,
    format: "csv",
    created_at: "2026-03-02 09:00:00",
    expires_at: "2026-04-01 09:00:00",
  });
  await app.idle();
  const rows = parseCsv(await downloadFile(app, admin, made.body.export_id));
  assert.deepEqual(rows, [
    ["indicator", "value", "user_id", "user_name"],
    ["accounts.b2b.created", "2", String(admin.id), "Ada Byron admin"],
    ["accounts.b2b.created", "1", String(colleague.id), "'=1+1 O'Hara"],
  ]);
  const metrics = await admin.call("GET", query.replace("export", "metrics"));
  assert.deepEqual(Object.keys(metrics.body.data[0]), rows[0]);
  const { body: file } = await admin.call("GET", `/v1/files/${(await readExport(admin, made)).file_id}`);
  assert.deepEqual(
    [file.name, file.type, file.user_id, file.public],
    ["report-2026-03-02-090000.csv", "csv", admin.id, false],
  );
  assert.deepEqual(await app.sql("select count(*) as n from report_export_rows"), [{ n: 0 }]);
});

async function readExport(by: Actor, made: { readonly body: { readonly export_id: string } }) {
  return (await by.call("GET", `${path}/${made.body.export_id}`)).body;
}

Deno.test("POST exports as XLSX once for each idempotency key; HEAD exports nothing, each GET anew", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const body = {
    indicators: ["accounts.b2b.created"],
    group_by: ["company"],
    format: "xlsx",
    compare: "previous",
  };
  const made = [1, 2].map(() => admin.call("POST", path, body, { "Idempotency-Key": "monday" }));
  const [first, again] = await Promise.all(made);
  assert.deepEqual([first!.status, first!.text], [200, again!.text]);
  await app.idle();
  const [sheet] = await readXlsxFile(new Blob([await downloadFile(app, admin, first!.body.export_id)]));
  assert.deepEqual(sheet!.data, [
    ["indicator", "value", "company_id", "company_name", "previous", "change_pct"],
    ["accounts.b2b.created", 3, admin.companyId, "Acme", 0, null],
  ]);
  const count = async () => (await app.sql("select count(*) as n from report_exports"))[0]!.n;
  const head = await admin.call("HEAD", query);
  assert.deepEqual([head.status, head.text, await count()], [200, "", 1]);
  assert.equal((await admin.call("HEAD", path)).status, 422);
  for (const _ of [1, 2]) await admin.call("GET", query);
  assert.equal(await count(), 3);
});

Deno.test("rejects invalid parameters with field and rule, and creates nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const time = { start_at: "2026-02-01 00:00:00", end_at: "2026-01-01 00:00:00" };
  const indicators = ["sign_ins"];
  const faults: [string, object | undefined, string, string][] = [
    [path, undefined, "query.indicators", "required"],
    [`${query}&format=pdf`, undefined, "query.format", "enum"],
    [
      `${query}&end_at=2020-01-01T00:00:00Z&start_at=2021-01-01T00:00:00Z`,
      undefined,
      "query.end_at",
      "after",
    ],
    [path, {}, "indicators", "required"],
    [path, { indicators: [] }, "indicators", "required"],
    [path, { indicators: ["sales"] }, "indicators[0]", "enum"],
    [path, { indicators, format: "pdf" }, "format", "enum"],
    [path, { indicators, ...time }, "end_at", "after"],
    [path, { indicators, group_by: ["colour"] }, "group_by[0]", "enum"],
    [path, { indicators, team_ids: ["seven"] }, "team_ids[0]", "type"],
    [path, { indicators, lead_type_ids: ["seven"] }, "lead_type_ids[0]", "type"],
  ];
  for (const [at, body, field, code] of faults) {
    const refused = await admin.call(body ? "POST" : "GET", at, body);
    assert.equal(refused.status, 422, `${at} ${JSON.stringify(body)}: ${refused.text}`);
    const [error] = refused.body.errors;
    assert.deepEqual([error.path, error.code], [field, code]);
  }
  assert.deepEqual(await app.sql("select count(*) as n from report_exports"), [{ n: 0 }]);
});

Deno.test("an export has the figures of its call by the rights of its caller, who alone sees it", async () => {
  await using app = await startApp();
  const { company, colleague, teams: [own, other] } = await sold(app);
  const seller = await company.user({ teams: [own], rights: ["reports.export"] });
  const plain = await company.user({ teams: [other] });
  assert.equal((await plain.call("GET", query)).status, 403);
  const { export_id, status } = (await pending(app, seller)).body;
  assert.equal(status, "pending");
  await app.idle();
  for (const by of [seller, colleague]) {
    await by.call("POST", "/v1/accounts", account("Later"));
  }
  assert.equal(await makeExports(app.deps), 1);
  assert.equal(await makeExports(app.deps), 0);
  // Counts the two accounts of no team, which the company shares. Accounts of the other team and later ones
  // do not count.
  const rows = parseCsv(await downloadFile(app, seller, export_id));
  assert.deepEqual(rows.slice(1).map(([, value, user]) => [value, user]), [["2", String(company.admin.id)]]);
  for (const by of [company.admin, colleague]) {
    const expected = by === colleague ? 403 : 404;
    assert.equal((await by.call("GET", `${path}/${export_id}`)).status, expected);
  }
});

Deno.test("a file whose writer was killed is written by another once its lease has ended, and only once", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const { export_id } = (await pending(app, admin)).body;
  // The state that a writer leaves when it is killed now.
  const until = app.clock.now() + exportLeaseMs;
  await app.deps.db.write([
    sql`update report_exports set status = 'running', attempts = 1, due_at = ${until}`,
  ]);
  assert.equal(await makeExports(app.deps), 0);
  assert.equal((await admin.call("GET", `${path}/${export_id}`)).body.status, "running");
  app.clock.move(exportLeaseMs);
  const attempts = await Promise.all([makeExports(app.deps), makeExports(app.deps)]);
  assert.equal(attempts[0]! + attempts[1]!, 1);
  assert.equal(parseCsv(await downloadFile(app, admin, export_id)).length, 3);
  assert.deepEqual(await app.sql("select count(*) as n from files"), [{ n: 1 }]);
  assert.deepEqual(await app.sql("select count(*) as n from objects where removed_from is not null"), [{
    n: 0,
  }]);
});

Deno.test("a writer that was overtaken while it stored its file adds none and leaves no object", async () => {
  const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stored = new Set<string>();
  await using bucket = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    await request.bytes();
    if (request.method === "DELETE") stored.delete(pathname);
    if (request.method !== "PUT") return new Response(null, { status: 204 });
    stored.add(pathname);
    if (stored.size === 1) {
      began.resolve();
      await release.promise;
    }
    return new Response(null, { headers: { ETag: '"1"' } });
  });
  await using app = await startApp({
    STORAGE_URL: `s3://crm?endpoint=http://127.0.0.1:${bucket.addr.port}&region=eu-central-1`,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
  });
  const { admin } = await sold(app);
  const made = await admin.call("GET", query);
  await began.promise;
  app.clock.move(exportLeaseMs);
  assert.equal(await makeExports(app.deps), 1);
  const { file_id, status } = await readExport(admin, made);
  release.resolve();
  await app.idle();
  assert.equal(status, "done");
  assert.equal((await readExport(admin, made)).file_id, file_id);
  assert.equal(stored.size, 1);
  const left = "select (select count(*) from files) as files, (select count(*) from objects) as objects";
  assert.deepEqual(await app.sql(left), [{ files: 1, objects: 1 }]);
});

Deno.test("an export fails when the files of the company may take no more, and leaves nothing", async () => {
  await using app = await startApp({ FILE_QUOTA: "20" });
  const { admin } = await sold(app);
  const made = await admin.call("GET", query);
  await app.idle();
  const { status, file_id, error } = await readExport(admin, made);
  assert.deepEqual([status, file_id], ["failed", null]);
  const message = "The files of the company may take no more. Delete some, and export the figures again.";
  assert.deepEqual(error, { code: "file_quota", message });
  const left = "select (select count(*) from files) + (select count(*) from report_export_rows) as n";
  assert.deepEqual(await app.sql(left), [{ n: 0 }]);
  assert.equal(await makeExports(app.deps), 0);
});

Deno.test("an export whose file cannot be stored fails after five attempts, with a reason; before it has none", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const made = await pending(app, admin);
  const put = () => Promise.reject(new Error("the storage is away"));
  const deps = { ...app.deps, storage: { ...app.deps.storage, put } };
  for (let attempt = 1; attempt <= 5; attempt++) {
    assert.equal((await readExport(admin, made)).error, null, `before attempt ${attempt}`);
    assert.equal(await makeExports(deps), 1);
    app.clock.move(3_600_000);
  }
  const { status, error } = await readExport(admin, made);
  const message = "The file could not be written. Export the figures again.";
  assert.deepEqual([status, error], ["failed", { code: "internal", message }]);
});

Deno.test("exports that wait for another attempt hold up no other", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  for (let n = 0; n < 2; n++) await pending(app, admin);
  const put = () => Promise.reject(new Error("the storage is away"));
  assert.equal(await makeExports({ ...app.deps, storage: { ...app.deps.storage, put } }), 2);
  const next = await admin.call("GET", query);
  await app.idle();
  assert.equal((await readExport(admin, next)).status, "done");
});

Deno.test("a hold keeps no export from being written", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  await app.deps.db.write([sql`insert into holds (id, since) values (1, 0)`]);
  const made = await admin.call("GET", query);
  await app.idle();
  assert.equal((await readExport(admin, made)).status, "done");
});

Deno.test("an export whose process ended during each of five attempts fails, and is not begun again", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const made = await pending(app, admin);
  // A process that ends leaves what its claim wrote.
  await app.deps.db.write([sql`update report_exports set status = 'running', attempts = 5`]);
  assert.equal(await makeExports(app.deps), 1);
  const { status, error } = await readExport(admin, made);
  assert.deepEqual([status, error.code], ["failed", "internal"]);
  app.clock.move(3_600_000);
  assert.equal(await makeExports(app.deps), 0);
});

Deno.test("exports and their files end after 30 days, and before with a deleted file or user", async () => {
  await using app = await startApp();
  const { company, admin } = await sold(app);
  const [kept, emptied] = [await admin.call("GET", query), await admin.call("GET", query)];
  await app.idle();
  const file = (await readExport(admin, kept)).file_id;
  await admin.call("DELETE", `/v1/files/${(await readExport(admin, emptied)).file_id}`);
  assert.deepEqual([(await readExport(admin, emptied)).status, (await readExport(admin, emptied)).file_id], [
    "done",
    null,
  ]);
  const leaver = await company.user({ rights: ["reports.export"] });
  await pending(app, leaver);
  const gone = await admin.call("DELETE", `/v1/companies/${company.id}/users/${leaver.id}`);
  assert.equal(gone.status, 204, gone.text);
  assert.equal(await makeExports(app.deps), 0);
  const ends = app.clock.now() + 30 * day;
  assert.equal(await removeOldExports(app.deps, ends - 1), 0);
  assert.equal((await admin.call("GET", `/v1/files/${file}`)).status, 200);
  assert.equal(await removeOldExports(app.deps, ends), 2);
  assert.equal((await admin.call("GET", `/v1/files/${file}`)).status, 404);
  assert.equal((await admin.call("GET", `${path}/${kept.body.export_id}`)).status, 404);
  const left = "select (select count(*) from files) + (select count(*) from report_exports) as n";
  assert.deepEqual(await app.sql(left), [{ n: 0 }]);
  assert.deepEqual(await app.sql("select count(*) as n from objects where removed_from is null"), [{ n: 0 }]);
});

Deno.test("a company makes one export at a time, and ten wait", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => admin.call("GET", query)),
  );
  const refused = all.filter(({ status }) => status !== 200);
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [503]);
  assert.equal(refused.length, 20 - 1 - 10);
  assert.equal(refused[0]!.headers.get("retry-after"), "10");
  await app.idle();
});

Deno.test("files of exports are written in turns by company", async () => {
  await using app = await startApp();
  const [one, other] = [(await app.company()).admin, (await app.company()).admin];
  const now = app.clock.now();
  const pending = (id: string, companyId: number, userId: number, due: number) =>
    sql`insert into report_exports (id, company_id, user_id, format, status, columns, attempts, due_at, expires_at,
      created_at) values (${id}, ${companyId}, ${userId}, 'csv', 'pending', '[]', 0, ${due}, ${now + 1e9},
      '2026-03-02 09:00:00')`;
  await app.deps.db.write([
    ...[1, 2, 3].map((n) => pending(`one-${n}`, one.companyId, one.id, now - 100 + n)),
    pending("other", other.companyId, other.id, now - 1),
  ]);
  await makeExports(app.deps);
  const order = (await app.sql("select name, user_id from files order by rowid")).map(({ user_id }) =>
    user_id
  );
  assert.deepEqual(order, [one.id, other.id, one.id, one.id]);
});
