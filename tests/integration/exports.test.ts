/** Exports of records: what is in the file, who gets it, and what an import reads back. */
import assert from "node:assert/strict";
import { strFromU8, unzipSync } from "fflate";
import { runJobs } from "../../src/jobs.ts";
import { TookTooLong } from "../../src/platform/database/database.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { importFile } from "./imports_world.ts";

const listFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

async function create(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

/** Exports and waits for the file. */
async function exportAndWait(app: TestApp, actor: Actor, body: object): Promise<Body> {
  const { id, status, rows, file_id, finished_at } = await create(actor, "/v1/exports", body);
  assert.deepEqual([status, rows, file_id, finished_at], ["pending", 0, null, null]);
  await app.idle();
  const got = await actor.call("GET", `/v1/exports/${id}`);
  assert.equal(got.status, 200, got.text);
  return got.body;
}

async function download(app: TestApp, actor: Actor, file_id: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await actor.call("GET", `/v1/files/${file_id}`);
  assert.ok(body.id, JSON.stringify(body));
  const response = await fetch(`${app.url}/v1/files/${file_id}/download`, {
    headers: { Authorization: `Bearer ${actor.token}` },
  });
  assert.equal(response.status, 200, await response.clone().text());
  return await response.bytes();
}

/** Lets hours pass, each with a run of the jobs. */
async function passHours(app: TestApp, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    app.clock.move(3_600_000);
    await runJobs(app.deps, app.clock.now());
    await app.idle();
  }
}

async function exportText(app: TestApp, actor: Actor, body: object): Promise<string> {
  const done = await exportAndWait(app, actor, body);
  assert.equal(done.status, "done", JSON.stringify(done));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await download(app, actor, done.file_id));
}

const account = (name: string, more: object = {}) => ({ fixed_fields: listFields({ name }), ...more });

Deno.test("a csv file has a mark, commas, CRLF, and guards what a spreadsheet would run", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const name of ['Plain, "Ltd"', "=1+1", "'-2", "@x", "+31", "#N/A", "''#N/A"]) {
    await create(admin, "/v1/accounts", account(name));
    app.clock.move(1_000);
  }
  const text = await exportText(app, admin, { entity: "accounts", columns: ["name", "b2c", "city"] });
  assert.equal(
    text,
    '\ufeff"name","b2c","city"\r\n' +
      [
        '"Plain, ""Ltd"""',
        '"\'=1+1"',
        "\"''-2\"",
        '"\'@x"',
        '"\'+31"',
        '"\'#N/A"',
        "\"'''#N/A\"",
      ]
        .map((cell) => `${cell},false,\r\n`).join(""),
  );
});

Deno.test("ndjson has flat objects without guards, and a workbook its texts as texts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await create(admin, "/v1/products", {
    category: { id: [], name: ["Vans"] },
    fixed_fields: listFields({ name: "=Van", list_price: 29900.5 }),
  }).catch(() => {});
  await create(admin, "/v1/products", { fixed_fields: listFields({ name: "=Bus", list_price: 10.5 }) });
  const columns = ["name", "list_price", "category"];
  const lines = (await exportText(app, admin, { entity: "products", format: "ndjson", columns })).trimEnd()
    .split(
      "\n",
    );
  assert.deepEqual(JSON.parse(lines.at(-1)!), { name: "=Bus", list_price: 10.5, category: null });
  const done = await exportAndWait(app, admin, { entity: "products", format: "xlsx", columns });
  const parts = unzipSync(await download(app, admin, done.file_id));
  const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"]!);
  assert.match(sheet, /<t xml:space="preserve">=Bus<\/t>/);
  assert.match(sheet, /<v>10.5<\/v>/);
});

