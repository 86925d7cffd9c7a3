/** A refused phone number stays refused for calls, however it is typed, also without its contact. */
import assert from "node:assert/strict";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import {
  createCampaign,
  createConsumer,
  everybody,
  postRecord,
  put,
  runWork,
  sendingCompany,
} from "./campaign_world.ts";

const number = "+31 6 12345678";
const no = { consent: { call: { consent_given: false }, sms: { consent_given: false } } };
const yes = { consent: { call: { consent_given: true } } };
const calls = { ...everybody, type: "telephone" };

const sale = { name: "Sale", activity_types: { milestones: [{ name: "Offer" }] } };

const makePath = ({ id, account }: Body) => `/v1/accounts/${account.id}/contacts/${id}`;

async function refusals(actor: Actor, search = number): Promise<string[][]> {
  const path = `/v1/campaigns/refusals?search=${encodeURIComponent(search)}`;
  const { status, body, text } = await actor.call("GET", path);
  assert.equal(status, 200, text);
  return body.data.map(({ channel, phone_number, reason }: Record<string, string>) => {
    assert.deepEqual([phone_number, reason], [search, "unsubscribed"]);
    return channel;
  });
}

async function remove(admin: Actor, contact: Body): Promise<void> {
  const { status, text } = await admin.call("DELETE", makePath(contact));
  assert.equal(status, 204, text);
}

/** How many contacts a telephone campaign would reach, and how many refuse. */
async function countReached(admin: Actor): Promise<[number, number]> {
  const { id } = await createCampaign(admin, { ...calls, approved: false, execute_now: false });
  const { count, excluded } = (await admin.call("GET", `/v1/campaigns/${id}/recipients`)).body;
  return [count, excluded.consent];
}

/** The last names of the contacts that a telephone campaign reaches. */
async function listCalled(app: TestApp, admin: Actor): Promise<string[]> {
  const path = await postRecord(admin, "/v1/relations-paths", sale);
  const task = {
    distribution_strategy: "distribute",
    distribute_users: [admin.id],
    relations_path: path.id,
    start_at: "2026-03-06 09:00:00",
    end_at: "2026-03-06 17:00:00",
  };
  const [count] = await countReached(admin);
  const started = await createCampaign(admin, { ...calls, task });
  await runWork(app);
  const messages = await admin.call("GET", `/v1/campaigns/${started.id}/messages?per_page=100`);
  const names = await Promise.all(messages.body.data.map(async ({ contact_id }: Body) => {
    const { body } = await admin.call("GET", `/v1/contacts/${contact_id}`);
    return body.fixed_fields.find(({ name }: Body) => name === "last_name").value;
  }));
  assert.equal(count, names.length);
  return names.sort();
}

async function dutchCompany(app: TestApp): Promise<TestCompany> {
  const company = await sendingCompany(app);
  await put(company.admin, `/v1/companies/${company.id}`, { billing: { country: "NL" } });
  return company;
}

Deno.test("a number stays refused when its contact is deleted and made anew with it, however it is typed", async () => {
  await using app = await startApp();
  const { admin } = await dutchCompany(app);
  const forms = ["+31612345678", "0031 (0)6 1234 5678", "06-12345678", "0612345678", "31612345678"];
  for (const typed of [...forms, "06 12345678 (home)", "Tel. 06 12345678", "mobile: +31 6 12345678"]) {
    const first = await createConsumer(admin, { last_name: "Ada", phone_number: number }, no);
    assert.deepEqual(await refusals(admin), []);
    await remove(admin, first);
    assert.deepEqual(await refusals(admin, typed), ["call", "sms"], typed);
    assert.deepEqual(await app.sql("select distinct e164 from refusals"), [{ e164: null }]);
    const again = await createConsumer(admin, { last_name: "Ada", phone_number: typed });
    const other = await createConsumer(admin, { last_name: "Bo", phone_number: "+49 612345678" });
    assert.deepEqual(await countReached(admin), [1, 1], typed);
    const path = `/v1/campaigns/refusals?search=${encodeURIComponent(typed)}`;
    assert.equal((await admin.call("DELETE", path)).status, 204);
    assert.deepEqual(await refusals(admin), []);
    assert.deepEqual(await countReached(admin), [2, 0]);
    for (const contact of [again, other]) await remove(admin, contact);
  }
});

Deno.test("a number typed without its code is refused with it, and is another one in another company", async () => {
  await using app = await startApp();
  const { admin } = await dutchCompany(app);
  const stranger = (await sendingCompany(app)).admin;
  await remove(admin, await createConsumer(admin, { last_name: "Ada", phone_number: "06 1234 5678" }, no));
  await createConsumer(admin, { last_name: "Ada", phone_number: number });
  assert.deepEqual(await listCalled(app, admin), []);
  assert.deepEqual(await refusals(stranger), []);
  await createConsumer(stranger, { last_name: "Ada", phone_number: number });
  assert.deepEqual(await countReached(stranger), [1, 0]);
});

