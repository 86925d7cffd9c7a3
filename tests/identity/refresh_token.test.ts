import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { readTogether } from "../support/race.ts";
import { askToken, newClient, type TestClient, withPassword } from "../support/oauth.ts";

const week = 7 * 24 * 3600_000;

async function signedIn(app: TestApp) {
  const { admin } = await app.company();
  const client = await newClient(app, true);
  const username = await withPassword(app, admin, "correct horse");
  const ask = () => askToken(app, { grant_type: "password", ...client, username, password: "correct horse" });
  return { client, ask, body: (await ask()).body };
}

function refresh(app: TestApp, client: TestClient, refresh_token: string) {
  return askToken(app, { grant_type: "refresh_token", ...client, refresh_token });
}

async function works(app: TestApp, token: string): Promise<boolean> {
  return (await app.call(token, "GET", "/v1/me")).status === 200;
}

Deno.test("a refresh token gives a new pair, and the old access token keeps working", async () => {
  await using app = await startApp();
  const { client, body } = await signedIn(app);
  const next = await refresh(app, client, body.refresh_token);
  assert.equal(next.status, 200);
  assert.equal(next.body.expires_in, 3600);
  assert.notEqual(next.body.refresh_token, body.refresh_token);
  assert.deepEqual([await works(app, body.access_token), await works(app, next.body.access_token)], [
    true,
    true,
  ]);
});

Deno.test("a client that lost the answer to a refresh gets tokens twice more, within ten seconds", async () => {
  await using app = await startApp();
  const { client, body } = await signedIn(app);
  const winner = await refresh(app, client, body.refresh_token);
  const stranger = { ...client, client_secret: "wrong" };
  assert.equal((await refresh(app, stranger, body.refresh_token)).status, 401);
  for (const wait of [4_000, 6_000]) {
    app.clock.move(wait);
    const again = await refresh(app, client, body.refresh_token);
    assert.equal(again.status, 200);
    assert.equal(await works(app, again.body.access_token), true);
    assert.equal((await refresh(app, client, again.body.refresh_token)).status, 200);
  }
  assert.equal(await works(app, winner.body.access_token), true);
  assert.equal((await refresh(app, client, body.refresh_token)).body.error, "invalid_grant");
  assert.equal(await works(app, winner.body.access_token), false);
});

Deno.test("a late second use of a refresh token ends all tokens of its sign-in, and no others", async () => {
  await using app = await startApp();
  const { client, ask, body: first } = await signedIn(app);
  const { body: other } = await ask();
  const { body: second } = await refresh(app, client, first.refresh_token);
  const { body: third } = await refresh(app, client, second.refresh_token);
  assert.equal(await works(app, third.access_token), true);
  app.clock.move(10_001);
  const again = await refresh(app, client, first.refresh_token);
  assert.deepEqual([again.status, again.body.error], [400, "invalid_grant"]);
  for (const token of [first, second, third]) assert.equal(await works(app, token.access_token), false);
  assert.equal((await refresh(app, client, third.refresh_token)).body.error, "invalid_grant");
  assert.equal(await works(app, other.access_token), true);
  assert.equal((await refresh(app, client, other.refresh_token)).status, 200);
});

Deno.test("a refresh token lives for seven days from its issue", async () => {
  await using app = await startApp();
  const { client, ask, body } = await signedIn(app);
  const { body: unused } = await ask();
  app.clock.move(week - 1000);
  const { status, body: next } = await refresh(app, client, body.refresh_token);
  assert.equal(status, 200);
  app.clock.move(1000);
  assert.equal((await refresh(app, client, unused.refresh_token)).body.error, "invalid_grant");
  assert.equal((await refresh(app, client, next.refresh_token)).status, 200);
});

Deno.test("a refresh token works only for its own client", async () => {
  await using app = await startApp();
  const { client, body } = await signedIn(app);
  const other = await newClient(app, true);
  assert.equal((await refresh(app, other, body.refresh_token)).body.error, "invalid_grant");
  assert.equal((await refresh(app, client, body.refresh_token)).status, 200);
});

Deno.test("two concurrent uses both succeed, and the sign-in lives", async () => {
  await using app = await startApp();
  const { client, body } = await signedIn(app);
  const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
  const replies = await Promise.all([1, 2].map(async () => {
    const request = new Request("http://localhost/auth/token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ grant_type: "refresh_token", ...client, refresh_token: body.refresh_token }),
    });
    const reply = await together.fetch(request);
    return { status: reply.status, body: await reply.json() };
  }));
  for (const { status, body } of replies) {
    assert.equal(status, 200);
    assert.equal(await works(app, body.access_token), true);
    assert.equal((await refresh(app, client, body.refresh_token)).status, 200);
  }
});

Deno.test("a deleted user's refresh token ends with the user", async () => {
  await using app = await startApp();
  const { client, body } = await signedIn(app);
  await app.deps.db.write([{ sql: "update users set deleted_at = created_at", args: [] }]);
  assert.equal((await refresh(app, client, body.refresh_token)).body.error, "invalid_grant");
});
