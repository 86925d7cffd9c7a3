/** A password reset goes out at once, however much other mail waits, and however slow the mail server is with it. */
import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeSmtpMailer } from "../../src/platform/mail/smtp.ts";
import { startSmtp } from "../support/smtp.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createCampaign, everybody, sendingCompany } from "./campaign_world.ts";

/** Starts to send a campaign to many contacts; ends it with the test. */
async function withCampaign(
  count: number,
  env: Record<string, string>,
  test: (world: Awaited<ReturnType<typeof makeWorld>>) => Promise<void>,
): Promise<void> {
  await using smtp = await startSmtp();
  await using app = await startApp(env);
  const mailer = makeSmtpMailer({ url: smtp.url, from: "crm@example.com", pool: true });
  app.mailer.send = mailer.send;
  const world = await makeWorld(app, smtp, count);
  const jobs = runJobs(app.deps, app.clock.now());
  try {
    await test(world);
  } finally {
    await world.company.admin.call("POST", `/v1/campaigns/${world.campaign}/stop`);
    world.release();
    await jobs;
    mailer.close();
  }
}

async function makeWorld(app: TestApp, smtp: Awaited<ReturnType<typeof startSmtp>>, count: number) {
  const company = await sendingCompany(app);
  await addContacts(app, company.id, count);
  const { id: campaign } = await createCampaign(company.admin, everybody);
  const [user] = await app.sql("select email from users limit 1");
  const client = await app.trustedClient();
  const released = Promise.withResolvers<void>();
  return {
    app,
    smtp,
    company,
    campaign,
    address: String(user!.email),
    released: released.promise,
    release: released.resolve,
    reset: async (email: string) => {
      const { status, text } = await app.call(client, "POST", "/v1/reset-password", { email });
      assert.equal(status, 204, text);
    },
  };
}

Deno.test("a password reset arrives within a second's mails while 10,000 of a campaign wait", async () => {
  await withCampaign(10_000, { MAIL_RATE: "20" }, async ({ app, smtp, address, reset }) => {
    const begun = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    let campaign = 0;
    smtp.onMail = ({ to }) => {
      if (to[0] === address) return arrived.resolve();
      if (++campaign === 3) begun.resolve();
    };
    await begun.promise;
    const [{ waiting }] = await app.sql(
      "select count(*) as waiting from campaign_messages where status = 'pending'",
    ) as [{ waiting: number }];
    assert.ok(waiting > 9_900, `${waiting} wait`);
    const before = campaign;
    await reset(address);
    await arrived.promise;
    // Compares counts of mails, so that the load of the machine does not matter.
    assert.ok(campaign - before < 20, `${campaign - before} mails went first`);
  });
});

Deno.test("a password reset arrives while the mail server holds every mail of a campaign", async () => {
  await withCampaign(100, { MAIL_RATE: "0" }, async ({ smtp, address, reset, released }) => {
    const held = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<string>();
    let campaign = 0;
    smtp.onMail = async ({ to }) => {
      if (to[0] === address) return arrived.resolve("arrived");
      if (++campaign === 5) held.resolve();
      await released;
    };
    await held.promise;
    await reset(address);
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve("held up"), 30_000);
    assert.equal(await Promise.race([arrived.promise, late.promise]), "arrived");
    clearTimeout(timer);
  });
});

async function addContacts(app: TestApp, company: number, count: number): Promise<void> {
  const at = "2026-01-01 00:00:00";
  const account = "01939c5e-7d3a-7001-8000-000000000001";
  await app.deps.db.write([
    sql`insert into accounts (id, company_id, name_key, last_activity_at, created_at, updated_at)
      values (${account}, ${company}, '', ${at}, ${at}, ${at})`,
    sql`insert into contacts (id, company_id, account_id, last_name, email, last_name_key, last_activity_at,
      created_at, updated_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      select printf('01939c5e-7d3a-7002-8000-%012x', i), ${company}, ${account}, 'Byron ' || i,
        'lead' || i || '@example.org', '', ${at}, ${at}, ${at} from n`,
  ]);
}
