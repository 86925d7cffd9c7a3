import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { noContent } from "../../src/core/answer.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { commit } from "../../src/db/commit.ts";
import { readUnsentMails } from "../../src/db/mails.ts";
import { sql } from "../../src/db/statements.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog, movableClock } from "../support/ports.ts";

const day = 24 * 3_600_000;

Deno.test("without a mail server each mail is logged and stays in the database, sealed, for thirty days", () =>
  inFolder(async (folder) => {
    const clock = movableClock(Date.UTC(2026, 2, 2));
    const log = memoryLog();
    const config = loadConfig({ DATABASE_URL: `file:${folder}/crm.db` });
    const { deps, close } = await openBox(config, { clock, log });
    try {
      const plain = {
        to: "ann@example.com",
        subject: "Your password",
        text: "https://crm.example/reset/secret",
      };
      const rich = { ...plain, html: "<p>reset/secret</p>" };
      const now = clock.now();
      await commit({ deps, now, at: formatTimestamp(now) }, {
        statements: [],
        mails: [plain, rich],
        answer: noContent,
      });
      await deps.background.idle();
      const kept = { created_at: "2026-03-02 00:00:00", status: "kept", error: null };
      assert.deepEqual(await readUnsentMails(deps), [{ ...kept, ...plain }, { ...kept, ...rich }]);
      const [rows] = await deps.db.read([sql`select * from mails`]);
      assert.doesNotMatch(JSON.stringify(rows!.rows), /secret/);
      assert.deepEqual(log.entries.map(({ event, to }) => [event, to]), [
        ["mail_without_server", "ann@example.com"],
        ["mail_without_server", "ann@example.com"],
      ]);
      assert.doesNotMatch(JSON.stringify(log.entries), /secret/);
      clock.move(30 * day - 1);
      await runJobs(deps, clock.now());
      assert.equal((await readUnsentMails(deps)).length, 2);
      clock.move(1);
      await runJobs(deps, clock.now());
      assert.deepEqual(await readUnsentMails(deps), []);
    } finally {
      await close();
    }
  }));
