import { sql } from "../../src/db/statements.ts";
import assert from "node:assert/strict";
import { mostAttempts } from "../../src/core/retries.ts";
import { Stale } from "../../src/core/errors.ts";
import { KeyTaken } from "../../src/db/idempotency_keys.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { runJobs } from "../../src/jobs.ts";
import { guardThat } from "../../src/platform/database/database.ts";
import { Refusal, type Smtp, startSmtp } from "../support/smtp.ts";
import { day, mailTo, minute, withMail } from "./mail_world.ts";

function recipients(smtp: Smtp): string[] {
  return smtp.mails.map(({ to }) => to[0]!).sort();
}

withMail(
  "a mail is sent right after its change as text and HTML, with sender and time, and its row is removed",
  async ({ deps, clock, smtp, write, rows, log }) => {
    await write("ann@example.com");
    clock.move(3 * minute);
    await deps.background.idle();
    const [mail] = smtp.mails;
    assert.equal(mail?.from, "sales@example.com");
    assert.deepEqual(mail?.to, ["ann@example.com"]);
    assert.equal(mail?.read.subject, "To ann@example.com");
    assert.equal(mail?.read.text?.trim(), mailTo("ann@example.com").text);
    assert.equal(mail?.read.html?.trim(), mailTo("ann@example.com").html);
    assert.equal(mail?.read.date, "2026-03-02T09:00:00.000Z");
    assert.match(mail?.read.messageId ?? "", /^<[0-9a-f-]{36}@example\.com>$/);
    assert.deepEqual(await rows(), []);
    assert.deepEqual(log.entries.map(({ event }) => event), ["mail_sent"]);
    assert.ok(!JSON.stringify(log.entries).includes("ann@example.com"), "logs name no recipient");
    assert.doesNotMatch(JSON.stringify(log.entries), /s3same|Hello/);
  },
);

withMail(
  "a waiting mail is sealed in the database, and its text is not logged",
  async (world) => {
    world.smtp.dead = true;
    await world.write("ann@example.com");
    await world.deps.background.idle();
    let found = "";
    for await (const { name } of Deno.readDir(world.folder)) {
      found += new TextDecoder("latin1").decode(await Deno.readFile(`${world.folder}/${name}`));
    }
    assert.match(found, /ann@example\.com/);
    assert.doesNotMatch(found, /s3same|Hello/);
    assert.equal(world.log.entries.at(-1)?.event, "mail_delayed");
    assert.doesNotMatch(JSON.stringify(world.log.entries), /s3same|Hello/);
  },
);

withMail("a refused change and a repeated key send nothing", async (world) => {
  const { change, deps, smtp, rows } = world;
  const mails = [mailTo("ann@example.com")];
  await assert.rejects(change({ mails, statements: [guardThat("no", sql`1 = 2`)] }), Stale);
  const key = () => ({ key: "k", fingerprint: "f", kept: false });
  await change({ mails }, key());
  await assert.rejects(change({ mails }, key()), KeyTaken);
  await deps.background.idle();
  assert.equal(smtp.mails.length, 1);
  assert.deepEqual(await rows(), []);
});

withMail("a lost wake loses nothing: the job sends due mails", async ({ deps, clock, smtp, write }) => {
  await write("ann@example.com", "bob@example.com");
  await deps.background.idle();
  assert.equal(smtp.mails.length, 0);
  assert.deepEqual(await runJobs(deps, clock.now()), []);
  assert.deepEqual(recipients(smtp), ["ann@example.com", "bob@example.com"]);
}, { wakes: false });

withMail(
  "while the mail server is down attempts follow after 1, 2, 4, … minutes; then the mail is sent once",
  async ({ deps, clock, smtp, write, rows }) => {
    smtp.dead = true;
    await write("ann@example.com");
    await deps.background.idle();
    for (let failed = 1; failed <= 7; failed++) {
      const [row] = await rows();
      assert.equal(row!.attempts, failed);
      assert.equal(row!.due_at, clock.now() + 2 ** (failed - 1) * minute);
      clock.move(2 ** (failed - 1) * minute - 1);
      assert.equal(await sendDueMails(deps, clock.now()), 0);
      clock.move(1);
      if (failed === 7) smtp.dead = false;
      assert.equal(await sendDueMails(deps, clock.now()), 1);
    }
    clock.move(30 * day);
    assert.equal(await sendDueMails(deps, clock.now()), 0);
    assert.equal(smtp.mails.length, 1);
    assert.equal(smtp.mails[0]!.read.date, "2026-03-02T09:00:00.000Z");
    assert.deepEqual(await rows(), []);
  },
);

