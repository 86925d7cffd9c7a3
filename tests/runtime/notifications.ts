import assert from "node:assert/strict";
import { openRemote } from "../../src/platform/database/remote.ts";
import { type Actor, send } from "../support/app.ts";
import type { InWorkerd } from "./in_workerd.ts";

/** In workerd a message is listed, mailed and pushed, and cron repeats a failed push. */
export async function checkNotifications(
  { hrana, fcm, smtp, worker }: InWorkerd,
  admin: Actor,
): Promise<void> {
  const call = (method: string, path: string, body?: object) =>
    send(`${worker.url}/v1/notifications${path}`, method, admin.token, body);
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
}
