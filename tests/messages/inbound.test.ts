/** Mail that arrives: replies to cases, reports of failed delivery, and other mail. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { sql } from "../../src/db/statements.ts";
import { beginErasures } from "../../src/identity/companies/begin_erasure.ts";
import { restoreCompany } from "../../src/identity/companies/restore.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import fc from "../support/properties.ts";
import { startTarget } from "../support/listener.ts";
import { measureUntilGood } from "../support/measured.ts";

const secret = "an-inbound-secret";
const env = {
  INBOUND_MAIL_DOMAIN: "in.example.com",
  INBOUND_MAIL_SECRET: secret,
};

interface Scene {
  readonly app: TestApp;
  readonly admin: Actor;
  readonly member: Actor;
  readonly caseId: string;
  readonly types: Readonly<Record<string, string>>;
  /** The reply address of an e-mail that the member sends. */
  readonly address: string;
  readonly bounce: string;
  readonly sentId: string;
  correspondences(): Promise<Body[]>;
}

async function scene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const member = await company.user({ teams: [await company.team()] });
  const path = await newPath(company.admin);
  const made = await newCase(member, path);
  await member.call(
    "PUT",
    `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`,
    {
      fixed_fields: [{ name: "email", value: "grace@example.org" }],
    },
  );
  const { body } = await member.call(
    "POST",
    `/v1/cases/${made.id}/activities`,
    {
      activity_type_ids: [path.types["Call"]],
      correspondence: {
        email: { subject: "Offer", content: "<p>Hello</p>", send: true },
      },
    },
  );
  await app.idle();
  const mail = app.mailer.sent.at(-1)!;
  return {
    app,
    admin: company.admin,
    member,
    caseId: made.id,
    types: path.types,
    address: mail.author!.address,
    bounce: mail.envelopeFrom!,
    sentId: body.correspondence.email.id,
    correspondences: async () =>
      (await member.call("GET", `/v1/cases/${made.id}/correspondences`)).body
        .data,
  };
}

function arrive(
  { app }: Pick<Scene, "app">,
  message: string | Uint8Array<ArrayBuffer>,
  { token = secret, type = "message/rfc822" }: {
    token?: string | null;
    type?: string;
  } = {},
): Promise<Response> {
  return fetch(`${app.url}/v1/mail/inbound`, {
    method: "POST",
    headers: {
      "Content-Type": type,
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: message,
  });
}

const lines = (...all: string[]) => all.join("\r\n");

const answer = (
  to: string,
  more: readonly string[] = [],
  body = "Yes, please.",
) =>
  lines(
    "From: =?utf-8?Q?Gr=C3=A4ce?= <grace@example.org>",
    `To: Sales <${to}>`,
    "Subject: Re: Offer",
    "Message-ID: <one@example.org>",
    ...more,
    "",
    body,
  );

Deno.test("an answer becomes a correspondence of its case, with files, timeline, event and notification", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const target = startTarget();
  await of.admin.call("POST", "/v1/webhooks", {
    target_url: target.url,
    webhook_event: "*",
  });
  const parts = lines(
    "--x",
    "Content-Type: text/html; charset=utf-8",
    "",
    '<p>Yes<script>alert(1)</script> <a href="javascript:x()">here</a></p>',
    "--x",
    'Content-Type: application/pdf; name="a.pdf"',
    "Content-Disposition: attachment; filename*=utf-8''..%2Fetc%2Fp%C3%A4ss%0Awd.pdf",
    "Content-Transfer-Encoding: base64",
    "",
    btoa("%PDF-1.7 here"),
    "--x--",
    "",
  );
  const mixed = [
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="x"',
  ];
  const reply = await arrive(
    of,
    answer(of.address.toUpperCase(), mixed, parts),
  );
  assert.deepEqual([reply.status, await reply.text()], [202, ""]);
  await app.idle();
  const [arrived] = await of.correspondences();
  const { id, direction, status, from, subject, files } = arrived!;
  assert.deepEqual([direction, status, from, subject], [
    "in",
    "received",
    { name: "Gräce", address: "grace@example.org" },
    "Re: Offer",
  ]);
  const { body } = await of.member.call(
    "GET",
    `/v1/cases/${of.caseId}/correspondences/${id}`,
  );
  assert.equal(body.content.trim(), "<p>Yes <a>here</a></p>");
  const [{ name }] = files;
  assert.match(name, /^\.\._etc_päss_?wd\.pdf$/);
  const { body: shown } = await of.member.call("GET", `/v1/cases/${of.caseId}`);
  assert.deepEqual(
    shown.attachments.map((file: { name: string }) => file.name),
    [name],
  );
  const bytes = await of.member.call(
    "GET",
    `/v1/files/${shown.attachments[0].id}`,
  );
  assert.deepEqual([bytes.body.user_id, bytes.body.size], [of.member.id, 13]);
  const { body: timeline } = await of.member.call(
    "GET",
    `/v1/cases/${of.caseId}/timeline`,
  );
  const entry = timeline.data.find((each: { type: string }) => each.type === "timeline_event");
  assert.deepEqual([entry.data.type, entry.data.title], [
    "incoming_email",
    "Re: Offer",
  ]);
  const { body: notes } = await of.member.call("GET", "/v1/notifications");
  assert.deepEqual(notes.data.map((each: { type: string }) => each.type), [
    "incoming_email",
  ]);
  assert.deepEqual(notes.data[0].data.email, {
    id,
    correspondence_id: id,
    subject: "Re: Offer",
  });
  const names = target.received.map(({ headers }) => headers.get("x-service-event")).sort();
  assert.deepEqual(names, [
    "case_updated",
    "correspondence_received",
    "timeline_event_created",
  ]);
  await target.close();
});

