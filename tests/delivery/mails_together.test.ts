import assert from "node:assert/strict";
import { Json } from "../../src/core/json.ts";
import { describeMailRows, mailLeaseMs } from "../../src/delivery/mails/attempt.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { claimRows } from "../../src/later/row_claim.ts";
import { runJobs } from "../../src/jobs.ts";
import { rawSql, sql } from "../../src/db/statements.ts";
import { pause } from "../../src/platform/pause.ts";
import { runCommand, startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { startTarget } from "../support/listener.ts";
import { Refusal } from "../support/smtp.ts";
import { mailTo, minute, withMail } from "./mail_world.ts";

const sender = programArguments("tests/delivery/mail_sender.ts");

function many(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `n${n}@example.com`);
}

for (const where of ["file", "far away"] as const) {
  withMail(`two senders on one database send each mail once (${where})`, async (world) => {
    await world.write(...many(30));
    const there = await world.elsewhere();
    const now = world.clock.now();
    const attempts = await Promise.all([world.deps, there.deps].map((deps) => sendDueMails(deps, now)));
    assert.equal(attempts[0]! + attempts[1]!, 30);
    assert.equal(new Set(world.smtp.mails.map(({ to }) => to[0])).size, 30);
    assert.equal(world.smtp.mails.length, 30);
    assert.deepEqual(await world.rows(), []);
    assert.ok(world.smtp.mostAtOnce() <= 10);
  }, { where, wakes: false });
}

withMail("two processes on one file send each mail once", async (world) => {
  const { promise: rest, resolve: endRest } = Promise.withResolvers<void>();
  let [taken, answered] = [0, 0];
  world.smtp.onMail = async () => {
    if (++taken > 5) {
      if (++answered === 35) endRest();
      return;
    }
    // A process that takes them away from the other does so within this time.
    await rest;
    await pause(3_000);
  };
  await world.write(...many(40));
  const args = [...sender, String(world.clock.now())];
  const ended = await Promise.all([runCommand(args, world.env), runCommand(args, world.env)]);
  assert.deepEqual(ended.map(({ code, stderr }) => [code, stderr]), [[0, ""], [0, ""]]);
  assert.equal(new Set(world.smtp.mails.map(({ to }) => to[0])).size, 40);
  assert.equal(world.smtp.mails.length, 40);
  assert.deepEqual(await world.rows(), []);
}, { wakes: false });

withMail(
  "a process killed before it records a sent mail sends it again with the same Message-ID",
  async ({ smtp, env, clock, write, deps, rows }) => {
    await write("ann@example.com", "bob@example.com");
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const { promise: dead, resolve: die } = Promise.withResolvers<void>();
    smtp.onMail = async () => {
      take();
      await dead;
    };
    const child = startChild([...sender, String(clock.now())], env);
    await taken;
    await child.kill("SIGKILL");
    die();
    smtp.onMail = () => {};
    // Time passes during a run.
    assert.equal(await sendDueMails(deps, clock.now() + mailLeaseMs - 10_000), 0);
    assert.equal((await rows()).length, 2);
    assert.equal(await sendDueMails(deps, clock.now() + mailLeaseMs), 2);
    assert.deepEqual(await rows(), []);
    for (const to of ["ann@example.com", "bob@example.com"]) {
      const ids = smtp.mails.filter((mail) => mail.to[0] === to).map(({ read }) => read.messageId);
      assert.ok(ids.length === 1 || ids.length === 2, `${to}: ${ids.length}`);
      assert.equal(new Set(ids).size, 1);
    }
    assert.ok(smtp.mails.length > 2, "none was taken before the kill");
  },
  { wakes: false },
);

withMail(
  "an abandoned mail is taken over, and a late failure does not count",
  async (world) => {
    const { deps, smtp, clock, write, rows, elsewhere } = world;
    await write("ann@example.com");
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    smtp.onMail = async () => {
      begin();
      await late;
      throw new Refusal(554, "not wanted");
    };
    const first = sendDueMails(deps, clock.now());
    await begun;
    smtp.onMail = () => {
      throw new Refusal(451, "later");
    };
    const there = await elsewhere();
    assert.equal(await sendDueMails(there.deps, clock.now() + mailLeaseMs), 1);
    answer();
    await first;
    const [row] = await rows();
    assert.deepEqual([row!.status, row!.attempts, row!.due_at], [
      "pending",
      2,
      clock.now() + mailLeaseMs + 2 * minute,
    ]);
  },
  { wakes: false },
);

