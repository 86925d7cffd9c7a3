/** Lanes of mail, the rate of what the service sends by itself, and what a mail carries. */
import assert from "node:assert/strict";
import { readSlots, takeSlots } from "../../src/db/mail_rate.ts";
import type { MailDraft, MailEnd, MailKinds } from "../../src/db/mails.ts";
import { sql } from "../../src/db/statements.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { pause } from "../../src/platform/pause.ts";
import { Refusal } from "../support/smtp.ts";
import { mailTo, withMail } from "./mail_world.ts";

const makeAutomated = (count: number, about?: string): MailDraft[] =>
  Array.from({ length: count }, (_, n) => ({
    ...mailTo(`lead${n}@example.com`),
    lane: "automated",
    ...(about === undefined ? {} : { about: { kind: about, id: `a${n}` } }),
  }));

withMail("a password reset is sent at once while automated mails wait for their rate", async (world) => {
  const { deps } = await world.elsewhere({ MAIL_RATE: "5" });
  await world.change({ mails: makeAutomated(8) });
  const order: string[] = [];
  world.smtp.onMail = ({ to }) => void order.push(to[0]!);
  const sending = sendDueMails(deps, world.clock.now());
  await world.write("ann@example.com");
  await sending;
  await world.deps.background.idle();
  assert.equal(order.length, 9);
  assert.ok(order.indexOf("ann@example.com") < 4, order.join());
});

for (const where of ["file", "far away"] as const) {
  withMail(
    `two processes together send automated mails at their rate, and all of them (${where})`,
    async (world) => {
      const env = { MAIL_RATE: "40" };
      const boxes = [await world.elsewhere(env), await world.elsewhere(env)];
      await world.change({ mails: makeAutomated(24) });
      const times: number[] = [];
      world.smtp.onMail = () => void times.push(performance.now());
      const start = performance.now();
      await Promise.all(boxes.map(({ deps }) => sendDueMails(deps, world.clock.now())));
      assert.equal(new Set(world.smtp.mails.map(({ to }) => to[0])).size, 24);
      // A mail may leave its process late, never early: timers are at most a few milliseconds off.
      times.sort((one, other) => one - other);
      for (const [n, time] of times.entries()) {
        assert.ok(time - start >= n * 25 - 10, `mail ${n} after ${(time - start).toFixed()} ms`);
      }
      assert.deepEqual(await world.rows(), []);
    },
    { where },
  );
}

withMail(
  "automated mails that a job has no time for go out in the background, until the next job",
  async (world) => {
    const { deps } = await world.elsewhere({ MAIL_RATE: "100" });
    await world.change({ mails: makeAutomated(12) });
    assert.equal(await sendDueMails(deps, world.clock.now(), {}, 0), 0);
    await deps.background.idle();
    assert.equal(world.smtp.mails.length, 12);
    assert.deepEqual(await world.rows(), []);
  },
);

withMail("without a rate automated mails are sent as fast as others", async (world) => {
  const { deps } = await world.elsewhere({ MAIL_RATE: "0" });
  await world.change({ mails: makeAutomated(60) });
  assert.equal(await sendDueMails(deps, world.clock.now()), 60);
  const [rates] = await deps.db.read([sql`select * from mail_rate`]);
  assert.deepEqual(rates!.rows, []);
});

withMail(
  "slots of a clock that was ahead hold nobody up, a clock that goes back sends no burst, and processes may disagree",
  async ({ deps }) => {
    const clockNow = sql`unixepoch('subsec') * 1000.0`;
    const take = async (count: number) => {
      const [taken] = await deps.db.write([takeSlots(1, sql`${count}`)]);
      return readSlots(taken!.rows, 1)(count);
    };
    const near = (wait: number, expected: number) =>
      assert.ok(Math.abs(wait - expected) < 600, `${wait.toFixed()} ms, not ${expected}`);
    near(await take(1), 0);
    near(await take(3), 1_000);
    near(await take(1), 4_000);
    await deps.db.write([sql`update mail_rate set next_at = ${clockNow} + 86400000`]);
    near(await take(1), 0);
    near(await take(1), 1_000);
    await deps.db.write([sql`update mail_rate set next_at = ${clockNow} - 86400000`]);
    near(await take(1), 0);
    near(await take(1), 1_000);
    // One process whose clock is a minute ahead, and one whose clock is a minute behind.
    const { timeOrigin } = performance;
    for (const [n, off] of [60_000, -60_000].entries()) {
      Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + off, configurable: true });
      near(await take(1), 2_000 + n * 1_000);
    }
    Object.defineProperty(performance, "timeOrigin", { value: timeOrigin, configurable: true });
    const [none] = await deps.db.write([takeSlots(1, sql`0`)]);
    assert.deepEqual(none!.rows, []);
  },
);

