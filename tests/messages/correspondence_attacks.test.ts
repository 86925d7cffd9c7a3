/** Correspondence under odd input: broken placeholders, many pages, text at the edges of its limits. */
import assert from "node:assert/strict";
import { cpuUsage } from "node:process";
import { newCase, newPath } from "../sales/parts.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";

const secret = "an-inbound-secret";
const env = { INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: secret };

async function scene(app: TestApp) {
  const company = await app.company();
  const member = await company.user({ teams: [await company.team()] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  await member.call("PUT", `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`, {
    fixed_fields: [{ name: "email", value: "grace@example.org" }],
  });
  const write = (correspondence: object): ReturnType<Actor["call"]> =>
    member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      correspondence,
    });
  return { admin: company.admin, member, caseId: made.id, write };
}

const refusal = ({ status, body }: Awaited<ReturnType<Actor["call"]>>) => [
  status,
  ...(body?.errors ?? []).map(({ path, code }: Record<string, string>) => `${path} ${code}`),
];

Deno.test("broken placeholders of an e-mail or a letter are refused with their place", async () => {
  await using app = await startApp();
  const { write } = await scene(app);
  for (const text of ["{{#contact}}", "{{/x}}", "{{", "{{=<% %>=}}", "{{>part}}", "{{{a}}"]) {
    const given = [
      { email: { subject: "x", content: text, send: true } },
      { email: { subject: text, content: "x", send: true } },
      { letter: { content: text } },
    ];
    const places = ["email.content", "email.subject", "letter.content"];
    for (const [n, each] of given.entries()) {
      assert.deepEqual(refusal(await write(each)), [422, `correspondence.${places[n]} format`], text);
    }
  }
});

Deno.test("a short letter of more than 50 pages is refused as well", async () => {
  await using app = await startApp();
  const { admin, write, member, caseId } = await scene(app);
  const wide = { margin_top: 100, margin_right: 100, margin_bottom: 100, margin_left: 100 };
  const frame = await admin.call("POST", "/v1/templates", {
    title: "Narrow",
    type: "letter",
    content: "{{content}}",
    ...wide,
  });
  const narrow = { template_id: frame.body.id };
  const long = [
    { content: `<p style="font-size:48px">${"x ".repeat(900)}</p>`, ...narrow },
    { content: `<h1>${"x ".repeat(900)}</h1>`, ...narrow },
  ];
  for (const letter of long) {
    assert.deepEqual(refusal(await write({ letter })), [422, "correspondence.letter.content max"]);
  }
  for (const content of [`<p>${"W ".repeat(900)}</p>`, "<p>W</p>".repeat(240), "<br />".repeat(320)]) {
    const { body, text } = await write({ letter: { content, ...narrow } });
    const { letter } = body.correspondence;
    assert.equal(
      (await member.call("GET", `/v1/cases/${caseId}/correspondences/${letter.id}/pdf`)).status,
      303,
      text,
    );
  }
});

