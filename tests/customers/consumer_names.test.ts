import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { readEvents } from "../sales/parts.ts";

const makeFields = (fields: Readonly<Record<string, unknown>>) => ({
  fixed_fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
});

/** Creates a consumer's account with a name of its own, and a contact. Returns their paths. */
async function consumer(admin: Actor): Promise<{ account: string; contact: string }> {
  const { body } = await admin.call("POST", "/v1/accounts", { b2c: true, ...makeFields({ name: "Given" }) });
  const account = `/v1/accounts/${body.id}`;
  const { body: contact } = await admin.call(
    "POST",
    `${account}/contacts`,
    makeFields({ last_name: "Byron" }),
  );
  return { account, contact: `${account}/contacts/${contact.id}` };
}

Deno.test("a consumer's account that loses its name shows its contact's at once: in answers, events, searches and sorts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account } = await consumer(admin);
  await admin.call("POST", "/v1/accounts", makeFields({ name: "Charles" }));
  const cleared = await admin.call("PUT", account, makeFields({ name: null }));
  assert.equal(cleared.body.fixed_fields[0].value, "Byron");
  assert.equal((await admin.call("GET", account)).text, cleared.text);
  assert.deepEqual((await readEvents(app)).at(-1), { name: "account_updated", body: cleared.body });
  const listNames = async (query: string) =>
    (await admin.call("GET", `/v1/accounts?${query}`)).body.data.map(({ fixed_fields }: Body) =>
      fixed_fields[0].value
    );
  assert.deepEqual(await listNames("search=byr"), ["Byron"]);
  assert.deepEqual(await listNames("search=giv"), []);
  assert.deepEqual(await listNames("sort=name"), ["Byron", "Charles"]);
  const filter = [{ field: "b2c_account.fixed_fields.name", operator: "eq", value: "byron" }];
  const { body } = await admin.call("POST", "/v1/accounts/filter", { filter });
  assert.equal(body.pagination.total, 1);
});

Deno.test("a consumer's account that loses its name while its contact is renamed shows the new name", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await consumer(admin);
  const rename = () => admin.call("PUT", contact, makeFields({ last_name: "King" }));
  const cleared = await callMeanwhile(app, admin, "PUT", account, rename, makeFields({ name: null }));
  const body = await cleared.json();
  assert.equal(body.fixed_fields[0].value, "King");
  assert.deepEqual((await readEvents(app)).at(-1)!.body, body);
  assert.equal((await admin.call("GET", "/v1/accounts?search=king")).body.pagination.total, 1);
});

Deno.test("a consumer's account that loses its name and its contact at once has no name and is not found by one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await consumer(admin);
  const clear = () => admin.call("PUT", account, makeFields({ name: null }));
  const gone = await callMeanwhile(app, admin, "DELETE", contact, clear);
  assert.equal(gone.status, 204);
  const { body } = await admin.call("GET", account);
  assert.equal(body.fixed_fields[0].value, null);
  assert.deepEqual((await readEvents(app)).at(-1), { name: "account_updated", body });
  assert.equal((await admin.call("GET", "/v1/accounts?search=byr")).body.pagination.total, 0);
});

Deno.test("PUT with the body of GET does not store the contact's name in a consumer's account without a name", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await consumer(admin);
  await admin.call("PUT", account, makeFields({ name: null }));
  const shown = (await admin.call("GET", account)).body;
  const repeated = await admin.call("PUT", account, shown);
  assert.deepEqual([repeated.status, repeated.body], [200, shown]);
  await admin.call("PUT", contact, makeFields({ last_name: "King" }));
  assert.equal((await admin.call("GET", account)).body.fixed_fields[0].value, "King");
  await admin.call("PUT", account, makeFields({ name: "Byron" }));
  await admin.call("PUT", contact, makeFields({ last_name: "Noel" }));
  assert.equal((await admin.call("GET", account)).body.fixed_fields[0].value, "Byron");
});
