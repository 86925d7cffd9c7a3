/** Changes of who looks after a customer, of where a contact belongs, and of what finds it. */
import assert from "node:assert/strict";
import { newContact, readEvents } from "../sales/parts.ts";
import { type Actor, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { listFaults, nameValues, newField } from "./fields_world.ts";

/** Creates a consumer's account without a name of its own. Returns its path. */
async function nameless(by: Actor): Promise<string> {
  const { body, text, status } = await by.call("POST", "/v1/accounts", { b2c: true });
  assert.equal(status, 201, text);
  return `/v1/accounts/${body.id}`;
}

Deno.test("a change of user or account returns the account or contact as GET then shows it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const ada = await company.user();
  const { account, contact } = await newContact(admin);
  const other = await newContact(admin, { account: "Looms Ltd" });
  const path = `/v1/accounts/${account.id}`;
  const change = async (at: string, body: object) => {
    const reply = await admin.call("PUT", at, body);
    assert.equal(reply.status, 200, reply.text);
    const { id, account } = reply.body;
    const { text } = await admin.call("GET", account ? `/v1/contacts/${id}` : at);
    assert.equal(reply.text, text);
    return reply.body;
  };
  for (const at of [path, `${path}/contacts/${contact.id}`]) {
    const { body: before } = await admin.call("GET", at);
    const given = (await change(at, { user_id: ada.id })).user;
    assert.equal(given.id, ada.id);
    assert.equal((await change(at, {})).user.id, ada.id);
    assert.equal((await change(at, { user_id: null })).user, null);
    assert.deepEqual((await change(at, { user_id: admin.id })).user, before.user);
  }
  const moved = await change(`${path}/contacts/${contact.id}`, { account_id: other.account.id });
  assert.deepEqual(moved.account, { id: other.account.id, name: "Looms Ltd" });
});

Deno.test("an account moves to a team in which the caller may place records, else 422", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const [own, near] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const far = await company.team();
  for (const [type, allowed] of [["user", [own]], ["group_admin", [own, near]]] as const) {
    const by = await company.user({ type, teams: [own] });
    for (const team_id of [near, far, own]) {
      const { account } = await newContact(by, {}, { team_id: own });
      const reply = await by.call("PUT", `/v1/accounts/${account.id}`, { team_id });
      const may = allowed.some((team) => team === team_id);
      assert.equal(reply.status, may ? 200 : 422, `${type}: ${reply.text}`);
      if (!may) assert.deepEqual(listFaults(reply), [["team_id", "exists"]], type);
    }
  }
});

Deno.test("a contact cannot move to an account that the caller does not see", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [own, far] = [await company.team(), await company.team()];
  const member = await company.user({ teams: [own] });
  const { account, contact } = await newContact(member, {}, { team_id: own });
  const hidden = (await newContact(company.admin, {}, { team_id: far })).account;
  const path = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  const refused = await member.call("PUT", path, { account_id: hidden.id });
  assert.deepEqual([refused.status, listFaults(refused)], [422, [["account_id", "exists"]]]);
  assert.equal((await member.call("GET", path)).status, 200);
  assert.equal((await company.admin.call("PUT", path, { account_id: hidden.id })).status, 200);
  assert.equal((await member.call("GET", `/v1/contacts/${contact.id}`)).status, 404);
});

Deno.test("a customer is not assigned to a user when its team leaves the user's group meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const user = await company.user({ teams: [await company.team({ group_id: group })] });
  for (const what of ["account", "contact"] as const) {
    const team = await company.team({ group_id: group });
    const { account, contact } = await newContact(admin, {}, { team_id: team });
    const path = `/v1/accounts/${account.id}${what === "contact" ? `/contacts/${contact.id}` : ""}`;
    const reply = await callMeanwhile(app, admin, "PUT", path, async () => {
      assert.equal((await admin.call("PUT", `/v1/teams/${team}`, { group_id: null })).status, 200);
    }, { user_id: user.id });
    assert.deepEqual(
      [reply.status, listFaults({ body: await reply.json() })],
      [422, [["user_id", "exists"]]],
      what,
    );
  }
});

Deno.test("a consumer's account without a name shows its current contact's name; each move sends an event", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [from, to] = [await nameless(admin), await nameless(admin)];
  const read = async (at: string) => (await admin.call("GET", at)).body;
  const readName = async (at: string) => (await read(at)).fixed_fields[0].value;
  const readLastEvents = async (count: number) => (await readEvents(app)).slice(-count);
  const made = await admin.call("POST", `${from}/contacts`, {
    fixed_fields: nameValues({ last_name: "Byron" }),
  });
  assert.equal(await readName(from), "Byron");
  assert.deepEqual(await readLastEvents(2), [
    { name: "contact_created", body: made.body },
    { name: "account_updated", body: await read(from) },
  ]);
  const account_id = to.split("/").at(-1);
  const moved = await admin.call("PUT", `${from}/contacts/${made.body.id}`, { account_id });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual([await readName(from), await readName(to)], [null, "Byron"]);
  assert.deepEqual(await readLastEvents(3), [
    { name: "contact_updated", body: moved.body },
    { name: "account_updated", body: await read(from) },
    { name: "account_updated", body: await read(to) },
  ]);
  assert.equal((await admin.call("GET", "/v1/accounts?search=byron")).body.pagination.total, 1);
});

Deno.test("a changed contact is found by its new words and custom values only", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newField(admin, { label: "Pet" }, [], "contact");
  const { account, contact } = await newContact(admin, { last: "Byron" });
  const path = `/v1/accounts/${account.id}/contacts/${contact.id}`;
  const countFound = async (word: string, pet: string) => {
    const filter = [{ field: "b2b_contact.custom_fields.pet", operator: "eq", value: pet }];
    const lists = [
      await admin.call("GET", `/v1/contacts?search=${word}`),
      await admin.call("POST", "/v1/contacts/filter", { filter }),
    ];
    return lists.map(({ body }) => body.pagination?.total);
  };
  for (const [word, pet] of [["king", "cat"], ["lovelace", "dog"]] as const) {
    const body = { fixed_fields: nameValues({ last_name: word }), custom_fields: nameValues({ pet }) };
    assert.equal((await admin.call("PUT", path, body)).status, 200);
    assert.deepEqual(await countFound(word, pet), [1, 1]);
  }
  assert.deepEqual(await countFound("king", "cat"), [0, 0]);
});

Deno.test("the delete-impact and the contacts of an account need a caller who sees it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const rights = ["customers.delete"] as const;
  const member = await company.user({ teams: [team], rights: [...rights] });
  const stranger = await company.user({ rights: [...rights] });
  const { account, contact } = await newContact(member, {}, { team_id: team });
  const at = `/v1/accounts/${account.id}/contacts`;
  for (const path of [at, `/v1/accounts/${account.id}/delete-impact`, `${at}/${contact.id}/delete-impact`]) {
    assert.equal((await member.call("GET", path)).status, 200, path);
    assert.equal((await stranger.call("GET", path)).status, 404, path);
  }
});
