import assert from "node:assert/strict";
import { rights } from "../../src/core/rights.ts";
import { type Actor, send, startApp } from "../support/app.ts";
import { withTwoProcesses } from "../support/race.ts";
import { listFaults, nameValues } from "./fields_world.ts";

const account = (id: string) => `/v1/accounts/by-external-id/${encodeURIComponent(id)}`;
const ada = { fixed_fields: nameValues({ name: "Ada Ltd", city: "London" }) };
const byron = { fixed_fields: nameValues({ last_name: "Byron" }) };

async function newAccount(by: Actor, more: object = {}): Promise<string> {
  const made = await by.call("POST", "/v1/accounts", { ...ada, ...more });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

Deno.test("a PUT by external id creates the account, and later ones change the given members", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("PUT", account("erp-1"), { ...ada, b2c: false });
  assert.deepEqual([made.status, made.body.external_id], [201, "erp-1"]);
  assert.equal((await admin.call("GET", `/v1/accounts/${made.body.id}`)).text, made.text);
  app.clock.move(60_000);
  const changed = await admin.call("PUT", account("erp-1"), {
    fixed_fields: nameValues({ vat: "GB1" }),
    b2c: true,
  });
  assert.deepEqual([changed.status, changed.body.id, changed.body.b2c], [200, made.body.id, false]);
  assert.equal((await admin.call("GET", `/v1/accounts/${made.body.id}`)).text, changed.text);
  assert.match(changed.text, /"London".*"GB1"/);
  const events = await app.sql("select event_name, body from outbox order by rowid");
  assert.deepEqual(events, [{ event_name: "account_created", body: made.text }, {
    event_name: "account_updated",
    body: changed.text,
  }]);
});

Deno.test("a PUT by external id creates a contact of the account, and later ones change or move it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [here, there] = [await newAccount(admin), await newAccount(admin)];
  const path = (of: string) => `/v1/accounts/${of}/contacts/by-external-id/crm-1`;
  const made = await admin.call("PUT", path(here), byron);
  assert.deepEqual([made.status, made.body.external_id, made.body.account.id], [201, "crm-1", here]);
  const changed = await admin.call("PUT", path(here), { consent: { sms: { consent_given: true } } });
  assert.deepEqual([changed.status, changed.body.id], [200, made.body.id]);
  assert.equal((await admin.call("GET", `/v1/contacts/${made.body.id}`)).text, changed.text);
  const elsewhere = await admin.call("PUT", path(there), byron);
  assert.deepEqual(listFaults(elsewhere), [["external_id", "unique"]]);
  const moved = await admin.call("PUT", path(here), { account_id: there });
  assert.deepEqual([moved.status, moved.body.account.id], [200, there]);
  assert.equal((await admin.call("PUT", path(there), byron)).status, 200);
  const events = await app.sql("select event_name from outbox where entity_type = 'contact' order by rowid");
  assert.deepEqual(events.map(({ event_name }) => event_name), [
    "contact_created",
    "contact_updated",
    "contact_updated",
  ]);
});

Deno.test("a PUT by external id follows the rules of creating and changing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const wrong: [object, string, string][] = [
    [{}, "fixed_fields", "required"],
    [{ ...ada, team_id: 999_999 }, "team_id", "exists"],
    [{ ...ada, created_at: "2030-01-01 10:00:00" }, "created_at", "before"],
    [{ ...ada, custom_fields: nameValues({ colour: "red" }) }, "custom_fields[0].name", "unknown_field"],
  ];
  for (const [body, path, code] of wrong) {
    assert.deepEqual(listFaults(await admin.call("PUT", account("erp-1"), body)), [[path, code]]);
  }
  const b2c = await admin.call("PUT", account("erp-2"), { b2c: true, created_at: "2026-01-01 10:00:00" });
  assert.deepEqual([b2c.status, b2c.body.created_at], [201, "2026-01-01 10:00:00"]);
  const contacts = `/v1/accounts/${b2c.body.id}/contacts/by-external-id`;
  assert.deepEqual(listFaults(await admin.call("PUT", `${contacts}/c-1`, {})), [[
    "fixed_fields",
    "required",
  ]]);
  assert.equal((await admin.call("PUT", `${contacts}/c-1`, byron)).status, 201);
  const second = await admin.call("PUT", `${contacts}/c-2`, byron);
  assert.deepEqual([second.status, second.body.code], [409, "b2c_single_contact"]);
  const nameless = await admin.call("PUT", `${contacts}/c-1`, {
    fixed_fields: nameValues({ last_name: null }),
  });
  assert.deepEqual(listFaults(nameless), [["fixed_fields", "required"]]);
  // The external id of the path applies, not the one in the body.
  const other = await admin.call("PUT", account("erp-3"), { ...ada, external_id: "erp-4" });
  assert.equal(other.body.external_id, "erp-3");
});

Deno.test("an external id of a record that the caller does not see is unique, of an account or a contact", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [north, south] = [await company.team(), await company.team()];
  const [member, stranger] = [
    await company.user({ teams: [north] }),
    await company.user({ teams: [south] }),
  ];
  const theirs = (await member.call("PUT", account("erp-1"), ada)).body.id;
  await member.call("PUT", `/v1/accounts/${theirs}/contacts/by-external-id/crm-1`, byron);
  assert.deepEqual(listFaults(await stranger.call("PUT", account("erp-1"), ada)), [[
    "external_id",
    "unique",
  ]]);
  const own = await newAccount(stranger);
  const contact = await stranger.call("PUT", `/v1/accounts/${own}/contacts/by-external-id/crm-1`, byron);
  assert.deepEqual(listFaults(contact), [["external_id", "unique"]]);
  const hidden = await stranger.call("PUT", `/v1/accounts/${theirs}/contacts/by-external-id/crm-2`, byron);
  assert.equal(hidden.status, 404);
  // In another company the id is free.
  const other = await app.company();
  const theirOwn = await other.admin.call("PUT", account("erp-1"), ada);
  assert.equal(theirOwn.status, 201);
  const crm = `/v1/accounts/${theirOwn.body.id}/contacts/by-external-id/crm-1`;
  assert.equal((await other.admin.call("PUT", crm, byron)).status, 201);
});

