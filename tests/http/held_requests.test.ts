/** Requests that stay open while their body arrives: the state at their end counts. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { sql } from "../../src/db/statements.ts";
import { readPeer } from "../../src/entry/peer.ts";
import { type Actor, RawBody, startApp, type TestApp } from "../support/app.ts";
import { authorizePath, openConsentShop, signIn } from "../support/consent.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { makeFile, makeMultipart, makePng } from "../support/pictures.ts";
import { holdOpen, type RawReply } from "../support/raw.ts";

const user = {
  first_name: "Eve",
  last_name: "Held",
  email: "eve@example.org",
  password: "correct horse battery",
  user_type: { id: 1 },
};

/** Sends the head of a call and the beginning of its body, and the rest after `meanwhile`. */
async function sendHeld(
  app: TestApp,
  token: string | null,
  method: string,
  path: string,
  sent: unknown,
  meanwhile: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<RawReply> {
  const raw = sent instanceof RawBody
    ? sent
    : new RawBody("application/json", new TextEncoder().encode(JSON.stringify(sent)));
  const lines = Object.entries({
    Host: new URL(app.url).host,
    "Content-Type": raw.type,
    "Content-Length": String(raw.bytes.length),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
    ...headers,
  });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`;
  const { fetch } = createApp(app.deps);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request, info) => {
    const { body } = request;
    const bytes = request.arrayBuffer.bind(request);
    Object.defineProperty(request, "body", { get: () => (resolve(), body) });
    request.arrayBuffer = () => (resolve(), bytes());
    return fetch(request, readPeer(info));
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  return await holdOpen(url, { head, body: raw.bytes }, asked, meanwhile);
}

const readCode = ({ body }: RawReply) => JSON.parse(body).code;
const count = async (app: TestApp, table: string) =>
  Number((await app.sql(`select count(*) as n from ${table}`))[0]!.n);

async function deleteUser(by: Actor, id: number, query = ""): Promise<void> {
  const reply = await by.call("DELETE", `/v1/companies/${by.companyId}/users/${id}${query}`);
  assert.equal(reply.status, 204, reply.text);
}

Deno.test("an admin who is deleted while the body arrives creates no user", async () => {
  await using app = await startApp();
  const { admin, user: another } = await app.company();
  const other = await another({ type: "admin" });
  const users = await count(app, "users");
  const path = `/v1/companies/${admin.companyId}/users`;
  const reply = await sendHeld(app, other.token, "POST", path, user, () => deleteUser(admin, other.id));
  assert.deepEqual([reply.status, readCode(reply)], [401, "unauthenticated"]);
  assert.match(reply.headers.get("www-authenticate")!, /invalid_token/);
  assert.equal(await count(app, "users"), users);
});

Deno.test("a token that is revoked or expires while the body arrives changes nothing", async () => {
  await using app = await startApp();
  const { admin, token } = await app.company();
  const account = { fixed_fields: [{ name: "name", value: "Held" }] };
  const revoked = await token(admin.id);
  const revoke = () => admin.call("DELETE", `/v1/tokens/${revoked}`);
  const first = await sendHeld(app, revoked, "POST", "/v1/accounts", account, revoke);
  const client = await newClient(app, false, admin);
  const { body } = await askToken(app, { grant_type: "client_credentials", ...client });
  const expire = () => Promise.resolve(app.clock.move(body.expires_in * 1000));
  const second = await sendHeld(app, body.access_token, "POST", "/v1/accounts", account, expire);
  assert.deepEqual([first.status, second.status], [401, 401]);
  assert.equal(await count(app, "accounts"), 0);
});

Deno.test("a right, type or team that is lost while the body arrives is missing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const change = (id: number, body: object) => async () => {
    const reply = await admin.call("PUT", `/v1/companies/${company.id}/users/${id}`, body);
    assert.equal(reply.status, 200, reply.text);
  };

  const seller = await company.user({ rights: ["products.manage"] });
  const product = { fixed_fields: [{ name: "name", value: "Held" }] };
  const roles = change(seller.id, { role_ids: [] });
  const withoutRight = await sendHeld(app, seller.token, "POST", "/v1/products", product, roles);
  assert.deepEqual([withoutRight.status, readCode(withoutRight)], [403, "forbidden"]);

  const second = await company.user({ type: "admin" });
  const demote = change(second.id, { user_type: { id: 3 } });
  const path = `/v1/companies/${company.id}/users`;
  const withoutType = await sendHeld(app, second.token, "POST", path, user, demote);
  assert.deepEqual([withoutType.status, readCode(withoutType)], [403, "forbidden"]);

  const member = await company.user({ teams: [team] });
  const account = { team_id: team, fixed_fields: [{ name: "name", value: "Held" }] };
  const leave = change(member.id, { team_ids: [] });
  const withoutTeam = await sendHeld(app, member.token, "POST", "/v1/accounts", account, leave);
  assert.equal(withoutTeam.status, 422);
  assert.deepEqual([await count(app, "products"), await count(app, "accounts")], [0, 0]);
  assert.deepEqual(await app.sql("select id from users where email = ?", user.email), []);
});

Deno.test("pictures whose sender is deleted while they arrive are neither shown nor stored", async () => {
  await using app = await startApp();
  const { admin, user: another } = await app.company();
  const other = await another({ type: "admin" });
  const logos = await makeMultipart({
    logo_1: makeFile("1", makePng(480, 140)),
    logo_2: makeFile("2", makePng(80, 80)),
  });
  const reply = await sendHeld(
    app,
    other.token,
    "POST",
    "/upload/company-logo",
    logos,
    () => deleteUser(admin, other.id),
  );
  assert.equal(reply.status, 401);
  assert.deepEqual(
    [await count(app, "objects"), (await app.sql("select logo_1 from companies"))[0]!.logo_1],
    [
      0,
      null,
    ],
  );
});

Deno.test("a stored answer is not replayed to a caller who is deleted while the body arrives", async () => {
  await using app = await startApp();
  const { admin, user: another, token } = await app.company();
  const other = await another({ type: "admin" });
  const trusted = await token(other.id, true);
  const application = { name: "Held" };
  const key = { "Idempotency-Key": "held" };
  assert.equal((await app.call(trusted, "POST", "/v1/applications", application, key)).status, 201);
  const remove = () => deleteUser(admin, other.id);
  const reply = await sendHeld(app, trusted, "POST", "/v1/applications", application, remove, key);
  assert.equal(reply.status, 401);
});

Deno.test("a consent gives no code when its user is deleted while the form arrives", async () => {
  await using app = await startApp();
  const { company, client, email, browser } = await openConsentShop(app);
  const other = await company.user({ type: "admin" });
  const next = authorizePath(client.client_id);
  const page = await signIn(browser, next, email);
  const token = /name="token" value="([^"]*)"/.exec(page.text)![1]!;
  const form = new URLSearchParams({ token, next, decision: "allow" }).toString();
  const reply = await sendHeld(
    app,
    null,
    "POST",
    "/auth/consent",
    new RawBody("application/x-www-form-urlencoded", new TextEncoder().encode(form)),
    () => deleteUser(other, company.admin.id, `?assign_to=${other.id}`),
    { Cookie: `session=${browser.cookies.get("session")}` },
  );
  assert.deepEqual([reply.status, reply.headers.get("location")], [303, next]);
  assert.equal(await count(app, "authorization_codes"), 0);
});

Deno.test("a client that is deleted while its form arrives gets no token", async () => {
  await using app = await startApp();
  const company = await app.company();
  const client = await newClient(app, true, company.admin);
  const before = await count(app, "access_tokens");
  const ask = { grant_type: "client_credentials", ...client };
  const remove = () =>
    app.deps.db.write([sql`delete from applications where client_id = ${client.client_id}`]);
  const refused = await sendHeld(app, null, "POST", "/auth/token", ask, remove);
  assert.deepEqual([refused.status, JSON.parse(refused.body).error], [401, "invalid_client"]);
  assert.equal(await count(app, "access_tokens"), before);
});

Deno.test("the body is not requested without a valid token", async () => {
  await using app = await startApp();
  const never = () => Promise.reject(new Error("the body was asked for"));
  for (const token of [null, "x"]) {
    assert.equal((await sendHeld(app, token, "POST", "/v1/accounts", user, never)).status, 401);
  }
});
