/** Mail that users write holds up no password reset, and has limits. */
import assert from "node:assert/strict";
import { smtpMailer } from "../../src/platform/mail/smtp.ts";
import { startApp } from "../support/app.ts";
import { startSmtp } from "../support/smtp.ts";
import { mailTo } from "./mail_world.ts";
import { commit } from "../../src/db/commit.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { noContent } from "../../src/core/answer.ts";

Deno.test("a password reset leaves within two seconds while 600 mails of a user wait for a slow server", async () => {
  await using smtp = await startSmtp();
  await using app = await startApp();
  const mailer = smtpMailer({ url: smtp.url, from: "crm@example.com", pool: true });
  app.mailer.send = mailer.send;
  await app.company();
  await app.company("Other");
  const [{ email }] = await app.sql("select email from users order by id desc limit 1") as [
    { email: string },
  ];
  const arrived = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let count = 0;
  smtp.onMail = async ({ to }) => {
    if (to[0] === email) return arrived.resolve(performance.now());
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
  const begun = performance.now();
  const client = await app.trustedClient();
  assert.equal((await app.call(client, "POST", "/v1/reset-password", { email })).status, 204);
  const late = setTimeout(() => arrived.reject(new Error("held up")), 10_000);
  assert.ok(await arrived.promise - begun < 2_000);
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
