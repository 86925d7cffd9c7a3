import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { startApp } from "../support/app.ts";
import { overtakeReads } from "../support/race.ts";

const lastName = (value: string, more: object = {}) => ({
  fixed_fields: [{ name: "last_name", value }],
  ...more,
});
const company = { fixed_fields: [{ name: "name", value: "Ada Ltd" }] };

Deno.test("a contact has its account's team and kind, and is answered the same by every way to it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = (await admin.call("POST", "/v1/accounts", company)).body.id;
  const made = await admin.call("POST", `/v1/accounts/${account}/contacts`, lastName("Byron"));
  assert.equal(made.status, 201);
  assert.equal(made.body.status, "lead");
  assert.deepEqual(made.body.account, { id: account, name: "Ada Ltd" });
  for (const path of [`/v1/contacts/${made.body.id}`, `/v1/accounts/${account}/contacts/${made.body.id}`]) {
    assert.equal((await admin.call("GET", path)).text, made.text);
  }
  for (const path of ["/v1/contacts", `/v1/accounts/${account}/contacts`, "/v1/contacts?search=byr"]) {
    const { body } = await admin.call("GET", path);
    assert.equal(body.pagination.total, 1);
    assert.deepEqual(body.data[0], made.body);
  }
  const other = (await admin.call("POST", "/v1/accounts", company)).body.id;
  assert.equal((await admin.call("GET", `/v1/accounts/${other}/contacts/${made.body.id}`)).status, 404);
});

Deno.test("a contact needs a first name, a last name or an e-mail, on making and after every change", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = (await admin.call("POST", "/v1/accounts", company)).body.id;
  const refused = await admin.call("POST", `/v1/accounts/${account}/contacts`, {});
  assert.deepEqual([refused.status, refused.body.errors[0].code], [422, "required"]);
  const { body } = await admin.call("POST", `/v1/accounts/${account}/contacts`, lastName("Byron"));
  const cleared = await admin.call("PUT", `/v1/accounts/${account}/contacts/${body.id}`, {
    fixed_fields: [{ name: "last_name", value: null }],
  });
  assert.equal(cleared.status, 422);
});

Deno.test("a consumer's account has one contact at most, and shows its name when it has none", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = (await admin.call("POST", "/v1/accounts", { b2c: true })).body.id;
  const contact = (await admin.call("POST", `/v1/accounts/${account}/contacts`, lastName("Byron"))).body;
  const second = await admin.call("POST", `/v1/accounts/${account}/contacts`, lastName("Lovelace"));
  assert.deepEqual([second.status, second.body.code], [409, "b2c_single_contact"]);
  const readName = async () =>
    (await admin.call("GET", `/v1/accounts/${account}`)).body.fixed_fields[0].value;
  assert.equal(await readName(), "Byron");
  assert.equal((await admin.call("GET", "/v1/accounts?search=byron")).body.pagination.total, 1);
  await admin.call("PUT", `/v1/accounts/${account}/contacts/${contact.id}`, lastName("King"));
  assert.equal(await readName(), "King");
  assert.equal((await admin.call("GET", "/v1/accounts?search=king")).body.pagination.total, 1);
});

Deno.test("a consent's time moves only when its value does", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = (await admin.call("POST", "/v1/accounts", company)).body.id;
  const consent = { email: { consent_given: true } };
  const { body } = await admin.call(
    "POST",
    `/v1/accounts/${account}/contacts`,
    lastName("Byron", { consent }),
  );
  assert.deepEqual(body.consent.email, { consent_given: true, updated_at: "2026-03-02 09:00:00" });
  assert.deepEqual(body.consent.sms, { consent_given: null, updated_at: null });
  app.clock.move(60_000);
  const path = `/v1/accounts/${account}/contacts/${body.id}`;
  const same = await admin.call("PUT", path, { consent });
  assert.equal(same.body.consent.email.updated_at, "2026-03-02 09:00:00");
  const other = await admin.call("PUT", path, { consent: { email: { consent_given: false } } });
  assert.deepEqual(other.body.consent.email, { consent_given: false, updated_at: "2026-03-02 09:01:00" });
});

Deno.test("a PUT with account_id moves the contact, counts follow, and the old address is 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [from, to] = [
    (await admin.call("POST", "/v1/accounts", company)).body.id,
    (await admin.call("POST", "/v1/accounts", company)).body.id,
  ];
  const { body } = await admin.call("POST", `/v1/accounts/${from}/contacts`, lastName("Byron"));
  const moved = await admin.call("PUT", `/v1/accounts/${from}/contacts/${body.id}`, { account_id: to });
  assert.deepEqual([moved.status, moved.body.account.id], [200, to]);
  assert.equal((await admin.call("GET", `/v1/accounts/${from}/contacts/${body.id}`)).status, 404);
  const count = async (account: string) =>
    (await admin.call("GET", `/v1/accounts/${account}/contacts`)).body.pagination.total;
  assert.deepEqual([await count(from), await count(to)], [0, 1]);
});

Deno.test("a contact has the team that its account has when it is made or moved, not a moment before", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const [north, south] = [await crm.team(), await crm.team()];
  const account = async () =>
    (await admin.call("POST", "/v1/accounts", { ...company, team_id: north })).body.id;
  const [one, other, home] = [await account(), await account(), await account()];
  const { body: before } = await admin.call("POST", `/v1/accounts/${home}/contacts`, lastName("King"));
  const late = async (moving: string, method: string, path: string, body: object) => {
    const move = () => admin.call("PUT", `/v1/accounts/${moving}`, { team_id: south });
    const db = overtakeReads(app.deps.db, move);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    // The caller is cached, so the first read is the operation's own.
    const reply = await createApp({ ...app.deps, db }).fetch(request);
    return (await reply.json()).id;
  };
  const made = await late(one, "POST", `/v1/accounts/${one}/contacts`, lastName("Byron"));
  const moved = await late(other, "PUT", `/v1/accounts/${home}/contacts/${before.id}`, { account_id: other });
  const member = await crm.user({ teams: [north] });
  const newcomer = await crm.user({ teams: [south] });
  for (const id of [made, moved]) {
    assert.equal((await member.call("GET", `/v1/contacts/${id}`)).status, 404);
    assert.equal((await newcomer.call("GET", `/v1/contacts/${id}`)).status, 200);
  }
});
