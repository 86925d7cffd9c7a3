/** A backup is restored and released, and a process is killed while it sends what waited. */
import assert from "node:assert/strict";
import { runJobsAt } from "../proofs/jobs_here.ts";
import { key, prepare, recipients } from "../proofs/outages_world.ts";
import { inFolder } from "../support/engines.ts";
import { startTarget } from "../support/listener.ts";
import { runCommand, startChild, startProcess } from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { startSmtp } from "../support/smtp.ts";

const hour = 3_600_000;
/** Workers of a campaign, each with one mail in hand. */
const workers = 5;

Deno.test("what was released is sent whole, though the first process that sends it is killed", () =>
  inFolder(async (folder) => {
    await using smtp = await startSmtp();
    const target = startTarget();
    try {
      await prepare(folder, target.url);
    } finally {
      await target.close();
    }
    const env = {
      DATABASE_URL: `file:${folder}/restored/crm.db`,
      STORAGE_URL: `file:${folder}/restored/files`,
      SECRETS_KEY: key,
      MAIL_URL: smtp.url,
      MAIL_RATE: "0",
      WEBHOOK_ALLOW_PRIVATE: "true",
      PORT: "0",
    };
    const backup = `${folder}/backup`;
    const original = { ...env, DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files` };
    const made = await runCommand(commandArguments("backup", backup), original);
    assert.equal(made.code, 0, made.stderr);
    const restored = await runCommand(commandArguments("restore", backup), env);
    assert.equal(restored.code, 0, restored.stderr);

    const held = await startProcess(serve, env, { timeoutMs: 60_000 });
    try {
      const again = await runCommand(commandArguments("restore", "--force", backup), env);
      assert.match(again.stderr, /crm\.db is in use: stop the service first/);
    } finally {
      await held.kill();
    }
    await runJobsAt(env, Date.now());
    assert.equal(smtp.mails.length, 0, "nothing is sent before the release");

    const released = await runCommand(commandArguments("crm", "release"), env);
    assert.match(released.stdout, /campaigns: 1 waiting/, released.stderr);
    const sender = startChild(commandArguments("jobs"), env);
    smtp.onMail = () => void sender.kill("SIGKILL");
    await sender.status;
    assert.ok(smtp.mails.length < recipients, `${smtp.mails.length} were sent before the end`);
    smtp.onMail = () => {};
    const toRecipients = () => smtp.mails.filter(({ to }) => /^r\d+@/.test(to[0]!));
    const countReached = () => new Set(toRecipients().map(({ to }) => to[0])).size;
    // The clock of a run stands still: what a run gives back after a slow claim is due in the next one.
    for (let hours = 1; hours <= 6 && countReached() < recipients; hours++) {
      await runJobsAt(env, Date.now() + hours * hour);
    }
    const mails = toRecipients();
    assert.equal(countReached(), recipients, "everybody has one");
    assert.equal(
      new Set(mails.map(({ read }) => read.messageId)).size,
      recipients,
      "copies have the same id",
    );
    assert.ok(mails.length <= recipients + workers, `${mails.length} mails`);
  }));
