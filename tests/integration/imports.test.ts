/** Imports of accounts and contacts. */
import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";
import { importFile, listFaults, moveImport, send } from "./imports_world.ts";

Deno.test("contacts come in with their accounts, and go again", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = "First name;Last name;E-mail;Company;Note\r\n" +
    "Ada;Lovelace;ada@example.org;Ada Ltd;x\r\n" +
    "Grace;Hopper;grace@example.org;Ada Ltd;\r\n" +
    ";;not an address;Ada Ltd;\r\n" +
    "Alan;Turing;alan@example.org;;\r\n";
  const mapping = JSON.stringify({
    "First name": "first_name",
    "Last name": "last_name",
    "E-mail": "email",
    Company: "account.name",
  });
  const done = await importFile(app, admin, text, { mapping });
  assert.equal(done.status, "done", JSON.stringify(done));
  assert.deepEqual(done.counts, { rows: 4, created: 3, updated: 0, skipped: 0, failed: 1 });
  assert.deepEqual(done.unmapped, ["Note"]);
  assert.deepEqual(await listFaults(admin, done.id), ["3 E-mail email format"]);
  const accounts = await admin.call("GET", "/v1/accounts");
  assert.equal(accounts.body.pagination.total, 2);
  const contacts = await admin.call("GET", "/v1/contacts?sort=created_at");
  assert.equal(contacts.body.pagination.total, 3);
  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.equal(reverted.status, "reverted", JSON.stringify(reverted));
  assert.deepEqual(reverted.reverted, { deleted: 5, restored: 0, kept: 0 });
  assert.equal((await admin.call("GET", "/v1/accounts")).body.pagination.total, 0);
});

Deno.test("a dry run writes nothing and counts as the run does", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = ["external_id,last_name,email,account.external_id,account.name"];
  for (let n = 0; n < 120; n++) rows.push(`C${n % 100},Name ${n},p${n}@example.org,A${n % 7},Firm ${n % 7}`);
  rows.push("C500,,,A1,", "C501,Bad,nonsense,A1,", ",Only,only@example.org,,");
  const before = await app.sql("select count(*) as n from outbox");
  const form = { dry_run: "true", match: "external_id" };
  const dry = await importFile(app, admin, rows.join("\n"), form);
  assert.equal(dry.status, "checked", JSON.stringify(dry));
  assert.equal(dry.dry_run, true);
  assert.deepEqual(dry.counts, { rows: 123, created: 101, updated: 20, skipped: 0, failed: 2 });
  assert.equal(dry.preview.length, 20);
  assert.equal(dry.preview[0].action, "create");
  assert.equal(dry.preview[0].record.external_id, "C0");
  assert.deepEqual(await app.sql("select count(*) as n from outbox"), before);
  assert.equal((await admin.call("GET", "/v1/contacts")).body.pagination.total, 0);
  const faults = await listFaults(admin, dry.id);
  assert.deepEqual(faults, ["121 last_name last_name required", "122 email email format"]);

  const done = await moveImport(app, admin, dry.id, "start");
  assert.equal(done.status, "done", JSON.stringify(done));
  assert.deepEqual(done.counts, dry.counts);
  assert.deepEqual(await listFaults(admin, dry.id), faults);
  assert.equal((await admin.call("GET", "/v1/contacts")).body.pagination.total, 101);
  assert.equal((await admin.call("GET", "/v1/accounts")).body.pagination.total, 8);
  const again = await admin.call("POST", `/v1/imports/${dry.id}/start`);
  assert.deepEqual([again.status, again.body.code], [409, "import_state"]);
});

Deno.test("a revert undoes what the run has made, and nothing of the dry run before", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const checked = await importFile(app, admin, "name\nAda Ltd\nBo Ltd", {
    entity: "accounts",
    dry_run: "true",
  });
  await moveImport(app, admin, checked.id, "start");
  const { reverted } = await moveImport(app, admin, checked.id, "revert");
  assert.deepEqual(reverted, { deleted: 2, restored: 0, kept: 0 });
  const stopped = await importFile(app, admin, "name\nCy Ltd", { entity: "accounts", dry_run: "true" });
  await moveImport(app, admin, stopped.id, "cancel");
  const { reverted: none } = await moveImport(app, admin, stopped.id, "revert");
  assert.deepEqual(none, { deleted: 0, restored: 0, kept: 0 });
});