withMail(
  "a job ends with the mails of all lanes, also when recording one of them fails",
  async (world) => {
    const { deps, smtp, change, clock } = world;
    const kinds: MailKinds = { letter: { recordEnd: () => [sql`insert into nowhere values (1)`] } };
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: had, resolve: have } = Promise.withResolvers<void>();
    smtp.onMail = ({ to }) => {
      if (to[0] === "ann@example.com") return;
      have();
      return answered;
    };
    const prompt = { ...mailTo("ann@example.com"), about: { kind: "letter", id: "a" } };
    await change({ mails: [prompt, ...makeAutomated(1)] });
    let isOver = false;
    const job = sendDueMails(deps, clock.now(), kinds).finally(() => isOver = true);
    const failed = assert.rejects(job, /nowhere/);
    await had;
    await pause(300);
    assert.equal(isOver, false);
    answer();
    await failed;
    assert.deepEqual((await world.rows()).map(({ to_address }) => to_address), ["ann@example.com"]);
  },
  { wakes: false },
);

withMail("the end of a mail is recorded with what it is about, in the batch that ends it", async (world) => {
  const { deps, smtp, change, rows } = world;
  const ends: MailEnd[] = [];
  const kinds: MailKinds = {
    letter: {
      recordEnd: (end) => {
        ends.push(end);
        return [sql`insert into mail_rate (id, next_at) values (${ends.length + 1}, 0)`];
      },
    },
  };
  smtp.onRecipient = (address) => {
    if (address.startsWith("lead1@")) throw new Refusal(550, "no such user");
  };
  await change({ mails: makeAutomated(2, "letter") });
  assert.equal(await sendDueMails({ ...deps, config: { mailRate: 0 } }, world.clock.now(), kinds), 2);
  ends.sort((one, other) => one.id < other.id ? -1 : 1);
  assert.deepEqual(ends.map(({ id, outcome }) => [id, outcome]), [["a0", "sent"], ["a1", "failed"]]);
  assert.match(ends[1]!.error!, /no such user/);
  assert.equal(ends[1]!.at, "2026-03-02 09:00:00");
  const [recorded] = await deps.db.read([sql`select count(*) as n from mail_rate`]);
  assert.equal(recorded!.rows[0]!.n, 2);
  assert.deepEqual((await rows()).map(({ status }) => status), ["failed"]);
});

withMail(
  "a mail has its own sender, reports, headers and attachments; a deleted object is left out",
  async (world) => {
    const { deps, smtp, change } = world;
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    await deps.storage.put("mails/one", bytes, "application/pdf");
    const draft: MailDraft = {
      ...mailTo("ann@example.com"),
      from: { name: "Ada Lovelace" },
      author: { name: "Ada", address: "ada@example.com" },
      envelopeFrom: "bounces+1@in.example.com",
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      attachments: [
        { name: "Größe.pdf", type: "application/pdf", key: "mails/one" },
        { name: "gone.txt", type: "text/plain", key: "mails/none" },
      ],
    };
    await change({ mails: [draft] });
    await deps.background.idle();
    const [{ from, read }] = smtp.mails as [typeof smtp.mails[number]];
    assert.equal(from, "bounces+1@in.example.com");
    assert.deepEqual(read.from, { name: "Ada Lovelace", address: "sales@example.com" });
    assert.deepEqual(read.replyTo, [{ name: "Ada", address: "ada@example.com" }]);
    const header = read.headers.find(({ key }) => key === "list-unsubscribe-post");
    assert.equal(header?.value, "List-Unsubscribe=One-Click");
    assert.deepEqual(read.attachments.map(({ filename, mimeType }) => [filename, mimeType]), [
      ["Größe.pdf", "application/pdf"],
    ]);
    assert.deepEqual(new Uint8Array(read.attachments[0]!.content as ArrayBuffer), bytes);
    await change({
      mails: [{ ...draft, from: { name: "No reply", address: "no-reply@dealer.example.com" } }],
    });
    await deps.background.idle();
    assert.deepEqual(smtp.mails[1]!.read.from, { name: "No reply", address: "no-reply@dealer.example.com" });
  },
);