withMail("mails on which the server hangs do not delay others", async ({ deps, smtp, write }) => {
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  smtp.onRecipient = async (address) => {
    if (address.startsWith("slow")) await later;
  };
  await write("slow1@example.com", "slow2@example.com");
  await write(...many(10));
  await until(() => smtp.mails.length === 10);
  goOn();
  await deps.background.idle();
  assert.equal(smtp.mails.length, 12);
});

withMail(
  "a process sends at most five mails simultaneously",
  async ({ deps, smtp, write, rows }) => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    smtp.onRecipient = () => later;
    for (const to of many(8)) await write(to);
    await until(() => smtp.connections() === 5);
    assert.equal((await rows()).filter(({ attempts }) => attempts === 1).length, 5);
    goOn();
    await deps.background.idle();
    assert.equal(smtp.mails.length, 8);
    assert.equal(smtp.connections(), 5);
  },
);

withMail(
  "a silent mail server delays neither changes nor events, in wakes and in jobs",
  async ({ deps, clock, smtp, change }) => {
    const target = startTarget({ answers: [500, 200] });
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    smtp.onRecipient = () => later;
    try {
      await subscribe();
      await change(happens());
      await target.waitForCount(1);
      assert.equal(smtp.mails.length, 0);
      await until(async () => {
        const [failed] = await deps.db.read([sql`select 1 from deliveries where attempts = 1`]);
        return failed!.rows.length === 1;
      });
      clock.move(minute);
      const jobs = runJobs(deps, clock.now());
      await target.waitForCount(2);
      assert.equal(smtp.mails.length, 0);
      goOn();
      assert.deepEqual(await jobs, []);
      await deps.background.idle();
    } finally {
      goOn();
      await target.close();
    }

    function happens() {
      const entity = { type: "account", id: "1", team_id: null, created_by: null };
      const events = [{ name: "account_created" as const, entity, body: new Json("{}") }];
      return { companyId: 1, events, mails: [mailTo("ann@example.com")] };
    }

    async function subscribe(): Promise<void> {
      const at = "'2026-01-01 00:00:00'";
      await deps.db.write([
        sql`insert into companies (id, name, timezone, locale, language, currency, created_at, updated_at)
          values (1, 'Acme', 'UTC', 'en-GB', 'en', 'EUR', ${rawSql(at)}, ${rawSql(at)})`,
        sql`insert into users (id, company_id, first_name, last_name, email, email_key, user_type, timezone,
          locale,
          created_at, updated_at) values (1, 1, 'A', 'B', 'a@b.example', 'a@b.example', 1, 'UTC', 'en-GB',
          ${rawSql(at)}, ${rawSql(at)})`,
        sql`insert into webhooks (company_id, user_id, target_url, event_name, created_at, updated_at)
          values (1, 1, ${target.url}, '*', ${rawSql(at)}, ${rawSql(at)})`,
      ]);
    }
  },
);

withMail(
  "a claimed mail becomes due again when its sender dies",
  async ({ deps, clock, smtp, write }) => {
    await write("ann@example.com");
    // The first step of a sender, which then dies.
    const now = clock.now();
    const claim = { now, end: now + mailLeaseMs, again: now, inHand: [], most: 5, turn: -1 };
    await deps.db.write(claimRows(describeMailRows("prompt", 0), claim));
    // Time passes during a run.
    assert.equal(await sendDueMails(deps, clock.now() + mailLeaseMs - 10_000), 0);
    assert.equal(await sendDueMails(deps, clock.now() + mailLeaseMs), 1);
    assert.equal(smtp.mails.length, 1);
  },
  { wakes: false },
);

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!await met()) {
    assert.ok(Date.now() < end, "it did not happen within a minute");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
