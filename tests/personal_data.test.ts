/** Nothing of a deleted person stays longer than the list says: in tables, files, logs and backups. */
import assert from "node:assert/strict";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { DatabaseSync } from "node:sqlite";
import { impersonal, impersonalIn, longestAfter, personalData } from "../src/core/personal_data.ts";
import { refuseAddress } from "../src/customers/refusals/refusals.ts";
import { migrationsFolder } from "../src/entry/box.ts";
import { companyErasureWork } from "../src/erase.ts";
import { runJobs } from "../src/jobs.ts";
import { openFile } from "../src/platform/database/file.ts";
import { readMigrations } from "../src/platform/database/migration_files.ts";
import { tables as declared } from "../src/schema.ts";
import { runStaged } from "../src/staged/run.ts";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "./support/app.ts";
import { startTarget } from "./support/listener.ts";
import { campaignOf, everybody, posted, put } from "./messages/campaign_world.ts";
import { newPath } from "./sales/parts.ts";

const day = 24 * 3_600_000;
const env = { INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: "an-inbound-secret" };

/** A contact's values, which are found nowhere else. */
const marks = {
  first_name: "Zqadafirst",
  last_name: "Zqbyronlast",
  email: "zqadamail@example.org",
  phone_number: "+31 6 55557202",
};
const ofContact = Object.values(marks);

const named = (fields: object) => Object.entries(fields).map(([name, value]) => ({ name, value }));

/** Places that have one of the texts, in any case: tables with columns, files, and lines of the log. */
async function placesOf(app: TestApp, texts: readonly string[]): Promise<string[]> {
  const all = texts.flatMap((text) => [text, text.replaceAll(" ", "")]).map((text) => text.toLowerCase());
  const has = (value: string) => all.some((text) => value.toLowerCase().includes(text));
  const found = new Set<string>();
  const db = new DatabaseSync(app.file, { readOnly: true });
  for (const { name } of db.prepare("select name from sqlite_master where type = 'table'").all()) {
    const rows = db.prepare(`select * from "${name}"`);
    rows.setReadBigInts(true);
    for (const row of rows.all()) {
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array
          ? new TextDecoder("latin1").decode(value)
          : typeof value === "string"
          ? await app.deps.jsonPool.expand(value)
          : "";
        if (has(text)) found.add(`table ${name}.${column}`);
      }
    }
  }
  db.close();
  for (const entry of app.log.entries) {
    if (has(JSON.stringify(entry))) found.add(`log ${JSON.stringify(entry)}`);
  }
  const walk = async (folder: string) => {
    for await (const each of Deno.readDir(folder)) {
      const path = `${folder}/${each.name}`;
      if (each.isDirectory) await walk(path);
      else if (has(new TextDecoder("latin1").decode(await Deno.readFile(path)))) {
        found.add(`file ${path.slice(app.folder.length + 1)}`);
      }
    }
  };
  const copied = openFile(app.file);
  await copied.backupTo(`${app.folder}/backup.db`);
  await copied.close();
  await walk(app.folder);
  return [...found].sort();
}

/** Lets days pass with all their jobs, by which rows age. */
async function pass(app: TestApp, days: number): Promise<void> {
  app.clock.move(days * day);
  // From one run to the next, rows age by an hour at most.
  await app.deps.db.write([{ sql: "update ageing set reached = ?", args: [app.clock.now()] }]);
  for (let runs = 0; runs < 3; runs++) assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
}

/** A contact that every kind of record is about. */
interface Scene {
  readonly company: TestCompany;
  readonly member: Actor;
  readonly account: Body;
  readonly contact: Body;
  close(): Promise<void>;
}

