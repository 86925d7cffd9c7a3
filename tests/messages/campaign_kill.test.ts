/**
 * Processes that send a campaign are killed, and the mail server refuses, stalls and breaks connections: no
 * recipient is left out, and only mails in the server's hands are sent twice. `CAMPAIGN_RECIPIENTS`,
 * `CAMPAIGN_KILLS` and `CAMPAIGN_PROCESSES` make the test larger.
 */
import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type Child, startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { createCampaign, sendingCompany, soon } from "./campaign_world.ts";
import { isUnknown, startFaultySmtp } from "./faulty_smtp.ts";

const readSize = (name: string, usual: number) => Number(Deno.env.get(name) ?? usual);
const recipients = readSize("CAMPAIGN_RECIPIENTS", 500);
const kills = readSize("CAMPAIGN_KILLS", 3);
const processes = readSize("CAMPAIGN_PROCESSES", 2);

/** The time in which the server reads what has reached this machine, in milliseconds. */
const drainMs = 100;

/** Most mails of a process in the server's hands at once. */
const atOnce = 5;

const secrets = { SECRETS_KEY: new Uint8Array(32).fill(7).toBase64() };

Deno.test("of a campaign whose senders are killed, nobody is left out, and only mail in hands comes twice", async () => {
  await using smtp = await startFaultySmtp();
  await using app = await startApp(secrets);
  const { admin, id: company } = await sendingCompany(app);
  const began = app.clock.now();
  await addContacts(app, company);
  const { id } = await createCampaign(admin, soon);
  const env = {
    ...secrets,
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: `file:${app.folder}/files`,
    MAIL_URL: smtp.url,
    MAIL_RATE: "0",
    SHARED_CLOCK: String(Math.max(began, Date.now())),
  };
  const start = () => startChild(programArguments("tests/messages/campaign_sender.ts"), env);
  const running: Child[] = Array.from({ length: processes }, start);
  /** Mails that had reached the server at a kill but were not recorded as sent. */
  const suspects = new Set<string>();
  const suspect = async () => {
    const unrecorded = new Set(await unsent(app));
    // The server still reads what the killed process wrote.
    await new Promise((resolve) => setTimeout(resolve, drainMs));
    const reached = [...smtp.inHands, ...smtp.taken.map(({ to }) => to)];
    for (const to of reached) if (unrecorded.has(to)) suspects.add(to);
  };
  const unsubscribed = new Set<string>();
  try {
    for (let kill = 0; kill < kills; kill++) {
      await smtp.reached(Math.floor((recipients * 0.8 * (kill + 1)) / (kills + 1)));
      const victim = running.shift()!;
      await victim.kill("SIGKILL");
      await suspect();
      if (kill === 1) {
        await Promise.all(running.splice(0).map((child) => child.kill("SIGKILL")));
        await suspect();
        for (const to of await unsubscribe(app, company, smtp.taken.map((mail) => mail.to))) {
          unsubscribed.add(to);
        }
        while (running.length < processes - 1) running.push(start());
      }
      running.push(start());
    }
    await waitForEnd(app, id);
  } finally {
    await Promise.all(running.map((child) => child.kill("SIGKILL")));
  }

  const byRecipient = Map.groupBy(smtp.taken, ({ to }) => to);
  const expected = addresses().filter((to) => !isUnknown(to) && !unsubscribed.has(to));
  assert.deepEqual(expected.filter((to) => !byRecipient.has(to)), [], "nobody is left out");
  assert.deepEqual([...unsubscribed].filter((to) => byRecipient.has(to)), [], "who unsubscribed gets none");
  assert.equal(unsubscribed.size, 5);
  const ids = new Map(
    [...byRecipient].map(([to, mails]) => [to, new Set(mails.map((mail) => mail.messageId))]),
  );
  assert.deepEqual([...ids].filter(([, { size }]) => size !== 1), [], "one Message-ID for each recipient");
  assert.equal(new Set([...ids.values()].flatMap((each) => [...each])).size, byRecipient.size);
  const twice = [...byRecipient].filter(([, mails]) => mails.length > 1).map(([to]) => to);
  assert.deepEqual(twice.filter((to) => !suspects.has(to)), [], "only mail in hands at a kill comes twice");
  assert.ok(twice.length <= (kills + 1) * processes * atOnce, `${twice.length} came twice`);
  const { total_sent, status } = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual([status, total_sent], ["sent", byRecipient.size]);
  const rows = await app.sql(
    "select status, count(*) as n from campaign_messages group by status order by status",
  );
  const unknown = addresses().filter(isUnknown).length;
  assert.deepEqual(rows.map(({ status, n }) => [status, n]), [
    ["failed", unknown],
    ["sent", expected.length],
    ["skipped", unsubscribed.size],
  ]);
});

function addresses(): string[] {
  return Array.from({ length: recipients }, (_, n) => `${n % 50 === 7 ? "unknown" : "r"}${n}@example.org`);
}

async function addContacts(app: TestApp, company: number): Promise<void> {
  const rows = JSON.stringify(addresses());
  const at = "2026-01-01 00:00:00";
  await app.deps.db.write([
    sql`insert into accounts (id, company_id, name_key, last_activity_at, created_at, updated_at)
      select printf('01939c5e-7d3a-7001-8000-%012x', key), ${company}, '', ${at}, ${at}, ${at} from json_each(${rows})`,
    sql`insert into contacts (id, company_id, account_id, email, last_name_key, last_activity_at, created_at,
      updated_at) select printf('01939c5e-7d3a-7002-8000-%012x', key), ${company},
      printf('01939c5e-7d3a-7001-8000-%012x', key), value, '', ${at}, ${at}, ${at} from json_each(${rows})`,
  ]);
}

/** The addresses of messages that are not recorded as sent. */
async function unsent(app: TestApp): Promise<string[]> {
  const rows = await app.sql("select email from campaign_messages where status <> 'sent'");
  return rows.map(({ email }) => String(email));
}

/**
 * Ends the consent of five recipients who have no mail yet, while nothing is sent. Returns their addresses.
 */
async function unsubscribe(app: TestApp, company: number, reached: readonly string[]): Promise<string[]> {
  const had = new Set(reached);
  const chosen = addresses().filter((to) => !had.has(to) && !isUnknown(to)).slice(-5);
  await app.deps.db.write([
    sql`update contacts set consent_email = 0 where company_id = ${company}
      and email in (select value from json_each(${JSON.stringify(chosen)}))`,
  ]);
  return chosen;
}

/** Waits until the campaign is sent. */
async function waitForEnd(app: TestApp, id: string): Promise<void> {
  const until = Date.now() + 60_000 + recipients * 100;
  while (Date.now() < until) {
    const [row] = await app.sql(`select stage, status from campaigns where id = '${id}'`);
    if (row!.stage === null && row!.status === "sent") return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const left = await app.sql(
    "select error, count(*) as n from campaign_messages where status = 'pending' group by error",
  );
  assert.fail(`messages still wait: ${JSON.stringify(left)}`);
}
