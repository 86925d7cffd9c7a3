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
  createCampaign,
  createConsumer,
  everybody,
  sendingCompany,
} from "../messages/campaign_world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

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

Deno.test("of two commands that bring a company back at the same moment one does", async () => {
  await using app = await startApp();
  const { id, admin, token } = await app.company();
  for (let n = 0; n < 10; n++) {
    await remove(app, id, await token(admin.id));
    const both = await Promise.all([1, 2].map(() => run(app, "company", "restore", String(id))));
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1]);
    assert.equal(both.find(({ code }) => code === 1)!.text, `Company ${id} is not deleted.`);
  }
  const [company] = await app.sql("select deleted_at from companies where id = ?", id);
  assert.equal(company!.deleted_at, null);
});

Deno.test("a changed ERASE_AFTER holds for companies that were deleted before, from a minute after on", async () => {
  await using app = await startApp({ ERASE_AFTER: "7" });
  const erase = (eraseAfter: number) =>
    beginErasures({ ...app.deps, config: { ...app.deps.config, eraseAfter } }, app.clock.now());
  const { id, admin } = await app.company();
  await remove(app, id, admin.token);
  // Other processes may still know the callers of the company.
  assert.equal(await erase(0), 0);
  app.clock.move(minute);
  assert.equal(await erase(1), 0);
  app.clock.move(day);
  assert.equal(await erase(30), 0);
  assert.equal(await erase(1), 1);
  assert.equal(await erase(0), 0, "it has begun");
  assert.match(
    (await run(app, "company", "restore", String(id))).text,
    /is being erased and cannot come back/,
  );
  const other = await app.company();
  await remove(app, other.id, other.admin.token);
  app.clock.move(minute);
  assert.equal(await erase(0), 1);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await app.sql("select id from companies"), []);
});

Deno.test("an erasure that began at once goes on when ERASE_AFTER is longer meanwhile", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { id, admin } = await app.company();
  await remove(app, id, admin.token);
  const later = { ...app.deps, config: { ...app.deps.config, eraseAfter: 30 } };
  assert.match(
    (await run(app, "company", "restore", String(id))).text,
    /is being erased and cannot come back/,
  );
  app.clock.move(minute);
  assert.deepEqual(await runJobs(later, app.clock.now()), []);
  assert.deepEqual(await app.sql("select id from companies"), []);
});

Deno.test("a repeated DELETE of a company is refused, and a later one begins its days anew", async () => {
  await using app = await startApp();
  const { id, admin, token } = await app.company();
  const again = await token(admin.id);
  const path = `/v1/companies/${id}`;
  const call = (by: string, key: string) =>
    app.call(by, "DELETE", path, undefined, { "Idempotency-Key": key });
  const both = await Promise.all([call(admin.token, "one"), call(again, "two")]);
  const [done, refused] = both.map(({ status }) => status).sort();
  assert.ok(done === 204 && refused! >= 400 && refused! < 500, `${done} ${refused}`);
  for (const by of [admin.token, again]) {
    for (const key of ["one", "two", "three"]) assert.equal((await call(by, key)).status, 401);
  }
  const deletedAt = async () =>
    (await app.sql("select deleted_at from companies where id = ?", id))[0]!.deleted_at;
  const first = await deletedAt();
  app.clock.move(6 * day);
  assert.equal((await run(app, "company", "restore", String(id))).code, 0);
  assert.equal((await call(await token(admin.id), "four")).status, 204);
  assert.notEqual(await deletedAt(), first);
  app.clock.move(6 * day);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 0);
  app.clock.move(day);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 1);
});

Deno.test("a campaign of a company that is deleted while it is sent goes on when the company comes back", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { id, admin } = await sendingCompany(app);
  for (let n = 0; n < 30; n++) await createConsumer(admin, { email: `c${n}@example.org` });
  const seen = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const { send } = app.mailer;
  app.mailer.send = async (letter) => {
    seen.resolve();
    await go.promise;
    return await send(letter);
  };
  await createCampaign(admin, everybody);
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
