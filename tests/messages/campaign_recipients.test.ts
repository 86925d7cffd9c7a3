import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import {
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  put,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const draft = { ...everybody, approved: false, execute_now: false };
const yes = (channel: string) => ({ consent: { [channel]: { consent_given: true } } });
const no = (channel: string) => ({ consent: { [channel]: { consent_given: false } } });

Deno.test("recipients have consent and an address, and each address is the oldest contact's", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const address = (name: string) => ({ last_name: name, email: `${name}@example.org` });
  const old = await createConsumer(admin, address("ada"), { created_at: "2025-01-01 00:00:00" });
  const free = await createConsumer(admin, address("bo"));
  await createConsumer(admin, { last_name: "younger", email: "ADA@example.org" });
  await createConsumer(admin, { last_name: "none" });
  await createConsumer(admin, address("refusing"), no("email"));
  await createConsumer(admin, { last_name: "same", email: "Refusing@example.org" }, yes("email"));
  const agreed = await createConsumer(admin, address("agreed"), yes("email"));
  const { id } = await createCampaign(admin, draft);
  const count = async () => (await admin.call("GET", `/v1/campaigns/${id}/recipients`)).body;
  assert.deepEqual(await count(), {
    count: 3,
    excluded: { consent: 2, without_address: 1, bounced: 0, duplicate: 1 },
  });
  await put(admin, "/v1/campaigns/settings", { consent: { enable: true } });
  assert.deepEqual(await count(), {
    count: 1,
    excluded: { consent: 6, without_address: 0, bounced: 0, duplicate: 0 },
  });
  const asking = await createCampaign(admin, everybody);
  await runWork(app);
  assert.deepEqual((await listMessages(admin, asking.id)).map(({ contact_id }) => contact_id), [agreed.id]);
  await put(admin, "/v1/campaigns/settings", { consent: { enable: false } });
  const open = await createCampaign(admin, everybody);
  await runWork(app);
  const reached = (await listMessages(admin, open.id)).map(({ contact_id }) => contact_id);
  assert.deepEqual(reached, [old.id, free.id, agreed.id]);
});

Deno.test("recipients are contacts that both the user and the owner of the campaign see, as the filter says", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const group = await company.group();
  const [north, south, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const { admin } = company;
  for (const [name, team_id] of [["n", north], ["s", south], ["f", far], ["shared", null]] as const) {
    await createConsumer(admin, { last_name: name, email: `${name}@example.org` }, { team_id });
  }
  const rights = ["campaigns.manage", "campaigns.send"] as const;
  const writer = await company.user({ teams: [north, far], rights: [...rights] });
  const of = async (actor: typeof writer, body: object) => {
    const { id } = await createCampaign(actor, { ...everybody, ...body });
    const { count } = (await actor.call("GET", `/v1/campaigns/${id}/recipients`)).body;
    await runWork(app);
    const names = (await listMessages(admin, id)).map(({ email }) => email.split("@")[0]);
    assert.equal(names.length, count);
    return names;
  };
  assert.deepEqual(await of(admin, { team_id: null }), ["n", "s", "f", "shared"]);
  assert.deepEqual(await of(admin, { team_id: south }), ["n", "s", "shared"]);
  assert.deepEqual(await of(admin, { group_id: group }), ["n", "s", "shared"]);
  assert.deepEqual(await of(writer, { team_id: far }), ["f", "shared"]);
  assert.deepEqual(await of(writer, { team_id: north }), ["n", "s", "shared"]);
  const filter = [{ field: "b2c_contact.fixed_fields.last_name", operator: "eq", value: "s" }];
  assert.deepEqual(await of(admin, { team_id: null, filter }), ["s"]);
});

Deno.test("users see messages to contacts of teams that they see", async () => {
  await using app = await startApp();
  const company = await sendingCompany(app);
  const [near, far] = [await company.team(), await company.team()];
  const { admin } = company;
  for (const [name, team_id] of [["near", near], ["far", far], ["shared", null]] as const) {
    await createConsumer(admin, { first_name: name, email: `${name}@example.org` }, { team_id });
  }
  const { id } = await createCampaign(admin, { ...everybody, team_id: null });
  await runWork(app);
  const reader = await company.user({ teams: [near] });
  const all = await listMessages(admin, id);
  assert.deepEqual((await listMessages(reader, id)).map(({ email }) => email), [
    "near@example.org",
    "shared@example.org",
  ]);
  const hidden = all.find(({ email }) => email === "far@example.org");
  assert.equal((await reader.call("GET", `/v1/campaigns/${id}/messages/${hidden.id}`)).status, 404);
  assert.equal((await admin.call("GET", `/v1/campaigns/${id}/messages/${hidden.id}`)).status, 200);
});

Deno.test("letters need a postal address, calls a phone number, and each the consent of its channel", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { last_name: "a", phone_number: "1" }, {
    account: { address: "Street 1", city: "Graz" },
  });
  await createConsumer(admin, { last_name: "b", phone_number: "1" }, { account: { address: "Street 1" } });
  await createConsumer(admin, { last_name: "c" }, {
    account: { address: "Street 1", zip_code: "1" },
    ...no("letter"),
  });
  await createConsumer(admin, { last_name: "d", phone_number: "1" }, no("call"));
  const count = async (type: string) => {
    const { id } = await createCampaign(admin, { ...draft, type });
    return (await admin.call("GET", `/v1/campaigns/${id}/recipients`)).body;
  };
  assert.deepEqual(await count("letter"), {
    count: 1,
    excluded: { consent: 1, without_address: 2, bounced: 0, duplicate: 0 },
  });
  assert.deepEqual(await count("telephone"), {
    count: 2,
    excluded: { consent: 1, without_address: 1, bounced: 0, duplicate: 0 },
  });
});