Deno.test("the next mail of the case answers the newest one that arrived, in its thread", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  assert.equal(app.mailer.sent.at(-1)!.headers?.["In-Reply-To"], undefined);
  const thread = [
    "In-Reply-To: <ours@example.com>",
    "References: <first@example.com>\r\n <ours@example.com>",
  ];
  assert.equal((await arrive(of, answer(of.address, thread))).status, 202);
  await app.idle();
  const { status, text } = await of.member.call(
    "POST",
    `/v1/cases/${of.caseId}/activities`,
    {
      activity_type_ids: [of.types["Call"]],
      correspondence: {
        email: { subject: "Re: Offer", content: "<p>Fine</p>", send: true },
      },
    },
  );
  assert.equal(status, 201, text);
  await app.idle();
  const { headers } = app.mailer.sent.at(-1)!;
  assert.equal(headers!["In-Reply-To"], "<one@example.org>");
  assert.equal(
    headers!["References"],
    "<first@example.com> <ours@example.com> <one@example.org>",
  );
});

Deno.test("attachments keep their ending: long names are cut before it, and names without one get that of the type", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const part = (type: string, name: string) => [
    "--x",
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    "",
    "content",
  ];
  const mixed = [
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="x"',
  ];
  const parts = lines(
    ...part("application/pdf", `${"a".repeat(300)}.pdf`),
    ...part("application/pdf", "offer"),
    ...part("image/png", ""),
    ...part("application/x-unknown", "odd"),
    ...part("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "contract"),
    ...part("IMAGE/JPG", "photo"),
    "--x--",
    "",
  );
  assert.equal(
    (await arrive(of, answer(of.address, mixed, parts))).status,
    202,
  );
  await app.idle();
  const [{ files }] = await of.correspondences() as [Body];
  assert.deepEqual(
    files.map(({ name }: Body) => name),
    [`${"a".repeat(251)}.pdf`, "offer.pdf", "attachment 3.png", "odd", "contract.docx", "photo.jpg"],
  );
});

