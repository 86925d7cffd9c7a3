/** Mail that users write holds up no password reset, and has limits. */
import assert from "node:assert/strict";
import { makeSmtpMailer } from "../../src/platform/mail/smtp.ts";
import { startApp } from "../support/app.ts";
import { startSmtp } from "../support/smtp.ts";
import { mailTo } from "./mail_world.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { everybody, sendingCompany } from "../messages/campaign_world.ts";
import { sql } from "../../src/db/statements.ts";
import { commit } from "../../src/db/commit.ts";
import { runJobs } from "../../src/jobs.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { noContent } from "../../src/core/answer.ts";

Deno.test("a password reset leaves within two seconds while 600 mails of a user wait for a slow server", async () => {
  await using smtp = await startSmtp();
  await using app = await startApp();
  const mailer = makeSmtpMailer({ url: smtp.url, from: "crm@example.com", pool: true });
  app.mailer.send = mailer.send;
  await app.company();
  await app.company("Other");
  const [{ email }] = await app.sql("select email from users order by id desc limit 1") as [
    { email: string },
  ];
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let count = 0;
  smtp.onMail = async ({ to }) => {
    if (to[0] === email) return arrived.resolve();
    if (++count === 5) held.resolve();
    await released.promise;
  };
  const now = app.clock.now();
  const mails = Array.from({ length: 600 }, (_, n) => ({
    ...mailTo(`c${n}@example.org`),
    lane: "correspondence" as const,
  }));
  await commit({ deps: app.deps, now, at: formatTimestamp(now) }, {
    statements: [],
    mails,
    answer: noContent,
  });
  await held.promise;
  const client = await app.trustedClient();
  assert.equal((await app.call(client, "POST", "/v1/reset-password", { email })).status, 204);
  const late = setTimeout(() => arrived.reject(new Error("held up")), 30_000);
  // All others are still held.
  await arrived.promise;
  clearTimeout(late);
  mailer.close();
  released.resolve();
  await app.idle();
});

Deno.test("a user writes MAIL_USER_LIMIT mails an hour, a company MAIL_COMPANY_LIMIT; then it is 429", async () => {
  await using app = await startApp({ MAIL_USER_LIMIT: "2", MAIL_COMPANY_LIMIT: "3" });
  const company = await app.company();
  const [one, two] = [await company.user(), await company.user()];
  const write = async (from: typeof one) => {
    const { status, body, headers } = await from.call("POST", "/v1/notifications", {
      message: "Hello",
      notify: { users: [two.id] },
    });
    return status === 429 ? `${body.code} ${headers.get("Retry-After")}` : status;
  };
  assert.deepEqual([await write(one), await write(one), await write(one)], [202, 202, "rate_limited 3600"]);
  assert.deepEqual([await write(two), await write(two)], [202, "rate_limited 3600"]);
  app.clock.move(3_600_000);
  assert.equal(await write(one), 202);
});

Deno.test("invitations count too, repeated ones as well, and wait in the line of written mail", async () => {
  await using app = await startApp({ MAIL_USER_LIMIT: "2" });
  const { admin, id } = await app.company();
  const invitations = `/v1/companies/${id}/invitations`;
  const invite = (name: string) => admin.call("POST", invitations, { email: `${name}@example.org` });
  const first = await invite("first");
  assert.deepEqual([first.status, (await invite("second")).status], [201, 201]);
  for (
    const { status, body, headers } of [
      await invite("third"),
      await admin.call("POST", `${invitations}/${first.body.id}/resend`),
    ]
  ) {
    assert.deepEqual([status, body.code, headers.get("Retry-After")], [429, "rate_limited", "3600"]);
  }
  await app.idle();
  assert.equal(app.mailer.sent.length, 2);
  assert.ok(app.mailer.sent.every(({ isWritten }) => isWritten));
  app.clock.move(3_600_000);
  assert.equal((await admin.call("POST", `${invitations}/${first.body.id}/resend`)).status, 202);
});

