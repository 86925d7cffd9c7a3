/** Duplicates of accounts: by name, website, and the addresses and numbers of contacts, of what the caller sees. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";

const fields = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));

async function create(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function finds(by: Actor, body: object): Promise<Body[]> {
  const reply = await by.call("POST", "/v1/accounts/duplicates", body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
}

const brief = (data: Body[]) => data.map(({ account, reasons }) => [account.name, reasons]);
const listNames = (data: Body[]) => data.map(({ account }) => account.name).toSorted();

Deno.test("an account is found without case, accents and legal form, by domains and numbers, best first", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  await admin.call("PUT", `/v1/companies/${company.id}`, { billing: { country: "DE" } });
  const near = await company.team();
  const far = await company.team();
  const member = await company.user({ teams: [near] });
  const account = (values: object, team_id: number | null = near, more: object = {}) =>
    create(admin, "/v1/accounts", { team_id, fixed_fields: fields(values), ...more });
  const works = await account({
    name: "Müller Works GmbH & Co. KG",
    website: "https://WWW.Works.example/start?x",
  });
  const short = await account({ name: "muller WORKS" });
  await account({ name: "Müller Works Berlin GmbH" });
  const site = await account({ name: "Site", website: "works.example" });
  await account({ name: "Other site", website: "works.example.org" });
  await account({ name: "Hidden", website: "http://works.example" }, far);
  const people = await account({ name: "People" });
  const contact = (of: Body, values: object) =>
    create(admin, `/v1/accounts/${of.id}/contacts`, { fixed_fields: fields(values) });
  await contact(people, { last_name: "One", email: "one@Staff.example", phone_number: "030 1234567" });
  await contact(people, { last_name: "Two", email: "two@staff.example" });
  await contact(short, { last_name: "Three", email: "three@gmail.com" });
  const consumer = await account({}, near, { b2c: true });
  await contact(consumer, { first_name: "Zoë", last_name: "Muster" });

  const asked = { name: "MULLER works Ltd.", website: "http://works.example:8080/#top" };
  assert.deepEqual(brief(await finds(member, asked)), [
    ["Müller Works GmbH & Co. KG", ["name", "website"]],
    ["muller WORKS", ["name"]],
    ["Site", ["website"]],
  ]);
  assert.deepEqual(await finds(member, { email: "new@staff.EXAMPLE", phone_number: "+49 30 1234567" }), [
    { account: { id: people.id, name: "People" }, reasons: ["email", "phone_number"] },
  ]);
  assert.deepEqual(await finds(member, { email: "new@gmail.com" }), []);
  assert.deepEqual(listNames(await finds(member, { email: "THREE@gmail.com" })), ["muller WORKS"]);
  assert.deepEqual(listNames(await finds(admin, { website: "works.example" })), [
    "Hidden",
    "Müller Works GmbH & Co. KG",
    "Site",
  ]);
  assert.deepEqual(listNames(await finds(member, { name: "zoe MUSTER" })), ["Zoë Muster"]);
  assert.deepEqual(listNames(await finds(member, { website: "works.example", exclude_id: site.id })), [
    "Müller Works GmbH & Co. KG",
  ]);
  assert.deepEqual(listNames(await finds(member, { account_id: works.id })), ["Site", "muller WORKS"]);
  const twin = await account({ name: "Twin" });
  await contact(twin, { last_name: "Four", email: "four@staff.example" });
  assert.deepEqual(brief(await finds(member, { account_id: twin.id })), [["People", ["email"]]]);
  for (const body of [{}, { name: "!?" }, { name: "GmbH" }, { website: "https://" }, { email: "none" }]) {
    assert.deepEqual(await finds(member, body), [], JSON.stringify(body));
  }
  const foreign = (await app.company()).admin;
  assert.deepEqual(await finds(foreign, { ...asked, email: "one@staff.example" }), []);
  const hidden = (await finds(admin, { name: "Hidden" }))[0]!.account.id;
  const refused = await member.call("POST", "/v1/accounts/duplicates", { account_id: hidden });
  assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
    422,
    "account_id",
    "exists",
  ]);
});