Deno.test("the usual columns are those that an import sets without people, in this order", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  await create(admin, "/v1/fields/contact", { label: "shoe", type: "text" });
  // Fields of a team or a group are not the company's.
  await create(admin, "/v1/fields/contact", { label: "hat", type: "text", team_id: await company.team() });
  await place.lead({ lead_data: [{ key: "Model", value: "Estate", type: "string" }] });
  const head = async (entity: string) =>
    (await exportText(app, admin, { entity })).split("\r\n")[0]!.replaceAll('"', "").slice(1).split(",");
  const fields = async (entity: string): Promise<string[]> =>
    (await admin.call("GET", `/v1/imports/fields/${entity}`)).body.data.map(({ name }: Body) => name);
  const contacts = await head("contacts");
  assert.deepEqual(contacts.slice(0, 2), ["external_id", "b2c"]);
  assert.deepEqual(contacts.slice(-8), [
    "consent.call",
    "consent.email",
    "consent.letter",
    "consent.sms",
    "shoe",
    "account.external_id",
    "account.name",
    "created_at",
  ]);
  assert.deepEqual(await head("accounts"), await fields("accounts"));
  assert.deepEqual(await head("products"), await fields("products"));
  assert.deepEqual(
    await head("leads"),
    (await fields("leads")).filter((name) => name !== "contact.full_name" && name !== "contact.hat")
      .map((name) => name === "lead_data.<key>" ? "lead_data.Model" : name),
  );
});

Deno.test("values are written as an import reads them", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const company = await create(admin, "/v1/accounts", {
    fixed_fields: listFields({ name: "Ada Ltd", country: "GB" }),
    external_id: "A-1",
  });
  await create(admin, `/v1/accounts/${company.id}/contacts`, {
    fixed_fields: listFields({ first_name: "Ada", last_name: "van Byron", email: "ada@example.org" }),
    consent: { email: { consent_given: true }, call: { consent_given: false } },
  });
  const columns = [
    "first_name",
    "full_name",
    "consent.email",
    "consent.call",
    "consent.sms",
    "account.external_id",
    "account.country",
    "created_at",
    "user",
    "team",
  ];
  const [line] = (await exportText(app, admin, { entity: "contacts", format: "ndjson", columns })).split(
    "\n",
  );
  const row = JSON.parse(line!);
  assert.deepEqual(Object.keys(row), columns);
  assert.deepEqual(
    { ...row, user: typeof row.user },
    {
      first_name: "Ada",
      full_name: "van Byron, Ada",
      "consent.email": true,
      "consent.call": false,
      "consent.sms": null,
      "account.external_id": "A-1",
      "account.country": "GB",
      created_at: "2026-03-02 09:00:00",
      user: "string",
      team: null,
    },
  );
  await place.lead({ lead_data: [{ key: "Model", value: "Estate", type: "string" }], external_weight: 7 });
  const [lead] = (await exportText(app, admin, {
    entity: "leads",
    format: "ndjson",
    columns: [
      "lead_type",
      "lead_source",
      "external_weight",
      "lead_data.Model",
      "account.name",
      "contact.email",
      "status",
    ],
  })).split("\n");
  assert.deepEqual(JSON.parse(lead!), {
    lead_type: "Test drive",
    lead_source: "website",
    external_weight: 7,
    "lead_data.Model": "Estate",
    "account.name": "Ada Ltd",
    "contact.email": "ada@example.org",
    status: "assigned",
  });
});

Deno.test("a user exports what GET shows, an own export is nobody else's, and rows are by creation", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [mine, other] = [await company.team(), await company.team()];
  const member = await company.user({ teams: [mine], rights: ["reports.export", "reports.view"] });
  for (const [name, team_id] of [["C", mine], ["A", other], ["B", mine], ["D", null]] as const) {
    await create(admin, "/v1/accounts", account(name, { team_id }));
    app.clock.move(1_000);
  }
  const namesFor = async (actor: Actor) =>
    (await exportText(app, actor, { entity: "accounts", columns: ["name"] })).split("\r\n").slice(1, -1);
  assert.deepEqual(await namesFor(member), ['"C"', '"B"', '"D"']);
  assert.deepEqual(await namesFor(admin), ['"C"', '"A"', '"B"', '"D"']);
  const [theirs] = (await member.call("GET", "/v1/exports")).body.data;
  assert.equal((await admin.call("GET", `/v1/exports/${theirs.id}`)).status, 404);
  assert.deepEqual((await admin.call("GET", "/v1/exports")).body.data.length, 1);
  const without = await company.user({ teams: [mine] });
  for (const [method, path] of [["POST", "/v1/exports"], ["GET", "/v1/exports"]] as const) {
    const refused = await without.call(method, path, method === "POST" ? { entity: "accounts" } : undefined);
    assert.deepEqual([refused.status, refused.body.detail], [403, "The right reports.export is missing."]);
  }
});