Deno.test("addresses that a caller changes for others count too, their own does not", async () => {
  await using app = await startApp({ MAIL_USER_LIMIT: "1" });
  const { admin, id, user } = await app.company();
  const users = `/v1/companies/${id}/users`;
  const [one, two] = [await user(), await user()];
  const change = (of: { id: number }, email: string, by = admin) =>
    by.call("PUT", `${users}/${of.id}`, { email });
  assert.equal((await change(one, "one@example.org")).status, 200);
  const { status, body } = await change(two, "two@example.org");
  assert.deepEqual([status, body.code], [429, "rate_limited"]);
  assert.equal((await change(admin, "admin@example.org")).status, 200);
  assert.equal((await change(two, "two@example.org", two)).status, 200);
  await app.idle();
  assert.deepEqual(app.mailer.sent.map(({ isWritten }) => isWritten === true), [true, false, false]);
});

Deno.test("a message to many colleagues counts once for each mail", async () => {
  await using app = await startApp({ MAIL_USER_LIMIT: "4" });
  const company = await app.company();
  const team = await company.team();
  const author = await company.user();
  const members = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const silent = await company.user({ teams: [team] });
  await app.deps.db.write([sql`update users set email_notifications = 0 where id = ${silent.id}`]);
  const notify = { users: [members[0]!.id], teams: [team] };
  const write = async () =>
    (await author.call("POST", "/v1/notifications", { message: "Hi", notify })).status;
  assert.deepEqual([await write(), await write(), await write()], [202, 202, 429]);
  await app.idle();
  assert.equal(app.mailer.sent.length, 4);
});

Deno.test("the e-mails of activities and test mails of campaigns count: 429 with Retry-After", async () => {
  for (const limit of ["MAIL_USER_LIMIT", "MAIL_COMPANY_LIMIT"]) {
    await using app = await startApp({ [limit]: "2" });
    const { admin } = await sendingCompany(app);
    const path = await newPath(admin);
    const made = await newCase(admin, path);
    const contact = `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`;
    const fixed_fields = [{ name: "email", value: "grace@example.org" }];
    assert.equal((await admin.call("PUT", contact, { fixed_fields })).status, 200);
    const activity = () =>
      admin.call("POST", `/v1/cases/${made.id}/activities`, {
        activity_type_ids: [path.types["Call"]],
        correspondence: { email: { subject: "Offer", content: "<p>y</p>", send: true } },
      });
    const test = () => admin.call("POST", "/v1/campaigns/test-email", { ...everybody, team_id: null });
    for (const call of [activity, test]) {
      const reply = await call();
      assert.ok(reply.status < 300, reply.text);
    }
    for (const call of [activity, test]) {
      const { status, body, headers } = await call();
      assert.deepEqual([status, body.code, headers.get("Retry-After")], [429, "rate_limited", "3600"]);
    }
  }
});

Deno.test("a report that is sent to colleagues at once counts once for each mail", async () => {
  await using app = await startApp({ MAIL_USER_LIMIT: "5" });
  const company = await app.company();
  const maker = await company.user({ rights: ["reports.schedule"] });
  const readers = [await company.user(), await company.user(), await company.user()];
  const [silent, choosy] = readers;
  await app.deps.db.write([sql`update users set email_notifications = 0 where id = ${silent!.id}`]);
  const types = { scheduled_report: { mail: false } };
  const chosen = await choosy!.call("PUT", "/v1/notifications/preferences", { types });
  assert.equal(chosen.status, 200, chosen.text);
  const users = readers.map(({ id }) => id);
  const set = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "S",
    indicators: ["cases.open"],
  });
  const { body: report } = await maker.call("POST", "/v1/reports/scheduled", {
    name: "R",
    indicator_set_id: set.body.id,
    delivery_frequency: "day",
    recipient_user_ids: users,
  });
  const deliver = () => maker.call("POST", `/v1/reports/scheduled/${report.id}/send`);
  const ask = () =>
    maker.call("POST", "/v1/reports/performance/notify", { notify: { users }, message: "Look" });
  // The delivery goes to one of the three, the question to two.
  for (const call of [ask, deliver, ask]) {
    const reply = await call();
    assert.ok(reply.status < 300, reply.text);
    await app.idle();
    await runJobs(app.deps, app.clock.now());
  }
  assert.equal(app.mailer.sent.length, 5);
  for (const call of [deliver, ask]) {
    const { status, headers, text } = await call();
    assert.deepEqual([status, headers.get("Retry-After")], [429, "3600"], text);
  }
  app.clock.move(3_600_000);
  assert.equal((await deliver()).status, 202);
});