async function scene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const { admin } = company;
  await put(admin, "/v1/campaigns/settings", { domain_slug: "slug" });
  const target = startTarget();
  await posted(admin, "/v1/webhooks", { target_url: target.url, webhook_event: "*" });
  const team = await company.team({ team_type: "dealer" });
  const member = await company.user({ teams: [team] });
  const path = await newPath(admin);
  const account = await posted(admin, "/v1/accounts", { b2c: true, fixed_fields: [] });
  const { body: contact } = await admin.call("POST", `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: named(marks),
    external_id: "zqcontactext",
  }, { "Idempotency-Key": "k" });
  const one = await posted(member, "/v1/cases", { contact_id: contact.id, relations_path_id: path.id });
  const task = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };
  await posted(member, `/v1/cases/${one.id}/activities`, {
    activity_type_ids: [path.types["Call"]],
    note: `met ${marks.first_name}`,
    correspondence: {
      email: { subject: `Dear ${marks.first_name}`, content: `<p>${marks.last_name}</p>`, send: true },
      letter: { content: `<p>${marks.last_name}</p>` },
    },
    task: { ...task, note: marks.first_name },
  });
  await app.idle();
  await arrive(app, app.mailer.sent.at(-1)!.author!.address);
  const about = { contact_id: contact.id, account_id: account.id };
  await posted(member, "/v1/notes", { note: `<b>${marks.first_name}</b>`, ...about });
  await posted(member, `/v1/cases/${one.id}/timeline`, { title: marks.first_name });
  await campaignOf(admin, everybody);
  const letter = { content: "<p>{{contact.first_name}} {{contact.last_name}}</p>" };
  await campaignOf(admin, { ...everybody, name: "Letter", type: "letter", message: letter });
  await app.idle();
  await runJobs(app.deps, app.clock.now());
  const type = await posted(admin, "/v1/lead-types", { name: "Drive", relations_path_ids: [path.id] });
  await posted(admin, "/v1/leads", {
    b2c: true,
    lead_source: "web",
    lead_type_id: type.id,
    team_id: team,
    ...about,
    lead_data: [{ key: "wish", label: "Wish", value: marks.first_name }],
    interest: marks.last_name,
  });
  const content = "<p>{{contact.last_name}}</p>";
  const preview = await admin.call("POST", "/v1/templates/preview/letter", {
    contact_id: contact.id,
    content,
  });
  assert.equal(preview.status, 200, preview.text);
  const refused = { company_id: company.id, email: marks.email };
  await app.deps.db.write([refuseAddress(app.deps, refused, "unsubscribed", "2026-03-02 09:00:00")]);
  await app.idle();
  await runJobs(app.deps, app.clock.now());
  return { company, member, account, contact, close: () => target.close() };
}

/** Lets the contact answer, with a file. */
async function arrive(app: TestApp, to: string): Promise<void> {
  const arrived = await fetch(`${app.url}/v1/mail/inbound`, {
    method: "POST",
    headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${env.INBOUND_MAIL_SECRET}` },
    body: [
      `From: ${marks.first_name} <${marks.email}>`,
      `To: Sales <${to}>`,
      `Subject: Re from ${marks.last_name}`,
      "Message-ID: <one@example.org>",
      "Content-Type: multipart/mixed; boundary=x",
      "",
      "--x",
      "",
      `Yes, ${marks.first_name}`,
      "--x",
      `Content-Type: text/plain; name="${marks.last_name}.txt"`,
      `Content-Disposition: attachment; filename="${marks.last_name}.txt"`,
      "",
      marks.phone_number,
      "--x--",
    ].join("\r\n"),
  });
  assert.equal(arrived.status, 202, await arrived.text());
}

const textsOf = (columns: string | undefined) => columns?.split(" ") ?? [];

