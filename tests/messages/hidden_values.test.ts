/** Readers of sent texts do not see values of custom fields that are not for them. */
import assert from "node:assert/strict";
import type { Right } from "../../src/core/rights.ts";
import { sql } from "../../src/db/statements.ts";
import { nameValues } from "../customers/fields_world.ts";
import { newPath } from "../sales/parts.ts";
import { act, listSends, makeCommunication, makeDefinition, makeRoad, workAt } from "./automated_world.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import {
  campaignMails,
  createCampaign,
  listMessages,
  postRecord,
  put,
  runWork,
  sendingCompany,
  soon,
} from "./campaign_world.ts";

interface Scene {
  readonly admin: Actor;
  /** Sees the field, of whose team it is. */
  readonly writer: Actor;
  /** Sees the contact and the case, but not the field. */
  readonly reader: Actor;
  /** Is in both teams. */
  readonly both: Actor;
  readonly other: number;
  readonly contact: Body;
  readonly path: Awaited<ReturnType<typeof newPath>>;
}

async function scene(app: TestApp): Promise<Scene> {
  const company = await sendingCompany(app);
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team()];
  const writer = await company.user({ teams: [team] });
  const rights: Right[] = ["campaigns.manage"];
  const reader = await company.user({ teams: [other], rights });
  const both = await company.user({ teams: [team, other], rights });
  await postRecord(admin, "/v1/fields/contact", { label: "Credit", type: "text", team_id: team });
  await postRecord(admin, "/v1/fields/contact", { label: "Hobby", type: "text" });
  const account = await postRecord(admin, "/v1/accounts", {
    team_id: null,
    fixed_fields: nameValues({ name: "Firm" }),
  });
  const contact = await postRecord(admin, `/v1/accounts/${account.id}/contacts`, {
    team_id: null,
    fixed_fields: nameValues({ first_name: "Ada", email: "ada@example.org" }),
    custom_fields: nameValues({ credit: "A&B", hobby: "Chess" }),
  });
  return { admin, writer, reader, both, other, contact, path: await newPath(admin) };
}

const content = "<p>{{contact.first_name}}, {{contact.custom.credit}}, {{contact.custom.hobby}}, " +
  '<a href="https://example.org/?c={{contact.custom.credit}}">here</a></p>';
const subject = "Of {{contact.custom.credit}} and {{contact.custom.hobby}}";

const sent = "Ada, A&amp;B, Chess";
const hidden = "Ada, …, Chess";

/** Checks a message as it was sent, or without the value of the field. */
function shows({ subject, content }: Body, whole: boolean): void {
  assert.equal(subject, whole ? "Of A&B and Chess" : "Of … and Chess");
  assert.ok(content.includes(whole ? sent : hidden), content);
  assert.equal(content.includes("A&amp;B"), whole, content);
  assert.equal(content.includes("A%26B"), whole, content);
}

Deno.test("a campaign's message shows values of other teams' fields as … in text and subject, alone and in lists", async () => {
  await using app = await startApp();
  const { admin, reader, writer } = await scene(app);
  const message = { subject, content, sender: "Ada, Cars" };
  const campaign = await createCampaign(admin, {
    name: "Spring",
    type: "email",
    message,
    filter: [],
    execute_now: true,
    team_id: null,
  });
  await runWork(app);
  assert.deepEqual(campaignMails(app).map(({ subject }) => subject), ["Of A&B and Chess"]);
  for (const [actor, whole] of [[admin, true], [writer, true], [reader, false]] as const) {
    const [listed] = await listMessages(actor, campaign.id);
    const { body } = await actor.call("GET", `/v1/campaigns/${campaign.id}/messages/${listed.id}`);
    shows(body, whole);
    assert.equal(listed.subject, body.subject);
    assert.equal("values" in listed, false);
  }
});

