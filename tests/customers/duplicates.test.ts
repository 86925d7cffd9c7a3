/** Duplicates: by e-mail address, phone number and name, of what the caller sees. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";

async function create(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const fields = (values: object) => Object.entries(values).map(([name, value]) => ({ name, value }));

Deno.test("known customers are found without case, accents and spaces, the best first, of what one sees", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, company, dealer } = place;
  const far = await company.team();
  const stranger = await company.user({ teams: [far] });
  const moved = await admin.call("PUT", `/v1/companies/${company.id}`, { billing: { country: "DE" } });
  assert.equal(moved.status, 200, moved.text);
  const account = (name: string, team_id: number | null = dealer) =>
    create(admin, "/v1/accounts", { team_id, fixed_fields: fields({ name }) });
  const contact = async (of: Body, values: object, more: object = {}) =>
    await create(admin, `/v1/accounts/${of.id}/contacts`, { fixed_fields: fields(values), ...more });
  const works = await account("Léon Works");
  const all = await contact(works, {
    first_name: "Zoë",
    last_name: "Muster",
    email: "Zoe@Example.org",
    phone_number: "030 1234567",
  });
  const number = await contact(works, { last_name: "Other", phone_number: "+49 (30) 123-4567" });
  const named = await contact(works, { first_name: "zoe", last_name: "MUSTER" });
  await contact(works, { first_name: "Zoe", last_name: "Mustermann" });
  const hidden = await account("Hidden", far);
  const secret = await contact(hidden, { last_name: "Secret", email: "zoe@example.org" }, { team_id: far });

  const find = async (by: Actor, body: object): Promise<Body[]> => {
    const reply = await by.call("POST", "/v1/contacts/duplicates", body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const brief = (finds: Body[]) => finds.map((each) => [each.contact?.id ?? each.account.id, each.reasons]);
  const asked = { email: " zoe@EXAMPLE.org ", phone_number: "0049 30 1234567", name: "  Zoe  Müster " };
  assert.deepEqual(brief(await find(member, { ...asked, name: "  ZOÉ   muster " })), [
    [all.id, ["email", "phone_number", "name"]],
    [number.id, ["phone_number"]],
    [named.id, ["name"]],
  ]);
  assert.deepEqual((await find(member, asked))[0], {
    contact: { id: all.id, name: "Zoë Muster", email: "Zoe@Example.org", phone_number: "030 1234567" },
    account: { id: works.id, name: "Léon Works" },
    reasons: ["email", "phone_number", "name"],
  });
  assert.deepEqual(
    brief(await find(admin, { email: "zoe@example.org" })).toSorted(),
    [
      [all.id, ["email"]],
      [secret.id, ["email"]],
    ].toSorted(),
  );
  assert.deepEqual(brief(await find(stranger, { email: "zoe@example.org" })), [[secret.id, ["email"]]]);
  assert.deepEqual(brief(await find(member, { ...asked, exclude_id: all.id })), [
    [number.id, ["phone_number"]],
    [named.id, ["name"]],
  ]);
  assert.deepEqual(await find(member, { name: "leon works" }), [
    { contact: null, account: { id: works.id, name: "Léon Works" }, reasons: ["name"] },
  ]);
  assert.deepEqual(await find(stranger, { name: "leon works" }), []);
  assert.deepEqual(await find(member, { name: "leon works", exclude_id: works.id }), []);
  for (const name of ["ZoeMüster", "zo e mus ter", "Z oemuster"]) {
    assert.deepEqual(brief(await find(member, { name })), [[named.id, ["name"]], [all.id, ["name"]]], name);
  }
  assert.deepEqual(brief(await find(member, { name: "Léonworks" })), [[works.id, ["name"]]]);
  assert.deepEqual(await find(member, { name: "Zoe Mus" }), []);
  assert.deepEqual(await find(member, { name: `Zoe ${"m".repeat(240)}` }), []);
  for (const body of [{}, { name: "!?" }, { email: "nobody@example.org" }, { phone_number: "none" }]) {
    assert.deepEqual(await find(member, body), [], JSON.stringify(body));
  }
  const foreign = (await app.company()).admin;
  assert.deepEqual(await find(foreign, asked), []);
  const wrong = await member.call("POST", "/v1/contacts/duplicates", { exclude_id: 7 });
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, "exclude_id"]);

  // A lead is asked by what it brings; a customer that it names itself is no find.
  const customer = fields({ first_name: "Zoe", last_name: "Muster", email: "zoe@example.org" });
  const lead = await place.lead({
    account: { fixed_fields: fields({ name: "LEON WORKS" }) },
    contact: { fixed_fields: customer },
  });
  const finds = await member.call("GET", `/v1/leads/${lead.id}/duplicates`);
  assert.equal(finds.status, 200, finds.text);
  assert.deepEqual(brief(finds.body.data), [
    [all.id, ["email", "name"]],
    [named.id, ["name"]],
    [works.id, ["name"]],
  ]);
  assert.equal((await stranger.call("GET", `/v1/leads/${lead.id}/duplicates`)).status, 404);

  // An index can have very many of one name, so other calls do not wait for them.
  const { db } = app.deps;
  const { readOnThread } = db;
  let threaded = 0;
  db.readOnThread = (...read) => (threaded++, readOnThread(...read));
  await find(member, asked);
  db.readOnThread = readOnThread;
  assert.equal(threaded, 1);

  // Many of one name: ten, and those with more reasons among them.
  for (let n = 0; n < 12; n++) await contact(works, { first_name: "Zoe", last_name: "Muster" });
  const many = await find(member, asked);
  assert.equal(many.length, 10);
  assert.deepEqual(brief(many).slice(0, 2), [
    [all.id, ["email", "phone_number", "name"]],
    [number.id, ["phone_number"]],
  ]);
});
