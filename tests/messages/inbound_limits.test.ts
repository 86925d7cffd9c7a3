/** Arriving mail comes from strangers: it fills no quota, and a case takes a number of mails an hour. */
import assert from "node:assert/strict";
import { loadConfig } from "../../src/config.ts";
import { composeReplyAddress } from "../../src/messages/return_address.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { startApp, type TestApp } from "../support/app.ts";

const secret = "an-inbound-secret";
const env = { INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: secret };

async function scene(app: TestApp) {
  const { admin } = await app.company();
  const { id } = await newCase(admin, await newPath(admin));
  let count = 0;
  return {
    admin,
    caseId: id,
    /** Lets a mail with files of these sizes arrive. */
    async arrive(files: Readonly<Record<string, number>> = {}) {
      const parts = Object.entries(files).flatMap(([name, size]) => [
        "--x",
        `Content-Type: application/octet-stream; name="${name}"`,
        `Content-Disposition: attachment; filename="${name}"`,
        "",
        "x".repeat(size),
      ]);
      const lines = [
        "From: grace@example.org",
        `To: ${composeReplyAddress(app.deps, id)}`,
        "Subject: Re: Offer",
        `Message-ID: <${count++}@example.org>`,
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="x"',
        "",
        "--x",
        "Content-Type: text/plain",
        "",
        "Yes, please.",
        ...parts,
        "--x--",
        "",
      ];
      // So that mails of one test have an order.
      app.clock.move(1_000);
      return await fetch(`${app.url}/v1/mail/inbound`, {
        method: "POST",
        headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
        body: lines.join("\r\n"),
      });
    },
    /** The arrived mails, oldest first, and the timeline's texts. */
    async shown() {
      const mails = (await admin.call("GET", `/v1/cases/${id}/correspondences`)).body.data.toReversed();
      const timeline = (await admin.call("GET", `/v1/cases/${id}/timeline`)).body.data
        .filter(({ type }: { type: string }) => type === "timeline_event").toReversed();
      return {
        files: mails.map(({ files }: { files: { name: string }[] }) => files.map(({ name }) => name)),
        texts: timeline.map(({ data }: { data: { content: string } }) => data.content),
      };
    },
  };
}

Deno.test("files of arriving mail stop at a tenth below the quota; the text is kept, and the timeline names them", async () => {
  await using app = await startApp({ ...env, FILE_QUOTA: "10000" });
  const { admin, arrive, shown } = await scene(app);
  assert.equal((await arrive({ "first.bin": 8_000 })).status, 202);
  assert.equal((await arrive({ "<b>large.bin": 1_001, "small.bin": 900 })).status, 202);
  const together = await Promise.all([1, 2, 3, 4].map(() => arrive({ "last.bin": 60 })));
  assert.deepEqual(together.map(({ status }) => status), [202, 202, 202, 202]);
  const { files, texts } = await shown();
  assert.deepEqual(files.slice(0, 2), [["first.bin"], ["small.bin"]]);
  assert.equal(files.slice(2).flat().length, 1, "one of the four fits");
  assert.match(texts[1], /Yes, please\.\s+Left out, because .* leave no room: .*large\.bin$/);
  assert.equal(texts.filter((text: string) => text.includes("last.bin")).length, 3);
  const usage = (await admin.call("GET", "/v1/files/usage")).body;
  assert.ok(usage.bytes <= 9_000, `${usage.bytes}`);
  const own = await admin.call("POST", "/v1/files", { name: "own.bin", data: btoa("x".repeat(900)) });
  assert.equal(own.status, 201, "a tenth is left for the company");
});

Deno.test("a case takes 60 mails an hour; the mail server tries the next one again", async () => {
  await using app = await startApp(env);
  const { arrive } = await scene(app);
  for (let count = 0; count < 60; count++) assert.equal((await arrive()).status, 202);
  const refused = await arrive();
  assert.deepEqual([refused.status, (await refused.json()).code], [429, "rate_limited"]);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const other = await scene(app);
  assert.equal((await other.arrive()).status, 202);
  app.clock.move(3_601_000);
  assert.equal((await arrive()).status, 202);
});

Deno.test("mail brings a company INBOUND_FILE_LIMIT bytes of files in 24 hours; the text is kept, the rest is named", async () => {
  await using app = await startApp({ ...env, INBOUND_FILE_LIMIT: "10000" });
  const { arrive, shown } = await scene(app);
  assert.equal((await arrive({ "first.bin": 9_000 })).status, 202);
  assert.equal((await arrive({ "large.bin": 1_001, "small.bin": 900 })).status, 202);
  const together = await Promise.all([1, 2, 3, 4].map(() => arrive({ "last.bin": 60 })));
  assert.deepEqual(together.map(({ status }) => status), [202, 202, 202, 202]);
  assert.equal((await arrive()).status, 202);
  const { files, texts } = await shown();
  assert.deepEqual(files.slice(0, 2), [["first.bin"], ["small.bin"]]);
  assert.equal(files.slice(2).flat().length, 1, "one of the four fits");
  assert.match(texts[1], /Yes, please\.\s+Left out, because .* takes within 24 hours: large\.bin$/);
  assert.equal(texts.filter((text: string) => text.includes("last.bin")).length, 3);
  const other = await scene(app);
  assert.equal((await other.arrive({ "first.bin": 9_000 })).status, 202);
  assert.deepEqual((await other.shown()).files, [["first.bin"]]);
  app.clock.move(86_401_000);
  assert.equal((await arrive({ "next.bin": 9_000 })).status, 202);
  assert.deepEqual((await shown()).files.at(-1), ["next.bin"]);
});

Deno.test("a gibibyte is the usual limit, and 0 is none", async () => {
  assert.equal(loadConfig({}).inboundFileLimit, 2 ** 30);
  await using app = await startApp({ ...env, INBOUND_FILE_LIMIT: "0" });
  const { arrive, shown } = await scene(app);
  assert.equal((await arrive({ "first.bin": 9_000 })).status, 202);
  assert.deepEqual((await shown()).files, [["first.bin"]]);
});