Deno.test("an e-mail and a letter of a case show values of other teams' fields as …, also in lists and the template around", async () => {
  await using app = await startApp();
  const { admin, writer, reader, contact, path } = await scene(app);
  const one = await postRecord(admin, "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: null,
  });
  const template = await postRecord(admin, "/v1/templates", {
    type: "email",
    title: "Frame",
    content: `<div>{{contact.custom.credit}}</div>{{content}}`,
    team_id: null,
  });
  for (const template_id of [null, template.id]) {
    const { correspondence } = await postRecord(writer, `/v1/cases/${one.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      correspondence: { email: { subject, content, send: true, template_id }, letter: { content } },
    });
    await app.idle();
    assert.equal(app.mailer.sent.at(-1)!.subject, "Of A&B and Chess");
    assert.ok(app.mailer.sent.at(-1)!.html!.includes(sent));
    const messages = `/v1/cases/${one.id}/correspondences`;
    for (const [actor, whole] of [[admin, true], [writer, true], [reader, false]] as const) {
      const { body } = await actor.call("GET", `${messages}/${correspondence.email.id}`);
      shows(body, whole);
      const { body: list } = await actor.call("GET", messages);
      const listed = list.data.find(({ id }: Body) => id === correspondence.email.id);
      assert.equal(listed.subject, body.subject);
      assert.deepEqual(["parts" in listed, "parts" in body], [false, false]);
      const { body: letter } = await actor.call("GET", `${messages}/${correspondence.letter.id}`);
      assert.equal(letter.content.includes("A&amp;B"), whole);
    }
  }
});

Deno.test("a text stays as it was sent when the value or the field changes, and a deleted field stays hidden", async () => {
  await using app = await startApp();
  const { admin, writer, reader, contact, path } = await scene(app);
  const one = await postRecord(admin, "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: null,
  });
  const { correspondence } = await postRecord(writer, `/v1/cases/${one.id}/activities`, {
    activity_type_ids: [path.types["Call"]],
    correspondence: { email: { subject, content } },
  });
  await put(admin, `/v1/accounts/${contact.account.id}/contacts/${contact.id}`, {
    custom_fields: nameValues({ credit: "C", hobby: "Go" }),
  });
  const { body: fields } = await admin.call("GET", "/v1/fields/contact");
  const field = (fields.data ?? fields).find(({ name }: Body) => name === "credit");
  assert.equal((await admin.call("DELETE", `/v1/fields/contact/${field.id}`)).status, 204);
  const message = `/v1/cases/${one.id}/correspondences/${correspondence.email.id}`;
  for (const [actor, whole] of [[admin, true], [writer, true], [reader, false]] as const) {
    shows((await actor.call("GET", message)).body, whole);
  }
});

Deno.test("an automated e-mail shows values of other teams' fields as …, in the list of what was sent to everybody", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin, reader, contact } = await scene(app);
  const made = await postRecord(
    admin,
    "/v1/automated-communications",
    makeDefinition({ communications: [makeCommunication({ subject, content })] }),
  );
  const road = await makeRoad(admin, [made.id]);
  const one = await postRecord(admin, "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: road.id,
    team_id: null,
  });
  await act(admin, road, one.id, ["Drive"]);
  await workAt(app, "2026-03-03 09:00:00");
  assert.ok(app.mailer.sent.some((mail) => mail.subject === "Of A&B and Chess"));
  for (const [actor, whole] of [[admin, true], [reader, false]] as const) {
    const [send] = await listSends(actor, one.id);
    assert.deepEqual([send!.status, send!.subject], ["sent", "Of … and Chess"]);
    const { body: list } = await actor.call("GET", `/v1/cases/${one.id}/correspondences`);
    const { body } = await actor.call("GET", `/v1/cases/${one.id}/correspondences/${list.data[0].id}`);
    shows(body, whole);
    assert.equal(list.data[0].subject, body.subject);
    assert.match(body.content, /Unsubscribe/);
  }
});

Deno.test("a notification that an e-mail was opened names no subject with values that its user sees no more", async () => {
  await using app = await startApp();
  const { admin, writer, contact, path } = await scene(app);
  await put(admin, `/v1/companies/${admin.companyId}/settings`, { email_tracking: true });
  const one = await postRecord(admin, "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: null,
  });
  for (const text of [subject, "Of {{contact.custom.hobby}}"]) {
    await postRecord(writer, `/v1/cases/${one.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      correspondence: { email: { subject: text, content, send: true } },
    });
  }
  await app.idle();
  for (const { html } of app.mailer.sent.filter(({ html }) => html?.includes("/opened/"))) {
    await (await fetch(/<img src="([^"]+\/opened\/[^"]+)"/.exec(html!)![1]!)).body?.cancel();
  }
  const subjects = async () => {
    const { body } = await writer.call("GET", "/v1/notifications");
    const opened = body.data.filter(({ type }: Body) => type === "email_opened");
    return opened.map(({ data }: Body) => data.email.subject).sort();
  };
  assert.deepEqual(await subjects(), ["Of A&B and Chess", "Of Chess"]);
  await app.deps.db.write([sql`delete from team_members where user_id = ${writer.id}`]);
  assert.deepEqual(await subjects(), ["Of Chess", null]);
});

Deno.test("the ZIP of a campaign's letters is refused to who does not see a field that they show", async () => {
  await using app = await startApp();
  const { admin, reader, both, contact, other } = await scene(app);
  await put(admin, `/v1/accounts/${contact.account.id}`, {
    fixed_fields: nameValues({ name: "Firm", address: "Street 1", city: "Graz" }),
  });
  const letter = { ...soon, type: "letter", team_id: other };
  const open = "<p>{{contact.first_name}}, {{contact.custom.hobby}}</p>";
  const ids = [];
  for (const text of [content, open]) {
    ids.push((await createCampaign(admin, { ...letter, message: { content: text } })).id);
  }
  app.clock.move(3_600_000);
  await runWork(app);
  const zip = async (actor: Actor, id: string) => await actor.call("GET", `/v1/campaigns/${id}/letters`);
  for (const id of ids) {
    const { status, body } = await zip(admin, id);
    assert.deepEqual([status, body.progress], [200, { done: 1, total: 1 }]);
  }
  const refused = await zip(reader, ids[0]);
  assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [
    403,
    "forbidden",
    "The letters show custom fields of a team or group that is not yours.",
  ]);
  assert.equal((await zip(reader, ids[1])).status, 200);
  assert.equal((await zip(both, ids[0])).status, 200);
});