Deno.test("a text that names no known character set is read as it was written", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const meta = [...'<meta charset="windows-1251"><p>'].map((one) => one.charCodeAt(0));
  const texts: readonly (readonly [type: string, bytes: readonly number[], content: string])[] = [
    ["text/plain", [0x63, 0x61, 0x66, 0xe9], "caf\u00e9<br>"],
    ["text/plain", [0x63, 0x61, 0x66, 0xc3, 0xa9], "caf\u00e9<br>"],
    ["text/plain; charset=x-foo", [0x63, 0x61, 0x66, 0xc3, 0xa9], "caf\u00e9<br>"],
    ["text/plain; charset=us-ascii", [0x80], "\u20ac<br>"],
    ["text/plain; charset=utf-16", [0xfe, 0xff, 0, 0x68, 0, 0x69], "hi"],
    ["text/html", [...meta, 0xcf, 0xf0], "<p>\u041f\u0440\n</p>"],
    ["text/plain; charset=koi8-r", [0xf0, 0xd2], "\u041f\u0440<br>"],
  ];
  for (const [index, [type, bytes, content]] of texts.entries()) {
    const id = ["MIME-Version: 1.0", `Message-ID: <text-${index}@example.org>`, `Content-Type: ${type}`];
    const base64 = /utf-16/.test(type) ? ["Content-Transfer-Encoding: base64"] : [];
    const head = lines("From: grace@example.org", `To: ${of.address}`, ...id, ...base64, "", "");
    const body = base64.length > 0
      ? [...btoa(String.fromCharCode(...bytes))].map((one) => one.charCodeAt(0))
      : bytes;
    app.clock.move(60_000);
    const message = new Uint8Array([...new TextEncoder().encode(head), ...body]);
    assert.equal((await arrive(of, message)).status, 202);
    const [{ id: newest }] = (await of.correspondences()).filter(({ direction }) => direction === "in") as [
      Body,
    ];
    const { body: shown } = await of.member.call("GET", `/v1/cases/${of.caseId}/correspondences/${newest}`);
    assert.equal(shown.content, content, type);
  }
});

Deno.test("HTML of many tags and characters keeps its form; what is cut says so, and the original is a file", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const readContent = async () => {
    const [{ id }] = await of.correspondences() as [Body];
    return (await of.member.call("GET", `/v1/cases/${of.caseId}/correspondences/${id}`)).body;
  };
  const bodies: [string, boolean][] = [
    [`<p>${"words ".repeat(70_000)}</p>`, true],
    ["<p><b>x</b></p>".repeat(7_000), true],
    ["<p><b>x</b></p>".repeat(20_000), false],
    [`<p>${"&amp;".repeat(150_000)}</p>`, false],
    [`<p>${"words ".repeat(300_000)}</p>`, false],
    [`<p style="${"color:red;".repeat(30_000)}">x</p>`, false],
    [`<style>${"p{color:red}".repeat(20_000)}</style><p>Short</p>`, true],
  ];
  for (const [n, [html, isWhole]] of bodies.entries()) {
    const message = answer(of.address, ["MIME-Version: 1.0", "Content-Type: text/html"], html)
      .replace("<one@", `<long${n}@`);
    assert.equal((await arrive(of, message)).status, 202);
    const { content, files } = await readContent();
    assert.ok(content.length <= 500_000);
    assert.doesNotMatch(content, /&lt;/);
    assert.equal(/The file message\.eml has all of it/.test(content), !isWhole, `${n}`);
    assert.deepEqual(files.map(({ name }: Body) => name), isWhole ? [] : ["message.eml"]);
    if (n !== 5) assert.match(content, /^<p>/);
    if (isWhole) continue;
    const { headers } = await of.member.call("GET", `/v1/files/${files[0].id}/download`);
    const original = await (await fetch(headers.get("location")!)).text();
    assert.equal(original, message);
  }
});

Deno.test("a picture inside an arrived message is shown to those who may read the file", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const picture = "iVBORw0KGgo=";
  const html =
    '<p>See <img src="cid:pic@x" alt="Car"> <img src="cid:p%C3%A4@x"> <img src="cid:none" alt="Gone">' +
    ' and the text src="cid:pic@x"</p>';
  const part = (id: string) =>
    lines(
      "--x",
      'Content-Type: image/png; name="car.png"',
      "Content-Disposition: inline",
      `Content-ID: <${id}>`,
      "Content-Transfer-Encoding: base64",
      "",
      picture,
    );
  const message = answer(
    of.address,
    ["MIME-Version: 1.0", 'Content-Type: multipart/related; boundary="x"'],
    lines("--x", "Content-Type: text/html", "", html, part("pic@x"), part("pä@x"), "--x--", ""),
  );
  assert.equal((await arrive(of, message)).status, 202);
  const [{ id, files }] = await of.correspondences() as [Body];
  const path = `/v1/cases/${of.caseId}/correspondences/${id}`;
  const { content } = (await of.member.call("GET", path)).body;
  const shown: string[] = [...content.matchAll(/src="(http[^"]*)"/g)].map(([, url]: string[]) => url!);
  assert.equal(shown.length, 2, content);
  for (const url of shown) {
    const got = await fetch(url);
    assert.deepEqual([got.status, got.headers.get("content-type")], [200, "image/png"]);
    assert.equal((await got.bytes()).toBase64(), picture);
  }
  assert.match(content, /<img alt="Gone" \/> and the text src="cid:pic@x"<\/p>\s*$/);
  for (const { id } of files) {
    assert.equal((await of.admin.call("DELETE", `/v1/files/${id}`)).status, 204);
  }
  assert.doesNotMatch((await of.member.call("GET", path)).body.content, /<img[^>]* src=/);
});

