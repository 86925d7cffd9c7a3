import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";

async function signedIn(app: TestApp) {
  const company = await app.company();
  const client = await newClient(app, true);
  const username = await withPassword(app, company.admin, "correct horse");
  const signIn = async () =>
    (await askToken(app, { grant_type: "password", ...client, username, password: "correct horse" })).body;
  const refresh = (refresh_token: string) =>
    askToken(app, { grant_type: "refresh_token", ...client, refresh_token });
  return { company, client, signIn, refresh, first: await signIn() };
}

async function works(app: TestApp, token: string): Promise<boolean> {
  return (await app.call(token, "GET", "/v1/me")).status === 200;
}

Deno.test("the caller's own tokens are listed, newest first, by identifiers that are not tokens", async () => {
  await using app = await startApp();
  const { company, signIn, first } = await signedIn(app);
  const other = await company.user();
  await other.call("GET", "/v1/me");
  app.clock.move(1000);
  const second = await signIn();
  const { body } = await app.call(second.access_token, "GET", "/v1/tokens");
  assert.equal(body.pagination.total, 2);
  assert.deepEqual(Object.keys(body.data[0]), ["client_name", "token", "created_at", "updated_at"]);
  assert.deepEqual(body.data.map(({ created_at }: { created_at: string }) => created_at), [
    "2026-03-02 09:00:01",
    "2026-03-02 09:00:00",
  ]);
  for (const { token } of body.data) assert.equal(await works(app, token), false);
  const page = (await app.call(second.access_token, "GET", "/v1/tokens?per_page=1")).body;
  assert.deepEqual(page.data, [body.data[0]]);
  const next = await app.call(second.access_token, "GET", page.pagination.urls.next.slice(app.url.length));
  assert.deepEqual(next.body.data, [body.data[1]]);
  app.clock.move(3_600_000 - 1000);
  assert.equal(await works(app, first.access_token), false);
  const left = await app.call(second.access_token, "GET", "/v1/tokens");
  assert.deepEqual(left.body.data, [body.data[0]]);
});

Deno.test("a token ends by its identifier or by itself, with all tokens of the same sign-in", async () => {
  await using app = await startApp();
  const { signIn, refresh, first } = await signedIn(app);
  const { body: renewed } = await refresh(first.refresh_token);
  const keeper = await signIn();
  const gone = await app.call(keeper.access_token, "DELETE", `/v1/tokens/${first.access_token}`);
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual([await works(app, first.access_token), await works(app, renewed.access_token)], [
    false,
    false,
  ]);
  assert.equal((await refresh(renewed.refresh_token)).body.error, "invalid_grant");

  app.clock.move(1000);
  const third = await signIn();
  const { data } = (await app.call(keeper.access_token, "GET", "/v1/tokens")).body;
  assert.equal(
    (await app.call(keeper.access_token, "DELETE", `/v1/tokens/${data[0].token}`)).status,
    204,
  );
  assert.equal(await works(app, third.access_token), false);
  assert.equal((await refresh(third.refresh_token)).body.error, "invalid_grant");
  assert.equal(await works(app, keeper.access_token), true);
});

Deno.test("another user's token is 404 and stays, and an ended one is 404", async () => {
  await using app = await startApp();
  const { company, signIn, first } = await signedIn(app);
  const other = await company.user();
  const { data } = (await app.call(first.access_token, "GET", "/v1/tokens")).body;
  for (const token of [first.access_token, data[0].token]) {
    assert.equal((await other.call("DELETE", `/v1/tokens/${token}`)).status, 404);
  }
  assert.equal(await works(app, first.access_token), true);
  const again = await signIn();
  assert.equal((await app.call(again.access_token, "DELETE", `/v1/tokens/${data[0].token}`)).status, 204);
  assert.equal((await app.call(again.access_token, "DELETE", `/v1/tokens/${data[0].token}`)).status, 404);
});
