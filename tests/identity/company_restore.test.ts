/** A deleted company comes back whole until its data is erased. */
import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { beginErasures } from "../../src/identity/companies/begin_erasure.ts";
import { runJobs } from "../../src/jobs.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { askToken, newClient } from "../support/oauth.ts";
import {
  campaignMails,
  campaignOf,
  consumer,
  everybody,
  sendingCompany,
} from "../messages/campaign_world.ts";

const day = 24 * 3_600_000;

async function run(app: TestApp, ...args: string[]) {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const env = { DATABASE_URL: `file:${app.file}`, LOG_LEVEL: "off" };
  const code = await crm(args, env, { out, error: out, ask: () => Promise.reject(new Error("asked")) });
  return { code, text: lines.join("\n") };
}

async function remove(app: TestApp, id: number, token: string) {
  assert.equal((await app.call(token, "DELETE", `/v1/companies/${id}`)).status, 204);
}

Deno.test("a deleted company can be brought back: its users sign in again, its webhooks go on", async () => {
  await using app = await startApp();
  const target = startTarget();
  try {
    const { id, admin } = await app.company();
    const client = await newClient(app, true);
    const [{ email }] = await app.sql("select email from users where id = ?", admin.id) as [
      { email: string },
    ];
    assert.equal((await run(app, "password", "reset", "--email", email)).code, 0);
    const { text } = await run(app, "password", "reset", "--email", email);
    const signIn = () =>
      askToken(app, { grant_type: "password", ...client, username: email, password: text.split(": ")[1]! });
    const { body: { access_token: token } } = await signIn();
    const hook = { target_url: target.url, webhook_event: "account_created" };
    assert.equal((await app.call(token, "POST", "/v1/webhooks", hook)).status, 201);
    await remove(app, id, token);
    assert.equal((await app.call(token, "GET", "/v1/me")).status, 401);
    assert.equal((await signIn()).status, 400);
    app.clock.move(6 * day);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    assert.match(
      (await run(app, "company", "list")).text,
      /deleted 2026-03-02 .* {2}erased after 2026-03-09 /,
    );

    assert.deepEqual(await run(app, "company", "restore", String(id)), {
      code: 0,
      text: "Acme is back, and its users can sign in.",
    });
    assert.equal((await app.call(token, "GET", "/v1/me")).status, 401, "its tokens stay ended");
    const { status, body: { access_token: again } } = await signIn();
    assert.equal(status, 200);
    const account = { fixed_fields: [{ name: "name", value: "Back" }] };
    assert.equal((await app.call(again, "POST", "/v1/accounts", account)).status, 201);
    assert.match((await target.waitFor(() => true)).text, /Back/);
    app.clock.move(30 * day);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    assert.equal((await signIn()).status, 200);
    const { code, text: refused } = await run(app, "company", "restore", String(id));
    assert.deepEqual([code, refused], [1, `Company ${id} is not deleted.`]);
  } finally {
    await target.close();
  }
});

Deno.test("the data of a deleted company goes after ERASE_AFTER days, and then it cannot come back", async () => {
  await using app = await startApp({ ERASE_AFTER: "2" });
  const { id, admin } = await app.company();
  await remove(app, id, admin.token);
  app.clock.move(2 * day - 1_000);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 0);
  app.clock.move(1_000);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 1);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 0);
  assert.match((await run(app, "company", "list")).text, /being erased/);
  assert.deepEqual(await run(app, "company", "restore", String(id)), {
    code: 1,
    text: `Company ${id} is being erased and cannot come back.`,
  });
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await app.sql("select id from companies"), []);
  const gone = await run(app, "company", "restore", String(id));
  assert.match(gone.text, /^There is no company \d+\. If it was deleted, its data is erased\.$/);
});

Deno.test("a company that comes back while its erasure begins is either whole or being erased", async () => {
  await using app = await startApp();
  for (let n = 0; n < 10; n++) {
    const { id, admin } = await app.company();
    await remove(app, id, admin.token);
    app.clock.move(7 * day);
    const [back] = await Promise.all([
      run(app, "company", "restore", String(id)),
      beginErasures(app.deps, app.clock.now()),
    ]);
    const [state] = await app.sql(
      "select c.deleted_at is null as is_back, exists (select 1 from staged_work where company_id = c.id) as erases " +
        "from companies c where c.id = ?",
      id,
    );
    assert.deepEqual(state, { is_back: back.code === 0 ? 1 : 0, erases: back.code === 0 ? 0 : 1 }, back.text);
  }
});

Deno.test("a campaign of a company that is deleted while it is sent goes on when the company comes back", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { id, admin } = await sendingCompany(app);
  for (let n = 0; n < 30; n++) await consumer(admin, { email: `c${n}@example.org` });
  const seen = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { send } = app.mailer;
  app.mailer.send = async (letter) => {
    seen.resolve();
    await go.promise;
    return await send(letter);
  };
  await campaignOf(admin, everybody);
  await seen.promise;
  await remove(app, id, admin.token);
  go.resolve();
  await app.idle();
  const atOnce = campaignMails(app).length;
  assert.ok(atOnce <= 5, `${atOnce} were in the hands of senders`);
  app.clock.move(day);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  assert.equal(campaignMails(app).length, atOnce, "nothing is sent meanwhile");
  assert.equal((await run(app, "company", "restore", String(id))).code, 0);
  app.clock.move(60_000);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  const addresses = campaignMails(app).map(({ to }) => to);
  assert.deepEqual([addresses.length, new Set(addresses).size], [30, 30]);
});
