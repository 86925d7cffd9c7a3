import assert from "node:assert/strict";
import { openRemote } from "../../src/platform/database/remote.ts";
import { send, startApp } from "../support/app.ts";
import { startFcm } from "../support/fcm.ts";
import { startHrana } from "../support/hrana.ts";
import { startSmtp } from "../support/smtp.ts";
import { startWorker } from "../support/worker.ts";

Deno.test("in workerd a message is listed, mailed and pushed, and cron repeats a failed push", async () => {
  const SECRETS_KEY = btoa("k".repeat(32));
  await using app = await startApp({ SECRETS_KEY });
  await using fcm = await startFcm();
  await using smtp = await startSmtp();
  const { admin } = await app.company();
  const hrana = await startHrana({ path: app.file, token: "t" });
  const worker = await startWorker({
    vars: {
      DATABASE_URL: hrana.url,
      DATABASE_AUTH_TOKEN: "t",
      SECRETS_KEY,
      WEBHOOK_ALLOW_PRIVATE: "true",
      MAIL_URL: smtp.url,
      // Never used: notifications without pictures need no storage.
      STORAGE_URL: "s3://crm?endpoint=http://127.0.0.1:9&region=eu-central-1",
      AWS_ACCESS_KEY_ID: "nobody",
      AWS_SECRET_ACCESS_KEY: "nothing",
      ...fcm.env,
    },
  });
  const call = (method: string, path: string, body?: object) =>
    send(`${worker.url}/v1/notifications${path}`, method, admin.token, body);
  try {
    for (const token of ["a:1", "b:2"]) {
      const registered = await call("POST", `/devices/${token}`, { type: "Android" });
      assert.equal(registered.status, 204, registered.text);
    }
    fcm.answer = ({ token }) => token === "b:2" ? new Response("busy", { status: 503 }) : null;
    const sent = await call("POST", "", { message: "Hello", notify: { users: [admin.id] } });
    assert.equal(sent.status, 202, sent.text);
    const mail = await smtp.first();
    assert.match(mail.read.text ?? "", /^Hello\n/);
    const { body: { data, pagination } } = await call("GET", "");
    assert.deepEqual([data[0].message, pagination.unread], ["Hello", 1]);
    fcm.answer = () => null;
    // Jobs use the clock, so the next attempt in a minute is made due now.
    const far = openRemote(hrana.url, "t");
    await far.write([{ sql: "update pushes set due_at = ?", args: [Date.now()] }]);
    await far.close();
    await worker.runScheduled(Date.now());
    assert.deepEqual(fcm.pushes.map(({ token, notification }) => `${token} ${notification.body}`).sort(), [
      "a:1 Hello",
      "b:2 Hello",
    ]);
  } catch (error) {
    throw new Error(worker.output(), { cause: error });
  } finally {
    await worker.close();
    await hrana.close();
  }
});