Deno.test("a contact that changes its number leaves the refusal with the old one", async () => {
  await using app = await startApp();
  const { admin } = await dutchCompany(app);
  const ada = await createConsumer(admin, { last_name: "Ada", phone_number: number }, no);
  await put(admin, makePath(ada), { fixed_fields: [{ name: "phone_number", value: "06 8765 4321" }] });
  assert.deepEqual(await refusals(admin), ["call", "sms"]);
  const bo = await createConsumer(admin, { last_name: "Bo", phone_number: "+31 6 1111 1111" });
  await put(admin, makePath(bo), { fixed_fields: [{ name: "phone_number", value: "0612345678" }] });
  assert.deepEqual(await countReached(admin), [0, 2]);
  // The same number, typed in another way, is no change.
  await put(admin, makePath(ada), { fixed_fields: [{ name: "phone_number", value: "+31 6 8765 4321" }] });
  assert.deepEqual(await refusals(admin, "+31687654321"), []);
});

Deno.test("another contact that gets a refused number is not called; who shared it before speaks for themselves", async () => {
  await using app = await startApp();
  const { admin } = await dutchCompany(app);
  const shared = "+31 20 123 4567";
  await createConsumer(admin, { last_name: "Shares", phone_number: shared });
  await createConsumer(admin, { last_name: "Refuses", phone_number: shared }, no);
  assert.deepEqual(await countReached(admin), [1, 1]);
  await createConsumer(admin, { last_name: "Ada", phone_number: number }, no);
  const double = await createConsumer(admin, { last_name: "Double", phone_number: "06 12345678" });
  assert.deepEqual(await listCalled(app, admin), ["Shares"]);
  assert.deepEqual(await refusals(admin), ["call", "sms"]);
  // A consent that is given for the number lifts its refusal, of that channel alone.
  await put(admin, makePath(double), yes);
  assert.deepEqual(await refusals(admin), ["sms"]);
  assert.deepEqual(await countReached(admin), [2, 2]);
  await createConsumer(admin, { last_name: "Agrees", phone_number: number }, yes);
  assert.deepEqual(await listCalled(app, admin), ["Agrees", "Double", "Shares"]);
});

Deno.test("a lead of a form makes its contact anew with the refusal of its number", async () => {
  await using app = await startApp();
  const company = await dutchCompany(app);
  const { admin } = company;
  await remove(admin, await createConsumer(admin, { last_name: "Ada", phone_number: number }, no));
  const path = await postRecord(admin, "/v1/relations-paths", sale);
  const type = await postRecord(admin, "/v1/lead-types", { name: "Form", relations_path_ids: [path.id] });
  const listFields = (of: object) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const team = await company.team({ team_type: "dealer" });
  const { id: user_id } = await company.user({ teams: [team] });
  const lead = await postRecord(admin, "/v1/leads", {
    b2c: true,
    lead_source: "website",
    lead_type_id: type.id,
    team_id: team,
    account: { fixed_fields: [] },
    contact: { fixed_fields: listFields({ last_name: "Ada", phone_number: "06-12345678" }) },
  });
  await put(admin, `/v1/leads/${lead.id}/accept`, { user_id });
  assert.deepEqual(await listCalled(app, admin), []);
});

Deno.test("an extension is no address: it is that of many people", async () => {
  await using app = await startApp();
  const { admin } = await dutchCompany(app);
  await remove(admin, await createConsumer(admin, { last_name: "Ada", phone_number: "12" }, no));
  await createConsumer(admin, { last_name: "Bo", phone_number: "12" });
  assert.deepEqual(await refusals(admin, "12"), []);
  assert.deepEqual(await countReached(admin), [1, 0]);
});

Deno.test("a lead from before a number was refused brings it no consent; a later one does", async () => {
  await using app = await startApp();
  const { admin, member, company, lead } = await makeSales(app);
  await put(admin, `/v1/companies/${company.id}`, { billing: { country: "NL" } });
  const asking = (last_name: string) =>
    lead({
      account: { fixed_fields: nameFields({ name: "Ada Ltd" }) },
      contact: { fixed_fields: nameFields({ last_name, phone_number: number }), ...yes },
    });
  const accept = async ({ id }: Body) => {
    app.clock.move(60_000);
    const accepted = await member.call("PUT", `/v1/leads/${id}/accept`);
    assert.equal(accepted.status, 200, accepted.text);
  };
  const earlier = await asking("Earlier");
  app.clock.move(60_000);
  await createConsumer(admin, { last_name: "Refuses", phone_number: "06 12345678" }, no);
  await accept(earlier);
  assert.deepEqual(await refusals(admin), ["call", "sms"]);
  app.clock.move(60_000);
  await accept(await asking("Later"));
  assert.deepEqual(await refusals(admin), ["sms"]);
});