Deno.test("records are matched, changed, and put back where nobody has changed them since", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = await importFile(
    app,
    admin,
    "external_id,name,city,website\nA1,Alpha,London,\nA2,Beta,Paris,\nA3,Gamma,Rome,\n",
    { entity: "accounts" },
  );
  assert.deepEqual(first.counts, { rows: 3, created: 3, updated: 0, skipped: 0, failed: 0 });
  const list = async () => (await admin.call("GET", "/v1/accounts?sort=name")).body.data;
  const accounts = await list();
  const second = await importFile(
    app,
    admin,
    "external_id,name,city\nA1,Alpha,\nA2,Beta,#N/A\nA3,Gamma,Milan\nA4,Delta,Oslo\n",
    { entity: "accounts", match: "external_id" },
  );
  assert.deepEqual(second.counts, { rows: 4, created: 1, updated: 3, skipped: 0, failed: 0 });
  const city = (account: { fixed_fields: { name: string; value: unknown }[] }) =>
    account.fixed_fields.find(({ name }) => name === "city")!.value;
  assert.deepEqual((await list()).map(city), ["London", null, "Oslo", "Milan"]);
  const gamma = accounts[2].id;
  await admin.call("PUT", `/v1/accounts/${gamma}`, { fixed_fields: [{ name: "city", value: "Turin" }] });
  const reverted = await moveImport(app, admin, second.id, "revert");
  assert.deepEqual(reverted.reverted, { deleted: 1, restored: 1, kept: 1 });
  assert.deepEqual((await list()).map(city), ["London", "Paris", "Turin"]);
  const kept = await admin.call("GET", `/v1/imports/${second.id}/kept`);
  assert.deepEqual(kept.body.data, [{ row: 3, entity: "accounts", id: gamma, reason: "changed" }]);
  const skipped = await importFile(app, admin, "external_id,name\nA1,Other\n", {
    entity: "accounts",
    match: "external_id",
    on_match: "skip",
  });
  assert.equal(skipped.counts.skipped, 1);
  const refused = await importFile(app, admin, "external_id,name\nA1,Other\n", {
    entity: "accounts",
    match: "external_id",
    on_match: "fail",
  });
  assert.deepEqual(await listFaults(admin, refused.id), ["1 external_id external_id unique"]);
  const twice = await importFile(app, admin, "external_id,name\nA1,Other\n", { entity: "accounts" });
  assert.deepEqual(await listFaults(admin, twice.id), ["1 external_id external_id unique"]);
});

Deno.test("contacts are matched by e-mail without case and by number in international form", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(
    app,
    admin,
    "full_name,email,phone_number,b2c\n" +
      '"Byron, Ada",ada@example.org,+44 20 7946 0000,1\nLudwig van der Berg,lv@example.org,,x\n' +
      "Twin One,twin@example.org,,yes\nTwin Two,twin@example.org,,ja\n",
  );
  const byMail = await importFile(
    app,
    admin,
    "email,title\nADA@Example.org,Countess\ntwin@example.org,Dr\n",
    {
      match: "email",
    },
  );
  assert.deepEqual(byMail.counts, { rows: 2, created: 0, updated: 1, skipped: 0, failed: 1 });
  assert.deepEqual(await listFaults(admin, byMail.id), ["2 email email unique"]);
  const byNumber = await importFile(app, admin, "phone_number,title\n+442079460000,Lady\n", {
    match: "phone_number",
  });
  assert.equal(byNumber.counts.updated, 1);
  const { data } = (await admin.call("GET", "/v1/contacts?sort=last_name")).body;
  const values = data.map(({ fixed_fields }: { fixed_fields: { value: unknown }[] }) =>
    fixed_fields.slice(1, 4).map(({ value }) => value)
  );
  assert.deepEqual(values.slice(0, 2), [
    ["Ada", "Byron", "ADA@Example.org"],
    ["Twin", "One", "twin@example.org"],
  ]);
  assert.ok(JSON.stringify(values).includes('["Ludwig","van der Berg","lv@example.org"]'));
  const elsewhere = await send(admin, "name\nx\n", { entity: "accounts", match: "email" });
  assert.deepEqual([elsewhere.status, elsewhere.body.errors[0].path, elsewhere.body.errors[0].code], [
    422,
    "match",
    "excluded",
  ]);
});

