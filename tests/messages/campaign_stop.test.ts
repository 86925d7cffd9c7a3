/** A process that ends while it sends records the mails in progress. The rest are sent later, once. */
import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { startApp } from "../support/app.ts";
import { memoryLog } from "../support/ports.ts";
import { startSmtp } from "../support/smtp.ts";
import { campaignMails, createCampaign, createConsumer, sendingCompany, soon } from "./campaign_world.ts";

const recipients = 40;

for (const rate of ["0", "20"]) {
  Deno.test(`a process that ends in the middle of a campaign sends nothing twice (MAIL_RATE ${rate})`, async () => {
    await using smtp = await startSmtp();
    await using app = await startApp({ MAIL_RATE: "0" });
    const { admin } = await sendingCompany(app);
    for (let n = 0; n < recipients; n++) await createConsumer(admin, { email: `lead${n}@example.org` });
    await createCampaign(admin, soon);
    app.clock.move(3_600_000);
    const config = loadConfig({
      DATABASE_URL: `file:${app.file}`,
      STORAGE_URL: `file:${app.folder}/files`,
      MAIL_URL: smtp.url,
      MAIL_RATE: rate,
    });
    const { deps, close } = await openBox(config, { clock: app.clock, log: memoryLog() });
    const some = Promise.withResolvers<void>();
    smtp.onMail = async () => {
      if (smtp.mails.length >= 4) some.resolve();
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    deps.background.run(() => runJobs(deps, app.clock.now()));
    await some.promise;
    await close();
    const first = smtp.mails.length;
    assert.ok(first < recipients, `${first} were sent`);
    const counts = await app.sql(`select sum(status = 'sent') as sent,
      sum(status = 'pending' and due_at <= ${app.clock.now()} and attempts = 0) as waiting from campaign_messages`);
    assert.deepEqual(counts, [{ sent: first, waiting: recipients - first }]);
    await runJobs(app.deps, app.clock.now());
    const all = [...smtp.mails.map(({ to }) => to[0]!), ...campaignMails(app).map(({ to }) => to)];
    assert.deepEqual([all.length, new Set(all).size], [recipients, recipients]);
  });
}