Deno.test("rights and visibility are judged again when the file is written", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  await create(admin, "/v1/accounts", account("A", { team_id: team }));
  const later = async (change: (user: Actor) => Promise<unknown>) => {
    const user = await company.user({ teams: [team], rights: ["reports.export", "reports.view"] });
    const { background } = app.deps;
    const run = background.run;
    // The file waits for the job.
    background.run = () => {};
    let id: string;
    try {
      id = (await create(user, "/v1/exports", { entity: "accounts", columns: ["name"] })).id;
    } finally {
      background.run = run;
    }
    await change(user);
    await runJobs(app.deps, app.clock.now());
    await app.idle();
    const [row] = await app.sql("select status, failure, rows from exports where id = ?", id);
    return row;
  };
  assert.deepEqual(await later(() => Promise.resolve()), { status: "done", failure: null, rows: 1 });
  assert.deepEqual(
    await later((user) =>
      app.deps.db.write([{ sql: "delete from team_members where user_id = ?", args: [user.id] }])
    ),
    { status: "done", failure: null, rows: 0 },
  );
  assert.deepEqual(
    await later((user) =>
      app.deps.db.write([{ sql: "delete from user_roles where user_id = ?", args: [user.id] }])
    ),
    { status: "failed", failure: "right_missing", rows: 0 },
  );
  // An export that is not written yet goes with its user.
  assert.deepEqual(
    await later(async (user) => {
      const gone = await admin.call("DELETE", `/v1/companies/${company.id}/users/${user.id}`);
      assert.ok(gone.status < 300, gone.text);
      await app.idle();
    }),
    undefined,
  );
});

Deno.test("records that exist at the call are there once, as they are when they are read", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = await create(admin, "/v1/accounts", account("First"));
  const { background } = app.deps;
  const run = background.run;
  background.run = () => {};
  const { id } = await create(admin, "/v1/exports", { entity: "accounts", columns: ["name"] });
  background.run = run;
  await create(admin, "/v1/accounts", account("Later"));
  await admin.call("PUT", `/v1/accounts/${first.id}`, account("Changed"));
  await runJobs(app.deps, app.clock.now());
  await app.idle();
  const { body } = await admin.call("GET", `/v1/exports/${id}`);
  assert.deepEqual([body.status, body.rows], ["done", 1]);
  const text = new TextDecoder().decode(await download(app, admin, body.file_id));
  assert.equal(text, '"name"\r\n"Changed"\r\n');
});