Deno.test("a row that would move a contact fails when another of its cells does not read", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(app, admin, "external_id,name\nA1,Alpha\nA2,Beta\n", { entity: "accounts" });
  await importFile(app, admin, "external_id,last_name,account.external_id\nC1,One,A1\nC2,Two,A1\n");
  const rows = "external_id,consent.email,account.external_id\nC1,yes,A2\nC2,perhaps,A2\n" +
    "C2,no,A1\nC1,perhaps,A1\nC2,,A2\n";
  const dry = await importFile(app, admin, rows, { match: "external_id", dry_run: "true" });
  assert.deepEqual(dry.counts, { rows: 5, created: 0, updated: 3, skipped: 0, failed: 2 });
  const done = await moveImport(app, admin, dry.id, "start");
  assert.deepEqual([done.status, done.counts], ["done", dry.counts]);
  assert.deepEqual(await listFaults(admin, done.id), [
    "2 consent.email consent.email type",
    "4 consent.email consent.email type",
  ]);
  const { data } = (await admin.call("GET", "/v1/contacts?sort=last_name")).body;
  assert.deepEqual(data.map((each: Body) => each.account.name), ["Beta", "Beta"]);
});

Deno.test("fields come before the file, and what is wrong with them or the file is named", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const readRefusal = async (text: string | Uint8Array, form: Record<string, string>) => {
    const reply = await send(admin, text, form);
    assert.equal(reply.status, 422, reply.text);
    return reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
      .join();
  };
  const contacts = { entity: "contacts" };
  assert.equal(await readRefusal("a\n", {}), "entity required");
  assert.equal(await readRefusal("a\n", { entity: "cats" }), "entity enum");
  assert.equal(await readRefusal("", contacts), "file format");
  assert.equal(await readRefusal("a,b,a\n1,2,3\n", contacts), "file unique");
  assert.equal(
    await readRefusal(Array.from({ length: 501 }, (_, n) => `c${n}`).join(","), contacts),
    "file max",
  );
  assert.equal(await readRefusal("PK\x03\x04rest", contacts), "file format");
  assert.equal(await readRefusal("a\n", { ...contacts, delimiter: "ab" }), "delimiter format");
  assert.equal(await readRefusal("a\n", { ...contacts, date_format: "ydm" }), "date_format enum");
  assert.equal(await readRefusal("a\n", { ...contacts, team_id: "99999" }), "team_id exists");
  assert.equal(await readRefusal("a\n", { ...contacts, mapping: "{" }), "mapping format");
  assert.equal(
    await readRefusal("a,b,c\n", {
      ...contacts,
      mapping: JSON.stringify({ a: "last_name", b: "last_name", c: "nonsense", d: "email" }),
    }),
    "mapping.b unique,mapping.c unknown_field,mapping.d exists",
  );
  // The later column is the one that comes later in the file.
  const asMapped = { ...contacts, mapping: JSON.stringify({ x: "title", "1": "email", b: "email" }) };
  assert.equal(await readRefusal("b,1\n", asMapped), "mapping.1 unique,mapping.x exists");
  const late = await admin.call(
    "POST",
    "/v1/imports",
    await makeMultipart({
      entity: "contacts",
      file: makeFile("a.csv", new TextEncoder().encode("last_name\nx\n")),
      match: "email",
    }),
  );
  assert.deepEqual([late.status, late.body.errors[0].path, late.body.errors[0].code], [
    422,
    "match",
    "format",
  ]);
  const allLate = await admin.call(
    "POST",
    "/v1/imports",
    await makeMultipart({
      file: makeFile("a.csv", new TextEncoder().encode("last_name\nx\n")),
      entity: "contacts",
      match: "email",
    }),
  );
  assert.deepEqual(allLate.body.errors.map(({ path, code }: Body) => `${path} ${code}`), [
    "entity format",
    "match format",
  ]);
  assert.deepEqual(await app.sql("select count(*) as n from objects where removed_from is null"), [{ n: 0 }]);
  assert.deepEqual(await app.sql("select count(*) as n from imports"), [{ n: 0 }]);
  const empty = await importFile(app, admin, "last_name\n");
  assert.deepEqual([empty.status, empty.counts.rows], ["done", 0]);

  const worker = await company.user({ rights: ["imports.manage"] });
  const none = await company.user();
  assert.equal((await none.call("GET", "/v1/imports")).status, 403);
  assert.equal((await worker.call("GET", `/v1/imports/${empty.id}`)).status, 404);
});