withMail(
  "after eleven attempts a mail has failed, is logged and kept with the reason for thirty days",
  async ({ deps, clock, smtp, write, rows, log }) => {
    smtp.dead = true;
    await write("ann@example.com");
    await deps.background.idle();
    for (let failed = 1; failed < mostAttempts; failed++) {
      assert.equal((await rows())[0]!.status, "pending");
      clock.move(2 ** (failed - 1) * minute);
      await sendDueMails(deps, clock.now());
    }
    const [row] = await rows();
    assert.deepEqual([row!.status, row!.attempts, row!.due_at], ["failed", 11, null]);
    assert.match(String(row!.error), /clos/i);
    const { event, mail, to } = log.entries.at(-1)!;
    assert.deepEqual([event, mail, to], ["mail_failed", row!.id, undefined]);
    clock.move(30 * day - 1);
    assert.deepEqual(await runJobs(deps, clock.now()), []);
    assert.equal((await rows()).length, 1);
    clock.move(1);
    assert.deepEqual(await runJobs(deps, clock.now()), []);
    assert.deepEqual(await rows(), []);
    assert.equal(smtp.mails.length, 0);
  },
);

withMail("a waiting mail is never removed", async (world) => {
  const { deps, clock, smtp, write, rows } = world;
  await write("ann@example.com");
  clock.move(400 * day);
  smtp.dead = true;
  await runJobs(deps, clock.now());
  assert.equal((await rows()).length, 1);
  smtp.dead = false;
  clock.move(minute);
  await runJobs(deps, clock.now());
  assert.equal(smtp.mails.length, 1);
}, { wakes: false });

withMail(
  "a permanent refusal fails immediately; a temporary one is retried",
  async ({ deps, clock, smtp, write, rows }) => {
    smtp.onRecipient = (address) => {
      if (address.startsWith("gone")) throw new Refusal(550, "nobody of that name");
      if (address.startsWith("full")) throw new Refusal(452, "mailbox full");
    };
    smtp.onMail = ({ to }) => {
      if (to[0]!.startsWith("spam")) throw new Refusal(554, "not wanted");
      if (to[0]!.startsWith("busy")) throw new Refusal(451, "later");
    };
    await write("gone@a.example", "full@a.example", "spam@a.example", "busy@a.example", "fine@a.example");
    await deps.background.idle();
    assert.deepEqual(
      (await rows()).map((
        { to_address, status, error },
      ) => [to_address, status, /\d{3} .*/.exec(String(error))?.[0]]),
      [
        ["gone@a.example", "failed", "550 nobody of that name"],
        ["full@a.example", "pending", "452 mailbox full"],
        ["spam@a.example", "failed", "554 not wanted"],
        ["busy@a.example", "pending", "451 later"],
      ],
    );
    assert.deepEqual(recipients(smtp), ["fine@a.example"]);
    smtp.onRecipient = () => {};
    smtp.onMail = () => {};
    clock.move(minute);
    assert.equal(await sendDueMails(deps, clock.now()), 2);
    assert.deepEqual(recipients(smtp), ["busy@a.example", "fine@a.example", "full@a.example"]);
  },
);

withMail("a wrong server password or a wrong key loses no mail", async (world) => {
  const { clock, smtp, write, rows, elsewhere, deps } = world;
  await write("ann@example.com");
  await using strict = await startSmtp({ login: { user: "ann", password: "right" } });
  const wrong = await elsewhere({ MAIL_URL: strict.url.replace("right", "wrong") });
  assert.equal(await sendDueMails(wrong.deps, clock.now()), 1);
  assert.equal((await rows())[0]!.status, "pending");
  clock.move(minute);
  const other = { ...deps, secretsKey: new Uint8Array(32).fill(8) };
  assert.equal(await sendDueMails(other, clock.now()), 1);
  assert.equal((await rows())[0]!.status, "pending");
  clock.move(2 * minute);
  assert.equal(await sendDueMails(deps, clock.now()), 1);
  assert.equal(smtp.mails.length, 1);
}, { wakes: false });

withMail("the lease of a mail counts from its claim, however old the time of the job is", async (world) => {
  const { deps, clock, smtp, write, elsewhere } = world;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: had, resolve: have } = Promise.withResolvers<void>();
  let taken = 0;
  smtp.onMail = async () => {
    have();
    if (++taken === 1) await answered;
  };
  const asked = clock.now();
  await write("ann@example.com");
  clock.move(55_000);
  const first = sendDueMails(deps, asked);
  await had;
  clock.move(10_000);
  const there = await elsewhere();
  assert.equal(await sendDueMails(there.deps, clock.now()), 0);
  answer();
  assert.equal(await first, 1);
  assert.equal(smtp.mails.length, 1);
}, { wakes: false });
