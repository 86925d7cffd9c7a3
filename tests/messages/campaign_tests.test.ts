/** Test mails, counts and copies of campaigns by a colleague who sees less than the campaign's user. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { createCampaign, createConsumer, everybody, postRecord, sendingCompany } from "./campaign_world.ts";

const draft = { ...everybody, approved: false, execute_now: false };

Deno.test("test mails and counts take the contacts that the caller sees, else examples", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const { admin } = company;
  const [near, far] = [await company.team(), await company.team()];
  await createConsumer(admin, { first_name: "Secret", email: "secret@example.org" }, { team_id: far });
  const reader = await company.user({ teams: [near], rights: ["campaigns.manage"] });
  const message = { ...everybody.message, content: "<p>{{account.name}} {{contact.full_name}}</p>" };
  const { id } = await createCampaign(admin, { ...draft, team_id: null, message });
  const sendTests = async () => {
    await postRecord(reader, `/v1/campaigns/${id}/test-email`, { email: "try@example.org" });
    await postRecord(reader, "/v1/campaigns/test-email", { ...draft, team_id: null, message });
    await app.idle();
    return app.mailer.sent.splice(0).map(({ subject, html }) => [
      subject,
      /<p>([^<]*)<\/p>/.exec(html!)![1],
    ]);
  };
  const count = async () => (await reader.call("GET", `/v1/campaigns/${id}/recipients`)).body.count;
  const example = ["Offers for Ada", "Analytical Engines Ada Lovelace"];
  assert.deepEqual(await sendTests(), [example, example]);
  assert.equal(await count(), 0);
  await createConsumer(admin, { first_name: "Near", email: "near@example.org" }, { team_id: near });
  assert.deepEqual(await sendTests(), [["Offers for Near", "Near Near"], ["Offers for Near", "Near Near"]]);
  assert.equal(await count(), 1);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}/recipients`)).body.count, 2);
  const other = await reader.call("POST", "/v1/campaigns/test-email", { ...draft, team_id: far });
  assert.deepEqual([other.status, other.body.errors[0].path], [422, "team_id"]);
});

Deno.test("a copy of a campaign that the caller may not write belongs to the caller's active team", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const team = await company.team();
  const { id } = await createCampaign(company.admin, { ...draft, team_id: null });
  const writer = await company.user({ teams: [team], rights: ["campaigns.manage"] });
  const names = [];
  for (let n = 0; n < 2; n++) {
    const copy = await postRecord(writer, `/v1/campaigns/${id}/copy`, {});
    assert.deepEqual([copy.team_id, copy.user.id, copy.status], [team, writer.id, "draft"]);
    names.push(copy.name);
  }
  assert.deepEqual(names, ["Spring (copy)", "Spring (copy 2)"]);
  const own = await postRecord(company.admin, `/v1/campaigns/${id}/copy`, {});
  assert.deepEqual([own.team_id, own.name], [null, "Spring (copy)"]);
});