Deno.test("every column that can hold text is on the list of personal data, or of columns without any", () => {
  const tables = declared.map(getTableConfig);
  const listed = (table: string) => [
    ...personalData.flatMap(({ columns }) => textsOf(columns[table])),
    ...textsOf(impersonalIn[table]),
  ];
  const unlisted = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => !/^(?:integer|real)$/.test(column.getSQLType()))
      .filter((column) => !impersonal.test(column.name) && !listed(name).includes(column.name))
      .map((column) => `${name}.${column.name}`)
  );
  assert.deepEqual(unlisted, []);
  const known = new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`)),
  );
  const lists = [...personalData.map(({ columns }) => columns), impersonalIn].flatMap((list) =>
    Object.entries(list).flatMap(([table, columns]) => textsOf(columns).map((column) => `${table}.${column}`))
  );
  assert.deepEqual(lists.filter((column) => !known.has(column)), []);
  assert.deepEqual(lists.filter((column, at) => lists.indexOf(column) !== at), [], "listed twice");
});

Deno.test("of a deleted contact nothing stays in tables, files, logs and backups after the longest time", async () => {
  await using app = await startApp(env);
  const { company, account, close } = await scene(app);
  const before = await placesOf(app, ofContact);
  for (const table of ["contacts", "correspondences", "campaign_messages", "outbox", "leads", "refusals"]) {
    assert.ok(before.some((place) => place.startsWith(`table ${table}.`)), table);
  }
  assert.deepEqual(before.filter((place) => place.startsWith("log")), []);
  assert.deepEqual(before.filter((place) => place.startsWith("table notifications")), []);
  assert.equal((await company.admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  await pass(app, longestAfter / day + 1);
  assert.deepEqual(await placesOf(app, ofContact), []);
  await close();
});

Deno.test("a notification of a deleted contact names nobody", async () => {
  await using app = await startApp(env);
  const { company, member, account, contact, close } = await scene(app);
  const incoming = async () => {
    const { body } = await member.call("GET", "/v1/notifications");
    const { data, message } = body.data.find(({ type }: Body) => type === "incoming_email");
    return { contact: data.contact?.first_name, subject: data.email?.subject, message };
  };
  const { first_name } = marks;
  const shown = await incoming();
  assert.deepEqual([shown.contact, shown.subject], [first_name, `Re from ${marks.last_name}`]);
  assert.match(shown.message, new RegExp(first_name));
  const path = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  assert.equal((await company.admin.call("DELETE", path)).status, 204);
  const gone = await incoming();
  assert.deepEqual([gone.contact, gone.subject], [undefined, undefined]);
  assert.match(gone.message, /^A contact sent an e-mail to /);
  await close();
});

Deno.test("of a deleted user the name alone stays, and nothing of an erased company", async () => {
  await using app = await startApp({ ...env, ERASE_AFTER: "0" });
  const { company, close } = await scene(app);
  const { admin } = company;
  const given = {
    email: "zqgracemail@example.org",
    phone_number: "+31 6 55557101",
    job_title: "Zqgracetitle",
    signature: { email: "<p>Zqgracesign</p>" },
  };
  const names = { first_name: "Zqgracefirst", last_name: "Zqhopperlast" };
  const users = `/v1/companies/${company.id}/users`;
  const user = await posted(admin, users, { ...given, ...names, password: "ten chars!" });
  const [row] = await app.sql("select password_hash from users where id = ?", user.id);
  const texts = [given.email, given.phone_number, given.job_title, "Zqgracesign", String(row!.password_hash)];
  assert.ok((await placesOf(app, texts)).length > 3);
  assert.equal((await admin.call("DELETE", `${users}/${user.id}`)).status, 204);
  await pass(app, longestAfter / day + 1);
  assert.deepEqual(await placesOf(app, texts), []);
  const ofNames = await placesOf(app, Object.values(names));
  assert.deepEqual(ofNames.filter((place) => place.startsWith("table")), [
    "table users.first_name",
    "table users.last_name",
  ]);

  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + day, [companyErasureWork]);
  await pass(app, longestAfter / day + 1);
  assert.deepEqual(await placesOf(app, [...ofContact, ...texts, ...Object.values(names)]), []);
  await close();
});

Deno.test("what earlier versions kept of deleted users and in notifications is cleaned when the file is migrated", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const old = { id: "x", first_name: "Zqold", last_name: "Zqolder", account_id: "y" };
  await app.deps.db.write([
    {
      sql:
        "update users set deleted_at = created_at, email = 'zqold@example.org', email_key = 'zqold@example.org', " +
        "phone_number = 'zqold', signature_email = 'zqold', password_hash = 'zqold' where id = ?",
      args: [admin.id],
    },
    {
      sql: "insert into notifications (id, company_id, user_id, type, data, unsent, created_at) " +
        "values ('n', ?, ?, 'incoming_email', ?, 0, '2026-03-02 09:00:00')",
      args: [
        admin.companyId,
        admin.id,
        JSON.stringify({ contact: old, email: { id: "z", subject: "Zqold" } }),
      ],
    },
  ]);
  const { statements } = readMigrations(migrationsFolder).find(({ tag }) =>
    tag.endsWith("forgotten_people")
  )!;
  await app.deps.db.write(statements.map((sql) => ({ sql, args: [] })));
  assert.deepEqual((await placesOf(app, ["zqold"])).filter((place) => place.startsWith("table")), []);
  const [kept] = await app.sql("select data from notifications");
  assert.deepEqual(JSON.parse(kept!.data as string), { contact: { id: "x" }, email: { id: "z" } });
});