Deno.test("this thread serves on while a message of 126 KiB is parsed, cleaned and made words of", async () => {
  await using app = await startApp(env);
  const { address, correspondences } = await scene(app);
  await arrive({ app }, answer(address));
  const part =
    '<p style="color: red; font-size: 12px; margin: 0"><b>Words</b> of <a href="https://a.org">a mail</a></p>';
  const count = Math.floor(126 * 1024 / part.length);
  const message = answer(address, ["Content-Type: text/html"], part.repeat(count));
  const before = (await correspondences()).length;
  let arrived = 0;
  const isShort = (longest: number) => longest < 90;
  const longest = await measureUntilGood(async () => {
    let [last, longest] = [performance.now(), 0];
    const look = () => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const timer = setInterval(look, 1);
    const next = message.replace("<one@", `<next${++arrived}@`);
    assert.equal((await arrive({ app }, next)).status, 202);
    look();
    clearInterval(timer);
    assert.equal((await correspondences()).length, before + arrived);
    return longest;
  }, isShort);
  assert.ok(isShort(longest), `${longest} ms without a turn`);
});

Deno.test("the same message is taken once, also at once, and in a closed case", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const closed = await of.member.call("PUT", `/v1/cases/${of.caseId}/decline`, {
    reason: "No",
  });
  assert.equal(closed.status, 200, closed.text);
  const message = answer(of.address);
  const replies = await Promise.all(
    [1, 2, 3, 4].map(() => arrive(of, message)),
  );
  assert.deepEqual(replies.map(({ status }) => status), [202, 202, 202, 202]);
  assert.equal((await arrive(of, message)).status, 202);
  // A message without a Message-ID is identified by its bytes.
  const bare = message.replace(/Message-ID.*\r\n/, "");
  for (const each of [bare, bare, `${bare}!`]) {
    assert.equal((await arrive(of, each)).status, 202);
  }
  assert.equal((await of.correspondences()).length, 1 + 1 + 2);
});

Deno.test("the address stands in To, Cc, Delivered-To or X-Original-To; an unknown one is dropped with a line", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const to = (header: string, n: number) =>
    lines(
      "From: a@example.org",
      `${header}: <${of.address}>`,
      `Message-ID: <${n}@x>`,
      "",
      "Hi",
    );
  for (
    const [n, header] of ["To", "Cc", "Delivered-To", "X-Original-To"].entries()
  ) {
    assert.equal((await arrive(of, to(header, n))).status, 202);
  }
  assert.equal((await of.correspondences()).length, 5);
  const [local] = of.address.split("@");
  const forged = `${local!.slice(0, -1)}${local!.endsWith("a") ? "b" : "a"}@in.example.com`;
  const wrong = [
    "To: sales@in.example.com",
    `To: ${forged}`,
    `To: ${local}@other.example.com`,
    `Bcc: ${of.address}`,
  ];
  for (const header of wrong) {
    assert.equal(
      (await arrive(of, lines("From: a@example.org", header, "", "Hi"))).status,
      202,
    );
  }
  assert.equal((await of.correspondences()).length, 5);
  assert.equal(
    app.log.entries.filter(({ event }) => event === "inbound_mail_dropped")
      .length,
    wrong.length,
  );
});

Deno.test("mail for a deleted company waits at the mail server, arrives when it is back, and is dropped once it goes", async () => {
  await using app = await startApp({ ...env, ERASE_AFTER: "2" });
  const of = await scene(app);
  const [{ id }] = await app.sql("select id from companies") as [{ id: number }];
  const remove = async (by: Actor) =>
    assert.equal((await by.call("DELETE", `/v1/companies/${id}`)).status, 204);
  const statuses = async () => {
    const all = [arrive(of, answer(of.address)), arrive(of, answer(of.address, ["Cc: <x@example.org>"]))];
    return (await Promise.all(all)).map(({ status }) => status);
  };
  await remove(of.admin);
  const refused = await arrive(of, answer(of.address));
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "3600"]);
  assert.doesNotMatch(await refused.text(), /compan|deleted/);
  const author = { deps: app.deps, now: app.clock.now(), at: formatTimestamp(app.clock.now()) };
  await restoreCompany(author, id);
  assert.deepEqual(await statuses(), [202, 202]);
  const kept = await app.sql("select id from correspondences where direction = 'in'");
  assert.equal(kept.length, 1);
  await app.deps.db.write([sql`update companies set deleted_at = ${author.at}`]);
  app.clock.move(2 * 86_400_000);
  assert.equal(await beginErasures(app.deps, app.clock.now()), 1);
  assert.deepEqual(await statuses(), [202, 202]);
});

