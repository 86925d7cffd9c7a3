/** An address that a mail server refuses for good gets no campaigns and no automated mails, however it was refused. */
import assert from "node:assert/strict";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { startApp, type TestApp } from "../support/app.ts";
import {
  act,
  createCase,
  listSends,
  makeCommunication,
  makeDefinition,
  makeRoad,
  workAt,
} from "./automated_world.ts";
import {
  createCampaign,
  everybody,
  listMessages,
  postRecord,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const email = "grace@example.org";
const secret = "an-inbound-secret";
const env = { MAIL_RATE: "0", INBOUND_MAIL_DOMAIN: "in.example.com", INBOUND_MAIL_SECRET: secret };
const letter = { correspondence: { email: { subject: "Offer", content: "<p>Hello</p>", send: true } } };

/** A case whose contact gets two automated mails, on the next two days at nine. */
async function makeScene(app: TestApp) {
  const { admin } = await sendingCompany(app);
  const second = makeCommunication({ name: "Second", delay: { days: 2, offset_from_midnight: 32_400 } });
  const definition = makeDefinition({ communications: [makeCommunication(), second] });
  const made = await postRecord(admin, "/v1/automated-communications", definition);
  const road = await makeRoad(admin, [made.id]);
  const of = await createCase(admin, road, { values: { email } });
  const states = async () => (await listSends(admin, of.id)).map(({ status, reason }) => [status, reason]);
  const refusals = async () =>
    (await admin.call("GET", `/v1/campaigns/refusals?search=${email}`)).body.data
      .map(({ reason }: { reason: string }) => reason);
  return { admin, road, of, states, refusals };
}

/** Lets the mail server refuse the address for good. */
function refuse({ mailer }: TestApp): void {
  const send = mailer.send.bind(mailer);
  mailer.send = (mail) =>
    mail.to === email
      ? Promise.reject(new MailFailed("550 no such user", "refused", { isForRecipient: true }))
      : send(mail);
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

async function assertSuppressed(app: TestApp, { admin, refusals }: Scene): Promise<void> {
  assert.deepEqual(await refusals(), ["bounced"]);
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  assert.deepEqual(await listMessages(admin, id), []);
  const { body } = await admin.call("GET", `/v1/campaigns/${id}/recipients`);
  assert.equal(body.excluded.bounced, 1);
}

Deno.test("an e-mail of a case that is refused for good ends campaigns and automated mails to its address", async () => {
  await using app = await startApp(env);
  const scene = await makeScene(app);
  const { admin, road, of, states } = scene;
  await act(admin, road, of.id, ["Drive"]);
  refuse(app);
  await act(admin, road, of.id, ["Call"], letter);
  await app.idle();
  await assertSuppressed(app, scene);
  await workAt(app, "2026-03-03 09:00:00");
  assert.deepEqual(await states(), [["skipped", "bounced"], ["pending", null]]);
});

Deno.test("an automated mail that is refused for good ends the next one and campaigns to its address", async () => {
  await using app = await startApp(env);
  const scene = await makeScene(app);
  const { admin, road, of, states } = scene;
  await act(admin, road, of.id, ["Drive"]);
  refuse(app);
  await workAt(app, "2026-03-03 09:00:00");
  await workAt(app, "2026-03-04 09:00:00");
  assert.deepEqual(await states(), [["failed", "550 no such user"], ["skipped", "bounced"]]);
  await assertSuppressed(app, scene);
});

Deno.test("a report that an address is refused for good ends campaigns and automated mails to it", async () => {
  await using app = await startApp(env);
  const scene = await makeScene(app);
  const { admin, road, of, states, refusals } = scene;
  await act(admin, road, of.id, ["Drive"]);
  await act(admin, road, of.id, ["Call"], letter);
  await app.idle();
  const to = app.mailer.sent.at(-1)!.envelopeFrom!;
  const report = async (status: string) => {
    const lines = [
      `To: ${to}`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
      "",
      "--x",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.example.org",
      "",
      `Final-Recipient: rfc822; ${email}`,
      "Action: failed",
      `Status: ${status}`,
      `Diagnostic-Code: smtp; 550 ${status}`,
      "--x--",
      "",
    ];
    const reply = await fetch(`${app.url}/v1/mail/inbound`, {
      method: "POST",
      headers: { "Content-Type": "message/rfc822", Authorization: `Bearer ${secret}` },
      body: lines.join("\r\n"),
    });
    assert.equal(reply.status, 202, await reply.text());
  };
  // The text was refused, not the address.
  await report("5.7.1");
  assert.deepEqual(await refusals(), []);
  await report("5.1.1");
  await assertSuppressed(app, scene);
  await workAt(app, "2026-03-03 09:00:00");
  assert.deepEqual(await states(), [["skipped", "bounced"], ["pending", null]]);
});
