/** A process that ends while the mail server is silent. */
import assert from "node:assert/strict";
import { Json } from "../../src/core/json.ts";
import { rawSql, sql } from "../../src/db/statements.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { pause } from "../../src/platform/pause.ts";
import { startTarget } from "../support/listener.ts";
import { day, mailTo, minute, withMail } from "./mail_world.ts";

withMail("an ending process waits three seconds for the mail server and loses nothing", async (world) => {
  const { smtp, write, box, clock, elsewhere } = world;
  const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  smtp.onRecipient = async () => {
    begin();
    await later;
  };
  await write("ann@example.com");
  await begun;
  const started = performance.now();
  await box.close();
  const took = performance.now() - started;
  // The mail server never answers. A busy machine may notice the three seconds late.
  assert.ok(took > 2_500 && took < 30_000, `${took} ms`);
  goOn();
  const next = await elsewhere();
  assert.equal(await sendDueMails(next.deps, clock.now() + minute), 1);
  assert.equal(smtp.mails.length, 1);
});

withMail(
  "an ending process waits for the answer to a mail that the server has, and sends it once",
  async (world) => {
    const { smtp, write, box, clock, elsewhere } = world;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: had, resolve: have } = Promise.withResolvers<void>();
    smtp.onMail = () => {
      have();
      return answered;
    };
    await write("ann@example.com");
    await had;
    const late = setTimeout(answer, 4_000);
    await box.close();
    clearTimeout(late);
    answer();
    const next = await elsewhere();
    assert.equal(await sendDueMails(next.deps, clock.now() + day), 0);
    assert.equal(smtp.mails.length, 1);
  },
);

withMail("an ending process waits for mails and for webhooks at the same time", async (world) => {
  const { box, deps, change, log, smtp, elsewhere } = world;
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  smtp.onRecipient = async () => {
    begin();
    await never;
  };
  const target = startTarget();
  // Answers once the mail is given up. A delivery gives up two seconds later than a mail.
  target.answer(async () => {
    while (!log.entries.some(({ event }) => event === "mail_delayed")) await pause(10);
    return 200;
  });
  try {
    const at = rawSql("'2026-01-01 00:00:00'");
    await deps.db.write([
      sql`insert into companies (id, name, timezone, locale, language, currency, created_at, updated_at)
        values (1, 'Acme', 'UTC', 'en-GB', 'en', 'EUR', ${at}, ${at})`,
      sql`insert into users (id, company_id, first_name, last_name, email, email_key, user_type, timezone,
        locale, created_at, updated_at) values (1, 1, 'A', 'B', 'a@b.example', 'a@b.example', 1, 'UTC', 'en-GB',
        ${at}, ${at})`,
      sql`insert into webhooks (company_id, user_id, target_url, event_name, created_at, updated_at)
        values (1, 1, ${target.url}, '*', ${at}, ${at})`,
    ]);
    await change({ mails: [mailTo("ann@example.com")] });
    await begun;
    const entity = { type: "account", id: "1", team_id: null, created_by: null };
    const events = [{ name: "account_created" as const, entity, body: new Json("{}") }];
    await change({ companyId: 1, events });
    await target.waitForCount(1);
    await box.close();
    const next = await elsewhere();
    const [delivered] = await next.deps.db.read([sql`select status, attempts from deliveries`]);
    assert.deepEqual(delivered!.rows, [{ status: "delivered", attempts: 1 }]);
  } finally {
    end();
    await target.close();
  }
});
