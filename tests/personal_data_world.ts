/** Companies in which every kind of record is about one person, and where that person can be found. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { refuseAddress } from "../src/customers/refusals/refusals.ts";
import { runJobs } from "../src/jobs.ts";
import { openFile } from "../src/platform/database/file.ts";
import { type Actor, type Body, type TestApp, type TestCompany } from "./support/app.ts";
import { startTarget } from "./support/listener.ts";
import { createCampaign, everybody, postRecord, put } from "./messages/campaign_world.ts";
import { newPath } from "./sales/parts.ts";

export const day = 24 * 3_600_000;
export const env = { INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: "an-inbound-secret" };

/** A contact's values, which are found nowhere else. */
export const marks = {
  first_name: "Zqadafirst",
  last_name: "Zqbyronlast",
  email: "zqadamail@example.org",
  phone_number: "+31 6 55557202",
};
export const ofContact = Object.values(marks);

export const nameFields = (fields: object) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

/** Places that have one of the texts, in any case: tables with columns, files, and lines of the log. */
export async function findPlaces(app: TestApp, texts: readonly string[]): Promise<string[]> {
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
export async function passDays(app: TestApp, days: number): Promise<void> {
  app.clock.move(days * day);
  // From one run to the next, rows age by an hour at most.
  await app.deps.db.write([{ sql: "update ageing set reached = ?", args: [app.clock.now()] }]);
  for (let runs = 0; runs < 3; runs++) assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
}

/** A contact that every kind of record is about. */
export interface Scene {
  readonly company: TestCompany;
  readonly member: Actor;
  readonly account: Body;
  readonly contact: Body;
  close(): Promise<void>;
}

export async function makeScene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const { admin } = company;
  await put(admin, "/v1/campaigns/settings", { domain_slug: "slug" });
  const target = startTarget();
  await postRecord(admin, "/v1/webhooks", { target_url: target.url, webhook_event: "*" });
  const team = await company.team({ team_type: "dealer" });
  const member = await company.user({ teams: [team] });
  const path = await newPath(admin);
  const account = await postRecord(admin, "/v1/accounts", { b2c: true, fixed_fields: [] });
  const { body: contact } = await admin.call("POST", `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields(marks),
    external_id: "zqcontactext",
  }, { "Idempotency-Key": "k" });
  const one = await postRecord(member, "/v1/cases", { contact_id: contact.id, relations_path_id: path.id });
  const task = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };
  await postRecord(member, `/v1/cases/${one.id}/activities`, {
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
  await postRecord(member, "/v1/notes", { note: `<b>${marks.first_name}</b>`, ...about });
  await postRecord(member, `/v1/cases/${one.id}/timeline`, { title: marks.first_name });
  await createCampaign(admin, everybody);
  const letter = { content: "<p>{{contact.first_name}} {{contact.last_name}}</p>" };
  await createCampaign(admin, { ...everybody, name: "Letter", type: "letter", message: letter });
  await app.idle();
  await runJobs(app.deps, app.clock.now());
  const type = await postRecord(admin, "/v1/lead-types", { name: "Drive", relations_path_ids: [path.id] });
  await postRecord(admin, "/v1/leads", {
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
