import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { keptMails } from "../../src/db/mails.ts";
import { statement } from "../../src/db/statements.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { movableClock } from "../../src/platform/clock.ts";
import { memoryLog } from "../../src/platform/log.ts";
import { inFolder } from "../support/engines.ts";

const day = 24 * 3_600_000;

Deno.test("without a mail server the database keeps each mail, sealed, for thirty days", () =>
  inFolder(async (folder) => {
    const clock = movableClock(Date.UTC(2026, 2, 2));
    const config = loadConfig({ DATABASE_URL: `file:${folder}/crm.db` });
    const { deps, close } = await openBox(config, { clock, log: memoryLog() });
    try {
      const plain = {
        to: "ann@example.com",
        subject: "Your password",
        text: "https://crm.example/reset/secret",
      };
      const rich = { ...plain, html: "<p>reset/secret</p>" };
      for (const mail of [plain, rich]) await deps.mailer.send(mail);
      assert.deepEqual(await keptMails(deps), [plain, rich]);
      const [rows] = await deps.db.read([statement("select * from mails")]);
      assert.doesNotMatch(JSON.stringify(rows!.rows), /secret/);
      await runJobs(deps, clock.now() + 30 * day - 1);
      assert.equal((await keptMails(deps)).length, 2);
      await runJobs(deps, clock.now() + 30 * day);
      assert.deepEqual(await keptMails(deps), []);
    } finally {
      await close();
    }
  }));
