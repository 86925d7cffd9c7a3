import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "./parts.ts";

interface Scene {
  readonly app: TestApp;
  readonly member: Actor;
  readonly caseId: string;
  /** Creates a call with an e-mail. */
  write(email: object, headers?: Record<string, string>): ReturnType<Actor["call"]>;
  record(types: readonly string[], more?: object): ReturnType<Actor["call"]>;
}

/** A case of a contact with the address, or without one (null). */
async function scene(app: TestApp, address: string | null = "grace@example.org"): Promise<Scene> {
  const company = await app.company();
  const member = await company.user({ teams: [await company.team()] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  if (address !== null) {
    const { status } = await member.call(
      "PUT",
      `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`,
      {
        fixed_fields: [{ name: "email", value: address }],
      },
    );
    assert.equal(status, 200);
  }
  const record = (types: readonly string[], more: object = {}, headers: Record<string, string> = {}) =>
    member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: types.map((name) => path.types[name]),
      ...more,
    }, headers);
  return {
    app,
    member,
    caseId: made.id,
    record,
    write: (email, headers) => record(["Call"], { correspondence: { email } }, headers),
  };
}

const offer = {
  subject: "Your  offer",
  content: '<p>Dear Grace,</p><p><b>42</b> &amp; no more<script>alert("x")</script></p>',
  send: true,
};

Deno.test("an e-mail is sent to the contact as text and sanitised HTML; replies go to its author", async () => {
  await using app = await startApp();
  const { member, write } = await scene(app);
  const made = await write(offer);
  assert.equal(made.status, 201, made.text);
  await app.idle();
  const { body: me } = await member.call("GET", "/v1/me");
  const [mail, ...others] = app.mailer.sent;
  assert.deepEqual(others, []);
  const { to, subject, text, html, author } = mail!;
  assert.deepEqual([to, subject, text], ["grace@example.org", "Your offer", "Dear Grace,\n42 & no more"]);
  assert.ok(html!.includes("<body><p>Dear Grace,</p><p><b>42</b> &amp; no more</p></body>"), html);
  assert.deepEqual(author, { name: `${me.first_name} ${me.last_name}`, address: me.email });
});

Deno.test("an e-mail without tags is sent as text only", async () => {
  await using app = await startApp();
  const { write } = await scene(app);
  assert.equal((await write({ ...offer, content: "Dear Grace,\n42 &amp; no more" })).status, 201);
  await app.idle();
  assert.deepEqual([app.mailer.sent[0]!.text, app.mailer.sent[0]!.html], [
    "Dear Grace,\n42 & no more",
    undefined,
  ]);
});

Deno.test("the content of an e-mail is not in the log, and encrypted in the outbox", async () => {
  await using app = await startApp();
  const { write } = await scene(app);
  app.mailer.send = () => Promise.resolve("kept");
  assert.equal((await write({ ...offer, subject: "Xylophone", content: "Zucchini" })).status, 201);
  await app.idle();
  const reported = app.log.entries.filter(({ event }) => event === "mail_without_server");
  assert.deepEqual(reported.map(({ to, subject }) => [to, subject]), [[
    "grace@example.org",
    "An e-mail of a case",
  ]]);
  assert.doesNotMatch(JSON.stringify(app.log.entries), /Xylophone|Zucchini/);
  assert.doesNotMatch(JSON.stringify(await app.sql("select * from mails")), /Xylophone|Zucchini/);
});

Deno.test("an e-mail without `send` is stored with the activity and has no required parts", async () => {
  await using app = await startApp();
  for (const { write } of [await scene(app, null), await scene(app)]) {
    for (const email of [{ ...offer, send: false }, { content: "Hi" }, { ...offer, send: null }, {}]) {
      assert.equal((await write(email)).status, 201);
    }
  }
  await app.idle();
  assert.deepEqual(app.mailer.sent, []);
});

Deno.test("an e-mail to send requires subject, content and address; otherwise nothing changes", async () => {
  await using app = await startApp();
  const unreachable = await scene(app, null);
  const { write, member, caseId } = await scene(app);
  const readRefusal = async (answer: ReturnType<Actor["call"]>) => {
    const { status, body } = await answer;
    return [
      status,
      ...(body.errors ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`),
    ];
  };
  const at = "correspondence.email";
  assert.deepEqual(await readRefusal(write({ send: true })), [
    422,
    `${at}.subject required`,
    `${at}.content required`,
  ]);
  assert.deepEqual(await readRefusal(write({ ...offer, subject: " \n " })), [422, `${at}.subject required`]);
  assert.deepEqual(await readRefusal(write({ ...offer, subject: "Your\r\noffer" })), [
    422,
    `${at}.subject format`,
  ]);
  assert.deepEqual(await readRefusal(write({ ...offer, content: "<script>x</script>" })), [
    422,
    `${at}.content required`,
  ]);
  assert.deepEqual(await readRefusal(unreachable.write(offer)), [422, `${at}.send exists`]);
  assert.deepEqual(await readRefusal(write({ ...offer, template_id: 1 })), [422, `${at}.template_id exists`]);
  await app.idle();
  assert.deepEqual(app.mailer.sent, []);
  assert.equal((await member.call("GET", `/v1/cases/${caseId}`)).body.activity_count, 0);
});

Deno.test("a rejected activity sends nothing, and a repeated one sends once", async () => {
  await using app = await startApp();
  const { write, record } = await scene(app);
  const key = { "Idempotency-Key": "once" };
  const [first, again] = [await write(offer, key), await write(offer, key)];
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text]);
  await app.idle();
  assert.equal(app.mailer.sent.length, 1);
  assert.equal((await record(["Sold"])).status, 201);
  assert.equal((await write(offer)).status, 409);
  await app.idle();
  assert.equal(app.mailer.sent.length, 1);
});
