import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newContact, newPath, readEvents } from "../sales/parts.ts";
import { makeSales } from "../sales/leads_world.ts";
import { deleteAt, makePath } from "./deletion_world.ts";
import { nameValues } from "./fields_world.ts";

const getName = ({ fixed_fields }: Body) =>
  fixed_fields.find(({ name }: { name: string }) => name === "name").value;

/** Every name that the account has where it is shown: on itself, in lists, its contacts, cases and leads. */
async function names(admin: Actor, id: string): Promise<Set<string | null>> {
  const list = async (path: string) => (await admin.call("GET", path)).body.data as Body[];
  const found: (string | null)[] = [getName((await admin.call("GET", `/v1/accounts/${id}`)).body)];
  for (const account of await list("/v1/accounts")) if (account.id === id) found.push(getName(account));
  for (const contact of await list("/v1/contacts")) {
    if (contact.account.id === id) found.push(contact.account.name);
  }
  for (const each of [...await list("/v1/cases"), ...await list(`/v1/accounts/${id}/cases`)]) {
    if (each.account.id !== id) continue;
    found.push(each.account.name, getName((await admin.call("GET", `/v1/cases/${each.id}`)).body.account));
  }
  for (const lead of await list("/v1/leads")) {
    if (lead.original_account?.id === id) found.push(getName(lead.original_account), getName(lead.account));
  }
  return new Set(found);
}

/** Returns the name in the last event of the account. */
async function nameSent(app: TestApp, id: string): Promise<string | null> {
  const sent = (await readEvents(app)).filter(({ name, body }) =>
    name.startsWith("account_") && body.id === id
  );
  return getName(sent.at(-1)!.body);
}

Deno.test("a consumer's account without a name shows its contact's everywhere, and none after the contact leaves", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const path = await newPath(admin);
  const consumer = { b2c: true, fixed_fields: [], team_id: sales.dealer };
  const { account, contact } = await newContact(admin, { first: "Grace", last: "Hopper" }, consumer);
  const open = (contact_id: string) =>
    admin.call("POST", "/v1/cases", { contact_id, relations_path_id: path.id });
  assert.equal((await open(contact.id)).status, 201);
  await sales.lead({ b2c: true, account: undefined, account_id: account.id });
  assert.deepEqual(await names(admin, account.id), new Set(["Grace Hopper"]));

  const { body: company } = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Navy" }),
  });
  assert.equal((await admin.call("PUT", makePath(account, contact), { account_id: company.id })).status, 200);
  // The case is still the account's.
  assert.equal((await admin.call("GET", `/v1/accounts/${account.id}/cases`)).body.pagination.total, 1);
  assert.deepEqual(await names(admin, account.id), new Set([null]));
  assert.equal(await nameSent(app, account.id), null);
  assert.deepEqual(await names(admin, company.id), new Set(["Navy"]));

  const { body: next } = await admin.call("POST", `${makePath(account)}/contacts`, {
    fixed_fields: nameValues({ last_name: "Byron" }),
  });
  assert.deepEqual(await names(admin, account.id), new Set(["Byron"]));
  assert.equal(await nameSent(app, account.id), "Byron");
  await admin.call("PUT", makePath(account, next), { fixed_fields: nameValues({ last_name: "King" }) });
  assert.deepEqual(await names(admin, account.id), new Set(["King"]));
  assert.equal(await nameSent(app, account.id), "King");
  // The case that is left behind is found by the name that it shows, and by its contact's.
  const countFound = async (list: string, word: string) =>
    (await admin.call("GET", `/v1/${list}?search=${word}`)).body.pagination.total;
  const counts = async (
    word: string,
  ) => [await countFound("accounts", word), await countFound("cases", word)];
  assert.deepEqual(await counts("king"), [1, 1]);
  assert.deepEqual(await counts("byron"), [0, 0]);
  assert.deepEqual(await counts("hopper"), [0, 1]);
  const sorted = (await admin.call("GET", "/v1/accounts?sort=name")).body.data.map(getName);
  assert.deepEqual(sorted, ["King", "Navy"]);
  const filter = (operator: string, value: unknown) =>
    admin.call("POST", "/v1/accounts/filter", {
      filter: [{ field: "b2c_account.fixed_fields.name", operator, value }],
    });
  assert.equal((await filter("eq", "king")).body.pagination.total, 1);
  assert.equal((await filter("exists", true)).body.pagination.total, 1);

  await deleteAt(admin, makePath(account, next));
  assert.deepEqual(await names(admin, account.id), new Set([null]));
  assert.deepEqual(await counts("king"), [0, 0]);
  assert.equal((await filter("exists", false)).body.pagination.total, 1);
  assert.equal(await nameSent(app, account.id), null);
});

Deno.test("a consumer's account with its own name keeps it when the contact leaves", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const { account, contact } = await newContact(admin, { account: "Given" }, { b2c: true });
  const its = { contact_id: contact.id, relations_path_id: path.id };
  assert.equal((await admin.call("POST", "/v1/cases", its)).status, 201);
  assert.deepEqual(await names(admin, account.id), new Set(["Given"]));
  const { account: there } = await newContact(admin, { account: "Navy" });
  assert.equal((await admin.call("PUT", makePath(account, contact), { account_id: there.id })).status, 200);
  assert.deepEqual(await names(admin, account.id), new Set(["Given"]));
});