Deno.test("creating by external id needs customers.create, changing customers.update", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const here = await newAccount(admin, { external_id: "erp-1", team_id: null });
  const contact = (id: string) => `/v1/accounts/${here}/contacts/by-external-id/${id}`;
  assert.equal((await admin.call("PUT", contact("crm-1"), byron)).status, 201);
  const calls: [string, object, string, string][] = [
    [account("erp-1"), ada, "customers.update", "change"],
    [contact("crm-1"), byron, "customers.update", "change"],
    [account("erp-2"), ada, "customers.create", "make"],
    [contact("crm-2"), byron, "customers.create", "make"],
  ];
  for (const missing of ["customers.create", "customers.update"] as const) {
    // Every user has both by default: here one of them is no default right.
    rights[missing].default = false;
    try {
      const user = await company.user();
      for (const [path, body, needed, what] of calls) {
        const reply = await user.call("PUT", path, body);
        if (needed !== missing) assert.ok(reply.status < 300, `${what}: ${reply.text}`);
        else assert.deepEqual([reply.status, reply.body.detail], [403, `The right ${missing} is missing.`]);
      }
    } finally {
      rights[missing].default = true;
    }
    await app.deps.db.write([
      { sql: "update accounts set external_id = null where external_id = 'erp-2'", args: [] },
      { sql: "update contacts set external_id = null where external_id = 'crm-2'", args: [] },
    ]);
  }
});

Deno.test("If-Match limits a PUT by external id to an existing record of the given version", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const tag of ["*", '"x"']) {
    const none = await admin.call("PUT", account("erp-1"), ada, { "If-Match": tag });
    assert.deepEqual([none.status, none.body.code], [412, "precondition_failed"]);
  }
  const made = await admin.call("PUT", account("erp-1"), ada);
  const etag = made.headers.get("etag")!;
  const change = { fixed_fields: nameValues({ city: "Paris" }) };
  assert.equal((await admin.call("PUT", account("erp-1"), change, { "If-Match": etag })).status, 200);
  assert.equal((await admin.call("PUT", account("erp-1"), ada, { "If-Match": etag })).status, 412);
  const path = `/v1/accounts/${made.body.id}/contacts/by-external-id/crm-1`;
  assert.equal((await admin.call("PUT", path, byron, { "If-Match": "*" })).status, 412);
  const contact = await admin.call("PUT", path, byron);
  const current = { "If-Match": contact.headers.get("etag")! };
  assert.equal((await admin.call("PUT", path, { user_id: null }, current)).status, 200);
  assert.equal((await admin.call("PUT", path, byron, current)).status, 412);
});

Deno.test("the external id in the path is percent-decoded, of 1 to 255 characters", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const id of ["a/b c", "ä%2F?#&", "50%", "contacts", "é".repeat(255), "😀".repeat(255)]) {
    const made = await admin.call("PUT", account(id), ada);
    assert.deepEqual([made.status, made.body.external_id], [201, id]);
    assert.equal((await admin.call("PUT", account(id), {})).body.id, made.body.id);
  }
  const put = async (path: string) => await admin.call("PUT", `/v1/accounts/by-external-id/${path}`, ada);
  assert.deepEqual(listFaults(await put("e".repeat(256))), [["external_id", "max"]]);
  for (const broken of ["%ff", "%E0%A4", "a%00b", "%"]) {
    assert.deepEqual(listFaults(await put(broken)), [["external_id", "format"]], broken);
  }
  assert.equal((await put("")).status, 404);
});

Deno.test("twenty simultaneous PUTs by one external id, in two processes, create one account and one contact", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const here = await newAccount(admin);
  const calls = [[account("erp-1"), ada], [
    `/v1/accounts/${here}/contacts/by-external-id/crm-1`,
    byron,
  ]] as const;
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    for (const [path, body] of calls) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => send(urls[n % 2]! + path, "PUT", admin.token, body)),
      );
      const [made, ...others] = replies.toSorted((one, other) => other.status % 2 - one.status % 2)
        .filter(({ status }) => status !== 503);
      assert.equal(made!.status, 201);
      // A call that meets too many others is 503; the rest change the first one's record.
      assert.deepEqual([...new Set(others.map(({ status }) => status))], [200]);
      assert.deepEqual([...new Set(others.map(({ body }) => body.id))], [made!.body.id]);
      const key = { "Idempotency-Key": path };
      const again = await send(urls[0]! + path, "PUT", admin.token, body, key);
      const replayed = await send(urls[1]! + path, "PUT", admin.token, body, key);
      assert.deepEqual([again.status, replayed.text], [200, again.text]);
      assert.equal(replayed.headers.get("idempotent-replayed"), "true");
    }
  });
  const rows = await app.sql(
    "select (select count(*) from accounts) as accounts, (select count(*) from contacts) as contacts, " +
      "(select count(*) from outbox where event_name like '%_created') as events",
  );
  assert.deepEqual(rows, [{ accounts: 2, contacts: 1, events: 3 }]);
});