Deno.test("what is made behind the call is not there, also in the place of a deleted record", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [first, other, newest] = [
    await create(admin, "/v1/accounts", account("First")),
    await create(admin, "/v1/accounts", account("Other")),
    await create(admin, "/v1/accounts", account("Newest")),
  ];
  const { background } = app.deps;
  const run = background.run;
  background.run = () => {};
  const body = { entity: "accounts", columns: ["name"] };
  const { id } = await create(admin, "/v1/exports", body);
  const [place] = await app.sql(`select seq from accounts where id = '${newest.id}'`) as [{ seq: number }];
  assert.equal((await admin.call("DELETE", `/v1/accounts/${newest.id}`)).status, 204);
  const late = await create(admin, "/v1/accounts", account("Late"));
  const [again] = await app.sql(`select seq from accounts where id = '${late.id}'`) as [{ seq: number }];
  assert.equal(again.seq, place.seq, "the new one has the row number of the deleted one");
  // One that goes and comes back was there, though its row has another number now.
  const merged = await admin.call("POST", `/v1/accounts/${other.id}/merge`, { from_id: first.id });
  assert.equal(merged.status, 200, merged.text);
  const undone = await admin.call("POST", `/v1/merges/${merged.body.merge_id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  background.run = run;
  await runJobs(app.deps, app.clock.now());
  await app.idle();
  const names = async (file_id: string) =>
    new TextDecoder().decode(await download(app, admin, file_id)).split("\r\n").slice(1, -1).toSorted();
  const { body: done } = await admin.call("GET", `/v1/exports/${id}`);
  assert.deepEqual([done.status, done.rows], ["done", 2]);
  assert.deepEqual(await names(done.file_id), ['"First"', '"Other"']);
  const next = await exportAndWait(app, admin, body);
  assert.deepEqual(await names(next.file_id), ['"First"', '"Late"', '"Other"']);
});

Deno.test("filters choose records; leads take one from admins, products none", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company, dealer } = place;
  await create(admin, "/v1/accounts", account("Ada"));
  await create(admin, "/v1/accounts", account("Bob"));
  const filter = [{ field: "account.fixed_fields.name", operator: "eq", value: "Bob" }];
  const ask = { entity: "accounts", columns: ["name"] };
  assert.equal(await exportText(app, admin, { ...ask, filter }), '\ufeff"name"\r\n"Bob"\r\n');
  const saved = await create(admin, "/v1/accounts/filters", { name: "Bobs", filter });
  assert.equal(await exportText(app, admin, { ...ask, filter_id: saved.id }), '\ufeff"name"\r\n"Bob"\r\n');
  const readRefusal = async (body: object, actor = admin) => {
    const { status, body: problem } = await actor.call("POST", "/v1/exports", body);
    return [status, problem.errors?.map(({ path, code }: Body) => `${path} ${code}`) ?? problem.code];
  };
  assert.deepEqual(await readRefusal({}), [422, ["entity required"]]);
  assert.deepEqual(await readRefusal({ entity: "cases" }), [422, ["entity enum"]]);
  assert.deepEqual(await readRefusal({ entity: "leads", format: "pdf" }), [422, ["format enum"]]);
  assert.deepEqual(await readRefusal({ ...ask, columns: [] }), [422, ["columns min"]]);
  assert.deepEqual(await readRefusal({ ...ask, columns: ["name", "shoe"] }), [422, [
    "columns[1] unknown_field",
  ]]);
  assert.deepEqual(await readRefusal({ ...ask, filter, filter_id: saved.id }), [422, ["filter_id excluded"]]);
  assert.deepEqual(await readRefusal({ entity: "products", filter }), [422, ["filter excluded"]]);
  assert.deepEqual(await readRefusal({ ...ask, filter_id: crypto.randomUUID() }), [422, [
    "filter_id exists",
  ]]);
  assert.deepEqual(await readRefusal({ ...ask, filter: [{ field: "x", operator: "eq", value: 1 }] }), [
    422,
    ["filter[0].field unknown_field"],
  ]);
  const member = await company.user({ teams: [dealer], rights: ["reports.export", "reports.view"] });
  assert.deepEqual(await readRefusal({ entity: "leads", filter: [] }, member), [403, "forbidden"]);
});

Deno.test("a file whose writer died begins again, and after five times it has failed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await create(admin, "/v1/accounts", account("Ada"));
  const { id } = await create(admin, "/v1/exports", { entity: "accounts", columns: ["name"] });
  await app.idle();
  const [{ file_id }] = await app.sql("select file_id from exports where id = ?", id) as [
    { file_id: string },
  ];
  const readLeft = async (attempts: number) => {
    await app.deps.db.write([{
      sql: "update exports set status = 'running', file_id = null, attempts = ?, due_at = ? where id = ?",
      args: [attempts, app.clock.now() - 1, id],
    }]);
    await runJobs(app.deps, app.clock.now());
    await app.idle();
    return (await admin.call("GET", `/v1/exports/${id}`)).body;
  };
  const again = await readLeft(1);
  assert.deepEqual([again.status, again.rows], ["done", 1]);
  assert.notEqual(again.file_id, file_id);
  assert.deepEqual([(await readLeft(5)).status, (await readLeft(5)).file_id], ["failed", null]);
});

Deno.test("a filter whose pages take too long is tried five times, not as long as the export is kept", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { db } = app.deps;
  const read = db.read.bind(db);
  let attempts = 0;
  db.read = (statements) => {
    if (!statements.some(({ threaded }) => threaded)) return read(statements);
    attempts++;
    return Promise.reject(new TookTooLong());
  };
  const { id } = await exportAndWait(app, admin, { entity: "accounts" });
  await passHours(app, 6);
  db.read = read;
  const { body } = await admin.call("GET", `/v1/exports/${id}`);
  assert.deepEqual([body.status, attempts], ["failed", 5]);
});

Deno.test("a page that is late because the database hangs does not count as an attempt", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { db } = app.deps;
  const read = db.read.bind(db);
  let late = 0;
  // The shortest read does not come back, either.
  db.read = (statements) => {
    const isShort = statements.length === 1 && statements[0]!.sql === "select 1";
    if (!isShort && !statements.some(({ threaded }) => threaded)) return read(statements);
    if (!isShort) late++;
    return Promise.reject(new TookTooLong());
  };
  const { id } = await exportAndWait(app, admin, { entity: "accounts" });
  await passHours(app, 7);
  assert.deepEqual(await app.sql("select status, attempts from exports"), [{
    status: "pending",
    attempts: 0,
  }]);
  assert.ok(late > 5);
  db.read = read;
  await passHours(app, 1);
  assert.deepEqual(await app.sql("select status, attempts from exports where id = ?", id), [{
    status: "done",
    attempts: 1,
  }]);
});

Deno.test("a file without room fails, and is gone after 30 days with its export", async () => {
  await using app = await startApp({ FILE_QUOTA: "400" });
  const { admin } = await app.company();
  await create(admin, "/v1/accounts", account("Ada"));
  const ask = { entity: "accounts", columns: ["name"] };
  const done = await exportAndWait(app, admin, ask);
  assert.equal(done.status, "done");
  for (let n = 0; n < 9; n++) await create(admin, "/v1/accounts", account("x".repeat(50)));
  const full = await exportAndWait(app, admin, ask);
  assert.deepEqual([full.status, full.file_id], ["failed", null]);
  app.clock.move(30 * 86_400_000 + 1_000);
  assert.equal((await admin.call("GET", `/v1/exports/${done.id}`)).status, 404);
});

/** SQL that inserts copies of an account. `custom`: SQL of their custom values. */
function copies(number: number, custom: string): string {
  return `insert into accounts (id, company_id, b2c, name, name_key, custom, created_at, updated_at, last_activity_at,
    user_id) with recursive n (n) as (select 1 union all select n + 1 from n where n < ${number})
    select printf('0193b0a6-0000-7000-8000-%012d', n.n), a.company_id, 0, 'Account ' || n.n, 'account', ${custom},
    a.created_at, a.updated_at, a.updated_at, a.user_id from n cross join accounts a where a.id = ?`;
}

Deno.test("thousands of records come page by page, each once", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await create(admin, "/v1/accounts", account("Ada"));
  await app.deps.db.write([{ sql: copies(2_500, "'{}'"), args: [id] }]);
  const lines = (await exportText(app, admin, { entity: "accounts", columns: ["name", "id"] })).split("\r\n");
  assert.equal(lines.length, 2_501 + 2);
  assert.equal(new Set(lines).size, lines.length);
});

Deno.test("a page of large records ends early, and none is left out", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const fields: string[] = [];
  for (const label of ["One", "Two", "Three", "Four"]) {
    fields.push((await create(admin, "/v1/fields/account", { label, type: "multi_line" })).id);
  }
  const custom_fields = fields.map((id) => ({ id, value: "x".repeat(18_000) }));
  const { id } = await create(admin, "/v1/accounts", account("Ada", { custom_fields }));
  await app.deps.db.write([{ sql: copies(200, "a.custom"), args: [id] }]);
  // Characters of the texts that each read of a page gives.
  const pages: number[] = [];
  const { db } = app.deps;
  const read = db.read.bind(db);
  db.read = async (statements) => {
    const results = await read(statements);
    const size = results.reduce(
      (sum, { rows }) => rows.reduce((all, { custom }) => all + String(custom ?? "").length, sum),
      0,
    );
    if (statements.some(({ sql }) => sql.includes("step cross join"))) pages.push(size);
    return results;
  };
  const lines = (await exportText(app, admin, { entity: "accounts", format: "ndjson" })).trim().split("\n");
  assert.equal(new Set(lines.map((line) => JSON.parse(line).name)).size, 201);
  assert.ok(pages.reduce((sum, size) => sum + size, 0) > 14_000_000, pages.join());
  for (const size of pages) assert.ok(size < 9_000_000, pages.join());
});

/** Defines the same custom fields of accounts and contacts in each company. */
async function defineFields(admin: Actor): Promise<void> {
  for (const owner of ["account", "contact"]) {
    await create(admin, `/v1/fields/${owner}`, { label: "Shoe", type: "numeric" });
    await create(admin, `/v1/fields/${owner}`, { label: "Memo", type: "multi_line" });
    const { id } = await create(admin, `/v1/fields/${owner}`, { label: "Colours", type: "multiple_choice" });
    for (const value of ["Red", "Blue|Green", "blue", "Either\\", "Or\\|x"]) {
      await create(admin, `/v1/fields/${owner}/${id}/options`, { value });
    }
  }
}

Deno.test("exported, imported into an empty company with the same fields, and exported again: the same bytes", async () => {
  await using app = await startApp();
  const [from, to] = [await app.company(), await app.company("Copy")];
  for (const { admin } of [from, to]) await defineFields(admin);
  const { admin } = from;
  const listDefined = async (owner: string): Promise<Body[]> =>
    (await admin.call("GET", `/v1/fields/${owner}`)).body.data;
  const custom = async (owner: string, values: Record<string, unknown>) => {
    const fields = await listDefined(owner);
    return Object.entries(values).map(([label, value]) => {
      const field = fields.find((each) => each.label === label)!;
      const ids = Array.isArray(value)
        ? value.map((word) => field.options.find((option: Body) => option.value === word).id)
        : value;
      return { id: field.id, value: ids };
    });
  };
  const texts = [
    "=1+1",
    "'=x",
    "+31 6",
    "-3",
    "@a",
    "#N/A",
    "''#N/A",
    "'#N/A",
    'a|b, "c"',
    'He said "no"; and, so',
    "Ünïcode €",
    "007",
  ];
  for (const [place, name] of texts.entries()) {
    app.clock.move(61_000);
    const account = await create(admin, "/v1/accounts", {
      external_id: `A-${place}`,
      fixed_fields: listFields({ name, city: texts.at(-1 - place), country: place % 2 ? "NL" : "DE" }),
      custom_fields: await custom("account", {
        Shoe: place - 2.5,
        Memo: `${name}\nand more`,
        ...(place % 2 ? { Colours: ["Red", "Either\\", "Or\\|x", "Blue|Green"] } : {}),
      }),
    });
    await create(admin, `/v1/accounts/${account.id}/contacts`, {
      ...(place % 3 ? { external_id: name } : {}),
      fixed_fields: listFields({
        first_name: "Ada",
        last_name: place % 2 ? name : `${name} x`,
        email: `ada${place}@example.org`,
        phone_number: "+44 20 7946 0000",
      }),
      custom_fields: await custom("contact", { Shoe: place, Memo: `=${place}` }),
      consent: place % 2 ? { email: { consent_given: true }, call: { consent_given: false } } : {},
    });
  }
  for (const format of ["csv", "ndjson"]) {
    for (const entity of ["accounts", "contacts"]) {
      const first = await exportText(app, admin, { entity, format });
      const other = format === "csv" ? to : await app.company(`Copy ${entity}`);
      if (other !== to) await defineFields(other.admin);
      const done = await importFile(app, other.admin, first, {
        entity,
        format,
      });
      assert.deepEqual([done.status, done.counts.failed], ["done", 0], JSON.stringify(done));
      assert.equal(await exportText(app, other.admin, { entity, format }), first, `${entity} ${format}`);
    }
  }
});
