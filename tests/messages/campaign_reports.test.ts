/** Reports on a campaign's messages: opened ones, and failed deliveries. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

Deno.test("a message reports that it was opened, and that it could not be delivered; the campaign counts it as sent", async () => {
  const env = {
    INBOUND_MAIL_DOMAIN: "in.example.com",
    INBOUND_MAIL_SECRET: "an-inbound-secret",
    MAIL_RATE: "0",
  };
  await using app = await startApp(env);
  const { admin } = await sendingCompany(app);
  await admin.call("PUT", `/v1/companies/${admin.companyId}/settings`, { email_tracking: true });
  await createConsumer(admin, { last_name: "A", email: "a@example.org" });
  await createConsumer(admin, { last_name: "B", email: "b@example.org" });
  const { id } = await createCampaign(admin, everybody);
  await runWork(app);
  const mails = campaignMails(app);
  const mailTo = (address: string) => mails.find(({ to }) => to === address)!;
  const picture = /<img src="([^"]+\/opened\/[^"]+)"/.exec(mailTo("a@example.org").html!)![1]!;
  app.clock.move(60_000);
  for (let n = 0; n < 2; n++) assert.equal((await fetch(picture)).status, 200);
  const report = [
    "From: MAILER-DAEMON@mx.example.org",
    `To: ${mailTo("b@example.org").envelopeFrom}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="x"',
    "",
    "--x",
    "Content-Type: message/delivery-status",
    "",
    "Action: failed",
    "Status: 5.1.1",
    "--x--",
    "",
  ].join("\r\n");
  const reply = await fetch(`${app.url}/v1/mail/inbound`, {
    method: "POST",
    headers: { "Content-Type": "message/rfc822", "Authorization": `Bearer ${env.INBOUND_MAIL_SECRET}` },
    body: report,
  });
  assert.equal(reply.status, 202);
  const messages = await listMessages(admin, id);
  assert.deepEqual(
    messages.map(({ email, status, error, opened_at }) => [email, status, error, opened_at])
      .sort(),
    [
      ["a@example.org", "sent", null, "2026-03-02 09:01:00"],
      ["b@example.org", "failed", "5.1.1", null],
    ],
  );
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}`)).body.total_sent, 2);
  const { body } = await admin.call("GET", "/v1/notifications");
  assert.deepEqual(body.data.map(({ type }: { type: string }) => type), ["campaign_sent"]);
});
