/** The work of a deleted company waits, so that the company comes back whole. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { insertMail, mailLanes } from "../../src/db/mails.ts";
import { beginErasures } from "../../src/identity/companies/begin_erasure.ts";
import { restoreCompany } from "../../src/identity/companies/restore.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  runWork,
  sendingCompany,
} from "../messages/campaign_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { fill } from "../sweep/place.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const author = (app: TestApp) => ({
  deps: app.deps,
  now: app.clock.now(),
  at: formatTimestamp(app.clock.now()),
});

/** Every row that names the company, by table. */
async function readRows(app: TestApp, company: number): Promise<Record<string, string[]>> {
  const tables = await app.sql(
    "select m.name from sqlite_master m where m.type = 'table' and exists (select 1 from pragma_table_info(m.name) where name = 'company_id') order by m.name",
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await app.sql(`select * from "${name}" where company_id = ?`, company);
    found[String(name)] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** Writes a mail of the company for each lane, which no sender takes at once. */
async function writeMails(app: TestApp, company: number): Promise<void> {
  const lanes = Object.keys(mailLanes) as (keyof typeof mailLanes)[];
  await app.deps.db.write(
    lanes.map((lane) =>
      insertMail(
        author(app),
        { to: "ada@example.org", subject: `By ${lane}`, text: "Hello", lane },
        company,
      )
    ),
  );
}

const listWritten = (app: TestApp) =>
  app.mailer.sent.map(({ subject }) => subject).filter((subject) => subject.startsWith("By ")).sort();

Deno.test("while a company is deleted no job changes a row of it, and its work goes on when it is back", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { ids, world: { admin } } = await fill(app);
  const company = ids.company_id;
  const neighbour = await sendingCompany(app);
  await createConsumer(neighbour.admin, { first_name: "Grace", email: "grace@example.org" });
  await runWork(app);
  const at = (later: number) => formatTimestamp(app.clock.now() + later);
  const slug = await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: "waiting" });
  assert.equal(slug.status, 200, slug.text);
  const task = { completed: false, start_at: at(minute), end_at: at(60 * minute), user_id: admin.id };
  const changed = await admin.call("PUT", `/v1/tasks/${ids.task_id}`, task);
  assert.equal(changed.status, 200, changed.text);
  const spring = { ...everybody, execute_now: false, send_at: at(60 * minute) };
  const campaign = await createCampaign(admin, spring);
  await runWork(app);
  await writeMails(app, company);
  assert.equal((await admin.call("DELETE", `/v1/companies/${company}`)).status, 204);

  const before = await readRows(app, company);
  app.mailer.sent.length = 0;
  app.clock.move(6 * day);
  await createCampaign(neighbour.admin, everybody);
  for (let n = 0; n < 2; n++) {
    await runWork(app);
    await app.idle();
    app.clock.move(minute);
  }
  const after = await readRows(app, company);
  const differing = Object.keys(before).filter((name) => `${before[name]}` !== `${after[name]}`);
  assert.deepEqual(differing, []);
  assert.deepEqual(campaignMails(app).map(({ to }) => to), ["grace@example.org"], "its neighbour's goes out");
  assert.deepEqual(listWritten(app), []);

  await restoreCompany(author(app), company);
  for (let n = 0; n < 2; n++) {
    await runWork(app);
    await app.idle();
    app.clock.move(minute);
  }
  assert.deepEqual(listWritten(app), ["By automated", "By correspondence", "By prompt"]);
  const [{ status }] = await app.sql("select status from campaigns where id = ?", campaign.id) as [
    { status: string },
  ];
  assert.equal(status, "sent");
  const types = await app.sql(
    "select distinct type from notifications where company_id = ? and created_at > ?",
    company,
    at(-day),
  );
  for (const type of ["lead_escalated", "overdue_task"]) {
    assert.ok(types.some((row) => row.type === type), `${type} of ${JSON.stringify(types)}`);
  }
});

Deno.test("mail that waits in a deleted company is erased with it, never sent", async () => {
  await using app = await startApp({ ERASE_AFTER: "2" });
  const { id, admin } = await app.company();
  await writeMails(app, id);
  assert.equal((await admin.call("DELETE", `/v1/companies/${id}`)).status, 204);
  app.clock.move(2 * day);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 1);
  for (let n = 0; n < 2; n++) {
    await runWork(app);
    app.clock.move(minute);
  }
  assert.deepEqual(await app.sql("select id from companies"), []);
  assert.deepEqual(await app.sql("select id from mails"), []);
  assert.deepEqual(listWritten(app), []);
});

Deno.test("who unsubscribes while a company is deleted gets no mail when it comes back", async () => {
  await using app = await startApp({ MAIL_RATE: "0", ERASE_AFTER: "2" });
  const { id, admin, token } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Ada", email: "ada@example.org" });
  await createCampaign(admin, everybody);
  await runWork(app);
  const link = campaignMails(app)[0]!.headers!["List-Unsubscribe"]!.slice(1, -1);
  assert.equal((await admin.call("DELETE", `/v1/companies/${id}`)).status, 204);
  const click = async () => {
    const body = "List-Unsubscribe=One-Click";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const reply = await fetch(link, { method: "POST", body, headers });
    return [reply.status, (await reply.text()).includes("unsubscribed")];
  };
  assert.deepEqual(await click(), [200, true]);
  await restoreCompany(author(app), id);
  const back = await token(admin.id);
  const again = await app.call(back, "POST", "/v1/campaigns", { ...everybody, name: "Again" });
  assert.equal(again.status, 201, again.text);
  await runWork(app);
  assert.equal(campaignMails(app).length, 1);
  assert.equal((await app.call(back, "DELETE", `/v1/companies/${id}`)).status, 204);
  app.clock.move(2 * day);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 1);
  assert.deepEqual(await click(), [404, false], "once its data goes");
});
