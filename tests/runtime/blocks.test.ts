import assert from "node:assert/strict";
import { startTarget } from "../support/listener.ts";
import { newKeyPair, verifySignature } from "../support/dkim.ts";
import { startSmtp } from "../support/smtp.ts";
import { startDev } from "../support/worker.ts";
import { runBlocks } from "./fixtures/blocks.ts";

Deno.test("the building blocks give the same results on workerd as on Deno and can open connections", async () => {
  const target = startTarget({
    answers: [{ status: 307, headers: { location: "/further" }, body: "moved" }],
  });
  await using smtp = await startSmtp();
  const { publicKey, privateKey } = newKeyPair();
  const worker = await startDev({
    vars: { TARGET: target.url, SMTP: smtp.url, DKIM_KEY: privateKey },
    entry: "tests/runtime/fixtures/blocks_worker.ts",
  });
  try {
    const response = await fetch(worker.url);
    const text = await response.text();
    assert.equal(response.status, 200, text + worker.output());
    const reported = JSON.parse(text);
    assert.deepEqual(reported.blocks, JSON.parse(JSON.stringify(await runBlocks())));
    assert.equal(reported.refused, "refused");
    assert.deepEqual(reported.answered, { status: 307, bodyExcerpt: "moved" });
    assert.deepEqual(target.received.map(({ path }) => path), ["/hook"]);
    // Over one connection.
    assert.deepEqual(smtp.mails.map(({ to }) => to[0]), Array(2).fill("ann@example.com"), worker.output());
    assert.equal(smtp.connections(), 1);
    assert.ok(verifySignature(smtp.mails[1]!.data, publicKey).isValid);
  } finally {
    await worker.close();
    await target.close();
  }
});