Deno.test("a file that cannot be read to its end changes nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const failed = await importFile(app, admin, 'last_name\nx\ny\n"never closed\nz\n');
  assert.equal(failed.status, "failed");
  assert.deepEqual([failed.failure.code, failed.failure.row], ["format", 3]);
  assert.equal(failed.counts.created, 0);
  assert.equal((await admin.call("GET", "/v1/contacts")).body.pagination.total, 0);
});

Deno.test("a row lifts no refusal", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = await importFile(app, admin, "last_name,email,consent.email\nA,a@example.org,no\n");
  assert.equal(first.counts.created, 1);
  await app.sql("select 1");
  const { data: [contact] } = (await admin.call("GET", "/v1/contacts")).body;
  const gone = await admin.call("DELETE", `/v1/accounts/${contact.account.id}`);
  assert.equal(gone.status, 204, gone.text);
  const text = "last_name,email,consent.email\nA,a@example.org,yes\nB,b@example.org,yes\n";
  const strict = await importFile(app, admin, text);
  assert.deepEqual(strict.counts, { rows: 2, created: 1, updated: 0, skipped: 0, failed: 1 });
  assert.deepEqual(await listFaults(admin, strict.id), ["1 consent.email consent.email refused"]);
  const lenient = await importFile(app, admin, text, { refusals: "skip" });
  assert.equal(lenient.counts.created, 2);
  const { data } = (await admin.call("GET", "/v1/contacts?sort=last_name")).body;
  assert.notEqual(data[0].consent.email.consent_given, true);
});

async function countRefusals(app: TestApp): Promise<number> {
  return (await app.sql("select 1 from refusals where reason = 'unsubscribed'")).length;
}

/** A company in which the address and the number of a deleted contact refuse, and another contact has both. */
async function refusing(app: TestApp) {
  const { admin } = await app.company();
  const head = "external_id,last_name,email,phone_number,consent.email,consent.call";
  const of = (consent: string) => `${head}\n1,A,a@example.org,+43 664 1234567,${consent},${consent}\n`;
  await importFile(app, admin, of("no"));
  const [contact] = (await admin.call("GET", "/v1/contacts")).body.data;
  assert.equal((await admin.call("DELETE", `/v1/accounts/${contact.account.id}`)).status, 204);
  const { counts } = await importFile(app, admin, of(""));
  assert.equal(counts.created, 1);
  assert.ok(await countRefusals(app) > 1);
  return admin;
}

for (
  const [match, head, row] of [
    ["external_id", "external_id,consent.email", "1"],
    ["phone_number", "phone_number,consent.email", "+43 664 1234567"],
    ["email", "email,consent.call", "a@example.org"],
  ] as const
) {
  Deno.test(`a row that finds its contact by ${match} lifts no refusal of the contact's other address`, async () => {
    await using app = await startApp();
    const admin = await refusing(app);
    const before = await countRefusals(app);
    const text = `${head}\n${row},yes\n`;
    const strict = await importFile(app, admin, text, { match });
    assert.deepEqual(strict.counts, { rows: 1, created: 0, updated: 0, skipped: 0, failed: 1 });
    const lenient = await importFile(app, admin, text, { match, refusals: "skip" });
    assert.equal(lenient.counts.failed, 0);
    assert.equal(await countRefusals(app), before);
  });
}

Deno.test("a row lifts no refusal of a contact that a row before it makes", async () => {
  await using app = await startApp();
  const admin = await refusing(app);
  const text = "external_id,last_name,email,consent.email\n3,C,a@example.org,\n3,C,,yes\n";
  const made = await importFile(app, admin, text, { match: "external_id" });
  assert.deepEqual(await listFaults(admin, made.id), ["2 consent.email consent.email refused"]);
});

Deno.test("imports of a company run one by one, and are cancelled", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = ["last_name", ...Array.from({ length: 400 }, (_, n) => `Name ${n}`)].join("\n");
  const [one, two, three] = await Promise.all([
    send(admin, rows, { entity: "contacts" }),
    send(admin, rows, { entity: "contacts" }),
    send(admin, rows, { entity: "contacts" }),
  ]);
  const states = [one, two, three].map(({ body }) => body.status).sort();
  assert.deepEqual(states, ["queued", "queued", "running"]);
  const waiting = [one, two, three].find(({ body }) => body.status === "queued")!;
  const cancelled = await admin.call("POST", `/v1/imports/${waiting.body.id}/cancel`);
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, "cancelled"]);
  await app.idle();
  const { body } = await admin.call("GET", "/v1/imports");
  assert.deepEqual(body.data.map(({ status }: { status: string }) => status).sort(), [
    "cancelled",
    "done",
    "done",
  ]);
  assert.equal((await admin.call("GET", "/v1/contacts")).body.pagination.total, 800);
});