Deno.test("automatic replies are kept without a notification", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const headers = [
    "Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "X-Autoreply: yes",
    "Auto-Submitted: no",
  ];
  for (const [n, header] of headers.entries()) {
    await arrive(of, answer(of.address, [header]).replace("one@", `${n}@`));
  }
  assert.equal((await of.correspondences()).length, 1 + headers.length);
  const { body } = await of.member.call("GET", "/v1/notifications");
  assert.equal(body.data.length, 1);
});

Deno.test("a report of failed delivery marks the e-mail as failed; other mail to that address does not", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const status = async () => {
    const { body } = await of.member.call(
      "GET",
      `/v1/cases/${of.caseId}/correspondences/${of.sentId}`,
    );
    return [body.status, body.error];
  };
  const report = (action: string) =>
    lines(
      "From: MAILER-DAEMON@mx.example.org",
      `To: ${of.bounce}`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
      "",
      "--x",
      "Content-Type: text/plain",
      "",
      "It did not work.",
      "--x",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      "Final-Recipient: rfc822; grace@example.org",
      `Action: ${action}`,
      "Status: 5.1.1",
      "Diagnostic-Code: smtp; 550 5.1.1 no such user",
      "--x--",
      "",
    );
  await arrive(
    of,
    lines(
      "From: a@example.org",
      `To: ${of.bounce}`,
      "Auto-Submitted: auto-replied",
      "",
      "Away",
    ),
  );
  await arrive(of, report("delayed"));
  assert.deepEqual(await status(), ["sent", null]);
  await arrive(of, report("failed"));
  assert.deepEqual(await status(), ["failed", "smtp; 550 5.1.1 no such user"]);
});

Deno.test("without the secret there is no endpoint; a wrong token, type, size and body are refused", async () => {
  await using closed = await startApp();
  assert.equal(
    (await arrive({ app: closed }, answer("x@in.example.com"))).status,
    404,
  );
  await using app = await startApp(env);
  const readRefusal = async (...given: Parameters<typeof arrive>) => {
    const reply = await arrive(...given);
    return [reply.status, (await reply.json()).code];
  };
  assert.deepEqual(await readRefusal({ app }, "x", { token: null }), [
    401,
    "unauthenticated",
  ]);
  assert.deepEqual(await readRefusal({ app }, "x", { token: `${secret}x` }), [
    401,
    "unauthenticated",
  ]);
  assert.deepEqual(await readRefusal({ app }, "x", { type: "text/plain" }), [
    415,
    "unsupported_media_type",
  ]);
  const large = new Uint8Array(25 * 1024 * 1024 + 1);
  assert.deepEqual(await readRefusal({ app }, large), [413, "payload_too_large"]);
  assert.deepEqual(await readRefusal({ app }, ""), [422, "validation_failed"]);
});

Deno.test("a message of any bytes is taken, dropped or refused, and never an error of the service", async () => {
  await using app = await startApp(env);
  const of = await scene(app);
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "\r\n",
      "--x",
      "--x--",
      "Content-Type: multipart/mixed; boundary=x",
      `To: ${of.address}`,
      "=?x?B?",
    ),
    fc.constantFrom(
      "Content-Transfer-Encoding: base64",
      "Subject: =?utf-8?Q?=FF?=",
      "From: <>",
      "filename*=utf-8''%ff",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const reply = await arrive(
        of,
        `To: ${of.address}\r\n${pieces.join("\r\n")}`,
      );
      assert.ok([202, 422].includes(reply.status), await reply.text());
    }),
    { numRuns: 60 },
  );
  assert.deepEqual(
    app.log.entries.filter(({ level }) => level === "error"),
    [],
  );
});
