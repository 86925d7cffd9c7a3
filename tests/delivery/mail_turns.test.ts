/** Companies take turns with the mail that their users write. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { isReleased } from "../../src/db/hold.ts";
import type { MailDraft } from "../../src/db/mails.ts";
import { sql } from "../../src/db/statements.ts";
import { describeMailRows } from "../../src/delivery/mails/attempt.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { nextTurns } from "../../src/later/turns.ts";
import { startApp } from "../support/app.ts";
import { mailTo, type MailWorld, withMail } from "./mail_world.ts";

const makeWritten = (count: number, name: string, ofCompany?: number): MailDraft[] =>
  Array.from({ length: count }, (_, n) => ({
    ...mailTo(`${name}${n}@example.com`),
    lane: "correspondence",
    ...(ofCompany === undefined ? {} : { ofCompany }),
  }));

/** Notes the order in which mails arrive, and answers none of them before `answer` is called. */
function gate({ smtp }: MailWorld) {
  const order: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  smtp.onMail = async ({ to }) => {
    order.push(to[0]!);
    begin();
    await answered;
  };
  return { order, begun, answer };
}

/** Most mails in hand when another is written, and the two claims until the company has its turn. */
const few = 12;

withMail("a company's 600 mails do not hold up the single mail of another company", async (world) => {
  const { order, begun, answer } = gate(world);
  await world.change({ mails: makeWritten(600, "many", 7) });
  await begun;
  await world.change({ mails: makeWritten(1, "lower", 6) });
  await world.change({ mails: makeWritten(1, "none", 0) });
  await world.change({ mails: makeWritten(1, "higher", 8) });
  answer();
  await world.deps.background.idle();
  // A slow machine leaves some to the job.
  await sendDueMails(world.deps, world.clock.now());
  const places = ["lower0", "none0", "higher0"].map((name) => order.indexOf(`${name}@example.com`));
  assert.ok(places.every((place) => place >= 0 && place < few), places.join());
  assert.equal(new Set(order).size, 603);
  assert.deepEqual(await world.rows(), []);
});

withMail("mails from before companies took turns are sent beside those of companies", async (world) => {
  await world.deps.db.write([sql`insert into holds (id, since) values (1, 0)`]);
  await world.change({ mails: makeWritten(20, "before") });
  await world.deps.background.idle();
  const old = new DatabaseSync(`${world.folder}/crm.db`);
  const { n } = old.prepare("select count(*) as n from mails where company_id = 0").get() as { n: number };
  old.close();
  assert.equal(n, 20);
  await world.deps.db.write([sql`delete from holds`]);
  const { order, answer } = gate(world);
  answer();
  await world.change({ mails: makeWritten(20, "now", 7) });
  await world.deps.background.idle();
  assert.equal(new Set(order).size, 40);
  // They alternate: neither kind comes last as a whole.
  const halves = [order.slice(0, 20), order.slice(20)];
  for (const half of halves) {
    assert.ok(half.filter((to) => to.startsWith("before")).length >= 5, order.join());
  }
  assert.deepEqual(await world.rows(), []);
});

withMail("a claim in turn seeks, however many companies and mails wait", async (world) => {
  await world.box.close();
  const db = new DatabaseSync(`${world.folder}/crm.db`);
  const fill = db.prepare(`insert into mails
    (id, to_address, subject, body, status, due_at, created_at, expires_at, lane, company_id)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
    select 'm' || i, 'x', 'x', 'x', 'pending', i, 'x', 9e15, 2, i % ? from n`);
  const rows = describeMailRows("correspondence", 0);
  const oldest = sql`select id from mails indexed by mails_due where ${rows.waiting} and due_at <= ${1e9}
    order by due_at, id limit 5`;
  for (const companies of [1, 3, 500, 5_000]) {
    db.exec("delete from mails");
    fill.run(companies);
    const turn = companies >> 1;
    const picked = nextTurns(rows, rows.turns!, {
      now: 1e9,
      most: sql`5 + 0`,
      turn,
      mayClaim: isReleased("mails"),
      oldest,
    });
    const args = picked.args as number[];
    const steps = db.prepare(`explain query plan ${picked.sql}`).all(...args).map(({ detail }) =>
      String(detail)
    );
    assert.ok(steps.some((step) => step.includes("mails_in_turn (")), steps.join("\n"));
    const scans = steps.filter((step) => /SCAN (?!turns|picked|CONSTANT|\(subquery)|TEMP B-TREE/.test(step));
    assert.deepEqual(scans, []);
    const ids = db.prepare(picked.sql).all(...args).map(({ id }) => id);
    // The oldest mails of the next companies, as many of each; the first company is next after the last.
    const expected = {
      1: ["m1", "m2", "m3", "m4", "m5"],
      3: ["m2", "m5", "m3", "m6", "m1"],
    }[companies] ?? [1, 2, 3, 4, 5].map((n) => `m${turn + n}`);
    assert.deepEqual(ids, expected);
  }
  db.close();
});

Deno.test("notifications by mail have the turn of their company", async () => {
  await using app = await startApp();
  const companies = [await app.company("One"), await app.company("Two")];
  const kept: Promise<unknown[]>[] = [];
  app.mailer.send = ({ to }) => {
    kept.push(app.sql("select company_id from mails where to_address = ?", to));
    return Promise.resolve("sent");
  };
  for (const { admin } of companies) {
    const notice = { message: "Hello", notify: { users: [admin.id] } };
    assert.equal((await admin.call("POST", "/v1/notifications", notice)).status, 202);
  }
  await app.idle();
  assert.deepEqual(
    (await Promise.all(kept)).map(([row]) => (row as { company_id: number }).company_id).sort(),
    companies.map(({ id }) => id).sort(),
  );
});
