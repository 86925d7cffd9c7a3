import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  postRecord,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

Deno.test("campaigns of each type are sent on a remote database", () =>
  farDatabase(async ({ env }) => {
    await using app = await startApp({ ...env, MAIL_RATE: "1000" });
    const { admin } = await sendingCompany(app);
    for (const name of ["a", "b", "c"]) {
      const fields = { last_name: name, email: `${name}@example.org`, phone_number: "+43 1" };
      await createConsumer(admin, fields, { account: { address: "Street 1", city: "Graz" } });
    }
    const path = await postRecord(admin, "/v1/relations-paths", {
      name: "Sale",
      activity_types: { milestones: [{ name: "Offer" }] },
    });
    const task = {
      distribution_strategy: "responsible_user",
      relations_path: path.id,
      start_at: "2026-03-06 09:00:00",
      end_at: "2026-03-06 17:00:00",
    };
    const types = [{ type: "email" }, { type: "letter" }, { type: "telephone", task }];
    const ids = [];
    for (const type of types) ids.push((await createCampaign(admin, { ...everybody, ...type })).id);
    await app.idle();
    await runWork(app);
    for (const id of ids) {
      const { status, total_sent, type } = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
      assert.deepEqual([type, status, total_sent], [type, "sent", 3]);
    }
    assert.equal(campaignMails(app).length, 3);
  }));

Deno.test("no value of a contact breaks out of its place in a mail of a campaign", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const hostile = [
    "<script>x()</script>",
    "</style><img src=x onerror=x()>",
    "{{user.email}}",
    "{{{content}}}",
    '"><a href="javascript:x()">',
    "javascript:x()",
    "<!--",
    "&lt;b&gt;",
  ];
  for (const [n, first_name] of hostile.entries()) {
    await createConsumer(admin, { first_name, email: `h${n}@example.org` });
  }
  const content =
    '<p title="{{contact.first_name}}">{{{contact.first_name}}}</p><a href="{{contact.first_name}}">x</a>';
  const message = { subject: "{{contact.first_name}} {{contact.email}}", content, sender: "A" };
  await createCampaign(admin, { ...everybody, message });
  await runWork(app);
  const mails = campaignMails(app);
  assert.equal(mails.length, hostile.length);
  for (const { html, subject } of mails) {
    const body = /<body>(.*)<\/body>/s.exec(html!)![1]!;
    const tags = [...body.matchAll(/<\/?([a-z]+)([^>]*)>/g)];
    assert.deepEqual(tags.map(([, tag]) => tag), ["p", "p", "a", "a", "p", "a", "a", "p"], body);
    assert.ok(tags.every(([tag]) => !/href="\s*javascript:/i.test(tag)), body);
    assert.ok(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject), subject);
    assert.ok(!body.includes(`${admin.id}@`), body);
  }
});