Deno.test("arriving text at the edges of its limits stays whole text", async () => {
  await using app = await startApp(env);
  const { admin, member, caseId, write } = await scene(app);
  const sent = await write({ email: { subject: "Offer", content: "<p>Hello</p>", send: true } });
  assert.equal(sent.status, 201, sent.text);
  await app.idle();
  const { address } = app.mailer.sent.at(-1)!.author!;
  const target = startTarget();
  await admin.call("POST", "/v1/webhooks", { target_url: target.url, webhook_event: "*" });
  const smile = "\u{1F600}";
  const message = (subject: string, type: string, body: string) =>
    fetch(`${app.url}/v1/mail/inbound`, {
      method: "POST",
      headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
      body: [
        "From: grace@example.org",
        `To: ${address}`,
        `Subject: ${subject}`,
        `Content-Type: ${type}; charset=utf-8`,
        "",
        body,
      ].join("\r\n"),
    });
  const notice = "<p>[The message is longer. The file message.eml has all of it.]</p>";
  const room = 500_000 - notice.length;
  const odd: [subject: string, type: string, body: string, kept: string][] = [
    [`a${smile.repeat(200)}`, "text/plain", `a${smile.repeat(400)}`, `a${smile.repeat(400)}`],
    ["NUL", "text/plain", "one\0two", "one\ufffdtwo"],
    ["NUL in HTML", "text/html", "<p>one\0two</p>", "<p>one\ufffdtwo</p>"],
    ["entities", "text/html", "<p>a&#0;b&#xD800;c</p>", "<p>a\ufffdb\ufffdc</p>"],
    ["long", "text/plain", `${"a".repeat(499_998)}<<`, "a".repeat(room) + notice],
    ["whole", "text/plain", "a".repeat(499_990), "a".repeat(499_990)],
    ["pairs", "text/plain", `a${smile.repeat(260_000)}`, `a${smile.repeat((room - 1) >> 1)}${notice}`],
    [
      "cut breaks",
      "text/plain",
      `${"a".repeat(room - 3)}\n${"b".repeat(400)}`,
      `${"a".repeat(room - 3)}${notice}`,
    ],
    ["HTML alone", "text/html", `<p>word</p><!--${" ".repeat(999_000)}-->`, "<p>word</p>"],
  ];
  for (const [subject, type, body] of odd) {
    assert.equal((await message(subject, type, body)).status, 202, subject);
  }
  await app.idle();
  const { body: list } = await member.call("GET", `/v1/cases/${caseId}/correspondences`);
  const received = list.data.filter(({ direction }: Body) => direction === "in").toReversed();
  for (const [index, [subject, , , kept]] of odd.entries()) {
    const { body } = await member.call("GET", `/v1/cases/${caseId}/correspondences/${received[index].id}`);
    const content = body.content.replace(/(<br>|\s)+$/, "");
    assert.equal(body.subject, subject);
    assert.ok(content === kept, `${subject}: ${content.length} ${content.slice(-20)}`);
  }
  const { body: timeline } = await member.call("GET", `/v1/cases/${caseId}/timeline`);
  const first = timeline.data.filter(({ type }: Body) => type === "timeline_event").at(-1).data;
  assert.deepEqual([first.title, first.content], [`a${smile.repeat(127)}`, `a${smile.repeat(249)}`]);
  for (const { body } of target.received) assert.doesNotMatch(String(body), /\\ud[89a-f]/i);
  await target.close();
});

Deno.test("mail for a deleted case is dropped with a line", async () => {
  await using app = await startApp(env);
  const { admin, caseId, write } = await scene(app);
  await write({ email: { subject: "Offer", content: "<p>Hello</p>", send: true } });
  await app.idle();
  const { address } = app.mailer.sent.at(-1)!.author!;
  const deleted = await admin.call("DELETE", `/v1/cases/${caseId}`);
  assert.equal(deleted.status, 204, deleted.text);
  const reply = await fetch(`${app.url}/v1/mail/inbound`, {
    method: "POST",
    headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
    body: `From: grace@example.org\r\nTo: ${address}\r\n\r\nHi`,
  });
  assert.equal(reply.status, 202);
  assert.deepEqual(
    app.log.entries.filter(({ event }) => event === "inbound_mail_dropped").map(({ reason }) => reason),
    ["the case is gone"],
  );
});

Deno.test("mail that is made to cost much time is read or refused at once", async () => {
  await using app = await startApp(env);
  const post = async (...lines: string[]) => {
    const began = cpuUsage();
    const reply = await fetch(`${app.url}/v1/mail/inbound`, {
      method: "POST",
      headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
      body: ["To: x@in.example.com", ...lines].join("\r\n"),
    });
    await reply.body?.cancel();
    // Of all threads, in microseconds. A busy machine hardly changes it.
    const { user, system } = cpuUsage(began);
    assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
    return reply.status;
  };
  const mixed = "Content-Type: multipart/mixed; boundary=x";
  const html = ["--x", "", "text", "--x", "Content-Type: text/html", "", "<a href='".repeat(14_000)];
  assert.equal(await post(mixed, "", ...html), 202);
  const inner = ["--x", "Content-Type: message/rfc822", "", mixed.replace("=x", "=y"), ""];
  assert.equal(await post(mixed, "", ...inner, ...html.map((line) => line.replace("--x", "--y"))), 202);
  assert.equal(await post("", "a\r\n".repeat(500_001)), 422);
});
