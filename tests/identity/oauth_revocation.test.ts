import assert from "node:assert/strict";
import { send, startApp, type TestApp } from "../support/app.ts";
import { askToken, makeBasicHeader, newClient, withPassword } from "../support/oauth.ts";

const form = { "Content-Type": "application/x-www-form-urlencoded" };

async function signedIn(app: TestApp) {
  const { admin } = await app.company();
  const client = await newClient(app, true, admin);
  const username = await withPassword(app, admin, "correct horse");
  const ask = (more: object) => askToken(app, { ...client, ...more });
  const { body } = await ask({ grant_type: "password", username, password: "correct horse" });
  const revoke = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(`${app.url}/auth/revoke`, "POST", null, `${new URLSearchParams(fields)}`, { ...form, ...headers });
  const works = async (token: string) => (await app.call(token, "GET", "/v1/me")).status === 200;
  return { client, ask, body, revoke, works };
}

Deno.test("revoking an access or refresh token ends all tokens of the sign-in", async () => {
  for (const which of ["access_token", "refresh_token"]) {
    await using app = await startApp();
    const { client, ask, body, revoke, works } = await signedIn(app);
    const { body: next } = await ask({ grant_type: "refresh_token", refresh_token: body.refresh_token });
    const reply = await revoke(
      { token: next[which] },
      makeBasicHeader(client.client_id, client.client_secret),
    );
    assert.deepEqual([reply.status, reply.text], [200, ""]);
    assert.equal(reply.headers.get("cache-control"), "no-store");
    assert.deepEqual([await works(body.access_token), await works(next.access_token)], [false, false]);
    const again = await ask({ grant_type: "refresh_token", refresh_token: next.refresh_token });
    assert.equal(again.body.error, "invalid_grant");
  }
});

Deno.test("revoking a token without a sign-in ends only this one", async () => {
  await using app = await startApp();
  const { client, ask, revoke, works } = await signedIn(app);
  const [one, other] = [
    (await ask({ grant_type: "client_credentials" })).body,
    (await ask({ grant_type: "client_credentials" })).body,
  ];
  assert.equal((await revoke({ ...client, token: one.access_token })).status, 200);
  assert.deepEqual([await works(one.access_token), await works(other.access_token)], [false, true]);
});

Deno.test("revoking an unknown token is 200", async () => {
  await using app = await startApp();
  const { client, revoke } = await signedIn(app);
  assert.equal((await revoke({ ...client, token: "nothing" })).status, 200);
});

Deno.test("a client must authenticate and cannot revoke other clients' tokens", async () => {
  await using app = await startApp();
  const { client, body, revoke, works } = await signedIn(app);
  const other = await newClient(app, true);
  const refusals = [
    await revoke({ ...other, token: body.access_token }),
    await revoke({ ...client, client_secret: "wrong", token: body.access_token }),
    await revoke({ token: body.access_token }),
    await revoke({ ...client }),
  ];
  assert.deepEqual(refusals.map(({ status, body }) => [status, body.error]), [
    [400, "invalid_grant"],
    [401, "invalid_client"],
    [401, "invalid_client"],
    [400, "invalid_request"],
  ]);
  assert.equal(await works(body.access_token), true);
});
