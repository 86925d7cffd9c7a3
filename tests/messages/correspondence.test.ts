/** E-mails and letters of cases: what an activity writes, what is sent, and who reads it. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { sql } from "../../src/db/statements.ts";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { type Actor, send, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "../sales/parts.ts";

interface Scene {
  readonly app: TestApp;
  readonly admin: Actor;
  readonly member: Actor;
  readonly colleague: Actor;
  readonly team: number;
  readonly caseId: string;
  write(correspondence: object): ReturnType<Actor["call"]>;
}

async function scene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const team = await company.team({ name: "Nord" });
  const member = await company.user({ teams: [team] });
  const colleague = await company.user({ teams: [team] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  const contact = `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`;
  const makeFields = (fields: Record<string, string>) => ({
    fixed_fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
  });
  const changed = await member.call(
    "PUT",
    contact,
    makeFields({ email: "grace@example.org", last_name: "<Hopper>" }),
  );
  assert.equal(changed.status, 200, changed.text);
  return {
    app,
    admin: company.admin,
    member,
    colleague,
    team,
    caseId: made.id,
    write: (correspondence) =>
      member.call("POST", `/v1/cases/${made.id}/activities`, {
        activity_type_ids: [path.types["Call"]],
        correspondence,
      }),
  };
}

async function template(admin: Actor, given: object): Promise<number> {
  const { status, body, text } = await admin.call("POST", "/v1/templates", { title: "Frame", ...given });
  assert.equal(status, 201, text);
  return body.id;
}

async function readStatus(link: string): Promise<number> {
  const response = await fetch(link);
  await response.body?.cancel();
  return response.status;
}

const refusal = ({ status, body }: Awaited<ReturnType<Actor["call"]>>) => [
  status,
  ...(body?.errors ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`),
];

Deno.test("waiting mail is sent with a file as it was attached, unless the file is deleted", async () => {
  await using app = await startApp();
  const { member, write } = await scene(app);
  const bodies = new Map<string, Record<string, string>>();
  const file = async (name: string) =>
    (await member.call("POST", "/v1/files", { name, data: btoa("%PDF-1.7 first") })).body.id as string;
  const file_ids = [await file("replaced.pdf"), await file("deleted.pdf")];
  app.mailer.send = () => Promise.reject(new MailFailed("450 later", "deferred"));
  const made = await write({ email: { subject: "Offer", content: "<p>Dear</p>", file_ids, send: true } });
  assert.equal(made.status, 201, made.text);
  await app.idle();
  const replaced = await member.call("PUT", `/v1/files/${file_ids[0]}/replace`, {
    data: btoa("%PDF-1.7 second"),
  });
  assert.equal(replaced.status, 200, replaced.text);
  assert.equal((await member.call("DELETE", `/v1/files/${file_ids[1]}`)).status, 204);
  const countStored = async () => (await app.sql("select key from objects")).length;
  const jobs = async () => assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await jobs();
  assert.equal(await countStored(), 2);
  app.mailer.send = async ({ subject, attachments = [] }) => {
    const read = attachments.map(async ({ name, body }) => [name, await new Response(body).text()]);
    bodies.set(subject, Object.fromEntries(await Promise.all(read)));
    return "sent";
  };
  app.clock.move(3_600_000);
  await jobs();
  assert.deepEqual(bodies.get("Offer"), { "replaced.pdf": "%PDF-1.7 first" });
  await jobs();
  assert.equal(await countStored(), 1);
});

Deno.test("an e-mail is rendered in its template, sent with its files, and kept as it was sent", async () => {
  await using app = await startApp();
  const { admin, member, caseId, write } = await scene(app);
  const frame = await template(admin, {
    type: "email",
    content: "<h1>{{subject}}</h1>{{content}}<p>Bye</p>",
  });
  const { body: me } = await member.call("GET", "/v1/me");
  const file = await member.call("POST", "/v1/files", { name: "offer.pdf", data: btoa("%PDF-1.7") });
  const made = await write({
    email: {
      subject: "For {{contact.last_name}}",
      content: "<p>Dear {{contact.last_name}}, {{user.first_name}}</p>",
      template_id: frame,
      file_ids: [file.body.id],
      send: true,
    },
  });
  assert.equal(made.status, 201, made.text);
  const { email } = made.body.correspondence;
  assert.deepEqual([email.template_id, email.file_ids, email.content], [
    frame,
    [file.body.id],
    "<p>Dear {{contact.last_name}}, {{user.first_name}}</p>",
  ]);
  const at = `/v1/cases/${caseId}/correspondences/${email.id}`;
  await app.idle();
  const [mail] = app.mailer.sent;
  assert.equal(mail!.subject, "For <Hopper>");
  assert.match(mail!.html!, /<h1>For &lt;Hopper&gt;<\/h1><p>Dear &lt;Hopper&gt;, [^<]+<\/p><p>Bye<\/p>/);
  assert.ok(mail!.html!.includes(`, ${me.first_name}</p>`));
  assert.deepEqual(mail!.from, { name: `${me.first_name} ${me.last_name}` });
  assert.deepEqual(mail!.attachments!.map(({ name, type }) => [name, type]), [[
    "offer.pdf",
    "application/pdf",
  ]]);
  const { body } = await member.call("GET", at);
  assert.deepEqual(
    [body.status, body.direction, body.to, body.subject, body.sent_at, body.opened_at, body.files],
    ["sent", "out", "grace@example.org", "For <Hopper>", "2026-03-02 09:00:00", null, [
      { id: file.body.id, name: "offer.pdf", size: 8 },
    ]],
  );
  assert.match(body.content, /<h1>For &lt;Hopper&gt;<\/h1>/);
  const list = await member.call("GET", `/v1/cases/${caseId}/correspondences`);
  assert.deepEqual(list.body.data.map(({ id, content }: Record<string, unknown>) => [id, content]), [
    [email.id, undefined],
  ]);
  // The template and the file go; what was sent stays.
  assert.equal((await admin.call("DELETE", `/v1/templates/${frame}`)).status, 204);
  assert.equal((await member.call("DELETE", `/v1/files/${file.body.id}`)).status, 204);
  const after = await member.call("GET", at);
  assert.deepEqual([after.body.content, after.body.files], [body.content, []]);
});

Deno.test("a letter has its template's margins and a PDF for five minutes; an e-mail has none", async () => {
  await using app = await startApp();
  const { admin, member, caseId, write } = await scene(app);
  const frame = await template(admin, { type: "letter", content: "{{content}}", margin_top: 10 });
  const made = await write({
    letter: { content: "<p>Dear {{contact.last_name}}</p>", template_id: frame },
    email: { subject: "x" },
  });
  const { letter, email } = made.body.correspondence;
  const at = `/v1/cases/${caseId}/correspondences`;
  const { body } = await member.call("GET", `${at}/${letter.id}`);
  assert.deepEqual([body.type, body.status, body.template_id, body.to], ["letter", "made", frame, null]);
  assert.equal((await member.call("GET", `${at}/${email.id}`)).body.status, "draft");
  const pdf = await member.call("GET", `${at}/${letter.id}/pdf`);
  assert.equal(pdf.status, 303);
  const link = pdf.headers.get("location")!;
  const shown = await fetch(link);
  assert.equal(shown.headers.get("content-type"), "application/pdf");
  assert.match(await shown.text(), /^%PDF-/);
  assert.equal((await member.call("GET", `${at}/${email.id}/pdf`)).status, 404);
  assert.equal(Number(shown.headers.get("content-length")) > 0, true);
  for (let count = 0; count < 40; count++) await member.call("GET", `${at}/${letter.id}/pdf`);
  const [stored] = await app.deps.db.read([sql`select key from objects`]);
  assert.deepEqual(stored!.rows, [], "a letter is made at each call and not stored");
  app.clock.move(6 * 60_000);
  assert.equal((await send(link, "GET", null)).status, 404);
});

Deno.test("of a letter that is asked for at once, a user gets as many as one after the other", async () => {
  await using app = await startApp();
  const { member, caseId, write } = await scene(app);
  const { letter } = (await write({ letter: { content: "<p>Dear</p>" } })).body.correspondence;
  const pdf = await member.call("GET", `/v1/cases/${caseId}/correspondences/${letter.id}/pdf`);
  const link = pdf.headers.get("location")!;
  const statuses = await Promise.all(Array.from({ length: 130 }, () => readStatus(link)));
  // Of those that count, a company's turn takes a few at once; the others are 503.
  assert.equal(statuses.filter((status) => status === 429).length, 10);
  assert.ok(statuses.includes(200));
});

Deno.test("unknown templates and files are named, and files of more than 10 MiB together are refused", async () => {
  await using app = await startApp();
  const { admin, colleague, member, write } = await scene(app);
  const letter = await template(admin, { type: "letter", content: "x" });
  const foreign = await colleague.call("POST", "/v1/files", { name: "own.txt", data: btoa("x") });
  const at = "correspondence.email";
  assert.deepEqual(
    refusal(
      await write({
        email: { template_id: letter, file_ids: [foreign.body.id] },
        letter: { template_id: 99 },
      }),
    ),
    [422, `${at}.template_id exists`, "correspondence.letter.template_id exists", `${at}.file_ids[0] exists`],
  );
  const large = { name: "large.bin", data: new Uint8Array(6 * 1024 * 1024).toBase64() };
  const files = [
    await member.call("POST", "/v1/files", large),
    await member.call("POST", "/v1/files", large),
  ];
  const file_ids = files.map(({ body }) => body.id);
  assert.deepEqual(refusal(await write({ email: { file_ids } })), [422, `${at}.file_ids max`]);
  // A template that is the whole text needs no content.
  const whole = await template(admin, { type: "email", content: "<p>All of it</p>" });
  assert.deepEqual(refusal(await write({ email: { subject: "x", send: true } })), [
    422,
    `${at}.content required`,
  ]);
  assert.equal((await write({ email: { subject: "x", template_id: whole, send: true } })).status, 201);
});

Deno.test("a mail that the server refuses is shown as failed, with the reason", async () => {
  await using app = await startApp();
  const { member, caseId, write } = await scene(app);
  app.mailer.send = () => Promise.resolve("kept");
  const { body } = await write({ email: { subject: "x", content: "y", send: true } });
  await app.idle();
  const shown = await member.call(
    "GET",
    `/v1/cases/${caseId}/correspondences/${body.correspondence.email.id}`,
  );
  assert.deepEqual([shown.body.status, shown.body.error, shown.body.sent_at], [
    "failed",
    "There is no mail server.",
    null,
  ]);
});

Deno.test("colleagues are notified of a correspondence, once each, if they see the case", async () => {
  await using app = await startApp();
  const { admin, member, colleague, caseId, team, write } = await scene(app);
  const { body } = await write({ email: { subject: "x", content: "y" } });
  const { id } = body.correspondence.email;
  const at = `/v1/cases/${caseId}/correspondences/${id}/notify`;
  const notify = (given: object) => member.call("POST", at, { notify: given });
  assert.deepEqual(refusal(await notify({})), [422, "notify required"]);
  assert.deepEqual(refusal(await notify({ users: [999_999] })), [422, "notify.users[0] exists"]);
  const done = await notify({ users: [colleague.id], teams: [team] });
  assert.deepEqual([done.status, done.body], [202, { queued: true }]);
  const { body: { data } } = await colleague.call("GET", "/v1/notifications");
  assert.equal(data.length, 1);
  assert.deepEqual([data[0].type, data[0].data.correspondence, data[0].data.case.id], [
    "inbox",
    { id },
    caseId,
  ]);
  assert.match(data[0].message, /asks you to look at an e-mail of case 1/);
  assert.equal((await admin.call("GET", "/v1/notifications")).body.data.length, 0);
});

Deno.test("an e-mail reports that it was opened, once, and only where the company wants it", async () => {
  await using app = await startApp();
  const { admin, member, caseId, write } = await scene(app);
  const sendMail = async () => {
    const { body } = await write({ email: { subject: "Offer", content: "<p>y</p>", send: true } });
    await app.idle();
    return { id: body.correspondence.email.id, html: app.mailer.sent.at(-1)!.html! };
  };
  assert.doesNotMatch((await sendMail()).html, /<img/);
  const setting = await admin.call("PUT", `/v1/companies/${admin.companyId}/settings`, {
    email_tracking: true,
  });
  assert.deepEqual([setting.status, setting.body.email_tracking], [200, true], setting.text);
  const { id, html } = await sendMail();
  const picture = /<img src="([^"]+)"/.exec(html)![1]!;
  const readOpening = async () =>
    (await member.call("GET", `/v1/cases/${caseId}/correspondences/${id}`)).body.opened_at;
  assert.equal((await fetch(picture, { method: "HEAD" })).status, 200);
  assert.equal(await readOpening(), null);
  app.clock.move(60_000);
  for (let n = 0; n < 2; n++) {
    const reply = await fetch(picture);
    assert.equal(reply.headers.get("content-type"), "image/gif");
    assert.equal((await reply.bytes())[0], 0x47);
    app.clock.move(60_000);
  }
  assert.equal(await readOpening(), "2026-03-02 09:01:00");
  const { body: { data } } = await member.call("GET", "/v1/notifications");
  assert.deepEqual(data.map(({ type }: { type: string }) => type), ["email_opened"]);
  assert.deepEqual(data[0].data.email, { id, correspondence_id: id, subject: "Offer" });
  assert.equal(data[0].data.contact.last_name, "<Hopper>");
  const forged = picture.replace(/.(?=\.gif)/, (last) => last === "A" ? "B" : "A");
  assert.equal((await fetch(forged)).status, 404);
});

Deno.test("names of sent files are shown to the sender and to those who may read the file; others see their number", async () => {
  await using app = await startApp();
  const { admin, member, colleague, caseId, write } = await scene(app);
  const file = await member.call("POST", "/v1/files", { name: "secret.txt", data: btoa("secret") });
  const email = { subject: "Offer", content: "<p>Dear</p>", file_ids: [file.body.id], send: true };
  const made = await write({ email });
  assert.equal(made.status, 201, made.text);
  const path = `/v1/cases/${caseId}/correspondences`;
  const seenBy = async (actor: Actor) => {
    const [listed] = (await actor.call("GET", path)).body.data;
    const { body: one } = await actor.call("GET", `${path}/${listed.id}`);
    assert.deepEqual(one.files, listed.files);
    return [one.files.map(({ name }: { name: string }) => name), one.file_count, listed.file_count];
  };
  assert.deepEqual(await seenBy(member), [["secret.txt"], 1, 1]);
  assert.deepEqual(await seenBy(admin), [["secret.txt"], 1, 1]);
  assert.deepEqual(await seenBy(colleague), [[], 1, 1]);
});
