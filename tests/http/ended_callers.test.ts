/** Callers who end, or lose a right, in one instance while another still remembers them. */
import assert from "node:assert/strict";
import { type Actor, send, startApp, type TestApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import { callMeanwhile, withTwoProcesses } from "../support/race.ts";

const account = { fixed_fields: [{ name: "name", value: "Late" }] };
const product = account;

async function deleteUser(by: Actor, id: number): Promise<void> {
  const reply = await by.call("DELETE", `/v1/companies/${by.companyId}/users/${id}`);
  assert.equal(reply.status, 204, reply.text);
}

async function takeRoles(by: Actor, id: number): Promise<void> {
  const reply = await by.call("PUT", `/v1/companies/${by.companyId}/users/${id}`, { role_ids: [] });
  assert.equal(reply.status, 200, reply.text);
}

const count = async (app: TestApp, table: string) =>
  Number((await app.sql(`select count(*) as n from ${table}`))[0]!.n);

Deno.test("on a remote database, an instance with a cached caller commits nothing after another instance ended the caller", () =>
  farDatabase(async ({ hrana, env }) => {
    await using one = await startApp(env);
    await using two = await startApp(env);
    const { admin, user } = await one.company();
    const seller = await user({ rights: ["products.manage"] });
    const call = async (path: string, body: object) => {
      await Promise.all([one.idle(), two.idle()]);
      hrana.reset();
      const { status } = await two.call(seller.token, "POST", path, body);
      return [status, hrana.roundTrips()];
    };
    assert.equal((await two.call(seller.token, "GET", "/v1/me")).status, 200);

    await takeRoles(admin, seller.id);
    assert.equal(
      (await two.call(seller.token, "GET", "/v1/me")).body.rights.includes("products.manage"),
      true,
    );
    assert.equal((await call("/v1/products", product))[0], 403);
    assert.equal((await call("/v1/accounts", account))[0], 201);

    // The change of another user costs no further round trip.
    const other = await user();
    await deleteUser(admin, other.id);
    assert.deepEqual(await call("/v1/accounts", account), [201, 2]);

    await deleteUser(admin, seller.id);
    assert.equal((await call("/v1/accounts", account))[0], 401);
    assert.deepEqual([await count(one, "products"), await count(one, "accounts")], [0, 2]);
  }));

Deno.test("a caller who is deleted or loses a right between reads and commit changes nothing", async () => {
  await using app = await startApp();
  const { admin, user } = await app.company();
  const seller = await user({ rights: ["products.manage"] });
  const readStatus = async (path: string, body: object, overtake: () => Promise<void>) => {
    const reply = await callMeanwhile(app, seller, "POST", path, overtake, body);
    await reply.body?.cancel();
    return reply.status;
  };
  assert.equal(await readStatus("/v1/products", product, () => takeRoles(admin, seller.id)), 403);
  assert.equal(await readStatus("/v1/accounts", account, () => deleteUser(admin, seller.id)), 401);
  assert.deepEqual([await count(app, "products"), await count(app, "accounts")], [0, 0]);
});

Deno.test("a process commits nothing for a caller that another process on the file has ended", async () => {
  await using app = await startApp();
  const { admin, user, id } = await app.company();
  const other = await user();
  await withTwoProcesses("tests/sweep/server.ts", app, async ([one, two]) => {
    const post = () => send(`${two}/v1/accounts`, "POST", other.token, account);
    assert.equal((await post()).status, 201);
    const removed = await send(`${one}/v1/companies/${id}/users/${other.id}`, "DELETE", admin.token);
    assert.equal(removed.status, 204);
    assert.equal((await post()).status, 401);
  });
  assert.equal(await count(app, "accounts"), 1);
});