Deno.test("rows to mend come back as a file that an import reads", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const failed = await importFile(
    app,
    admin,
    "last_name;email;title\nA;no mail;'=1+1\nB;b@example.org;x\nC;also none;#N/A\n",
  );
  assert.equal(failed.counts.failed, 2);
  const rows = await admin.call("GET", `/v1/imports/${failed.id}/errors.csv`);
  assert.equal(rows.headers.get("content-type"), "text/csv; charset=utf-8");
  const lines = rows.text.replace(/^\ufeff/, "").split("\r\n");
  assert.equal(lines[0], '"last_name","email","title","error"');
  assert.equal(lines[1], '"A","no mail","\'=1+1","email: Must be an e-mail address."');
  assert.equal(lines[2], '"C","also none","#N/A","email: Must be an e-mail address."');
  const mended = await importFile(app, admin, rows.text.replaceAll(/no mail|also none/g, "x@example.org"));
  assert.deepEqual(mended.counts, { rows: 2, created: 2, updated: 0, skipped: 0, failed: 0 });
  assert.deepEqual(mended.unmapped, ["error"]);
});

Deno.test("rows to mend run nothing in a spreadsheet, in no language, and are read as they were", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = '"=1+1",email,last_name\n"x;=1+1",none,";=HYPERLINK(1)"\n';
  const mapping = JSON.stringify({ "=1+1": "title", email: "email", last_name: "last_name" });
  const failed = await importFile(app, admin, text, { mapping });
  const { text: rows } = await admin.call("GET", `/v1/imports/${failed.id}/errors.csv`);
  for (const separator of [",", ";", "\t"]) {
    const cells = rows.matchAll(new RegExp(`(?:"[^"]*"|[^${separator}\r\n"])+`, "g"));
    const begun = [...cells].map(([cell]) => cell.replace(/^[\ufeff"]+/, ""));
    assert.deepEqual(begun.filter((cell) => /^[\s\u200b]*[=+@-]/.test(cell)), [], separator);
  }
  const mended = await importFile(app, admin, rows.replace('"none"', '"a@example.org"'), { mapping });
  assert.deepEqual([mended.counts.created, mended.unmapped], [1, ["error"]]);
  const [contact] = (await admin.call("GET", "/v1/contacts")).body.data;
  const values = new Map(contact.fixed_fields.map(({ name, value }: Body) => [name, value]));
  assert.deepEqual([values.get("title"), values.get("last_name")], ["x;=1+1", ";=HYPERLINK(1)"]);
});

Deno.test("many rows to mend are sent as they are read, a part of them at a time", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [n, wide] = [2_500, "x".repeat(1_000)];
  const lines = Array.from({ length: n }, (_, k) => `N${k},no mail,${wide}`);
  const failed = await importFile(app, admin, `last_name,email,other\n${lines.join("\n")}\n`);
  assert.equal(failed.counts.failed, n);
  const { read } = app.deps.db;
  let most = 0;
  app.deps.db.read = async (statements) => {
    const results = await read.call(app.deps.db, statements);
    if (statements.some(({ sql }) => sql.includes("import_errors"))) {
      most = Math.max(most, ...results.map(({ rows }) => rows.length));
    }
    return results;
  };
  const path = `${app.url}/v1/imports/${failed.id}/errors.csv`;
  const headers = { Authorization: `Bearer ${admin.token}` };
  const head = await fetch(path, { method: "HEAD", headers });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  const response = await fetch(path, { headers });
  assert.equal(response.headers.get("content-disposition"), 'attachment; filename="errors.csv"');
  assert.deepEqual((await response.text()).split("\r\n"), [
    '"last_name","email","other","error"',
    ...lines.map((line) => `"${line.replaceAll(",", '","')}","email: Must be an e-mail address."`),
    "",
  ]);
  assert.ok(most > 0 && most <= 1_000, `${most} rows at once`);
  const left = await fetch(path, { headers });
  await left.body!.cancel();
});
