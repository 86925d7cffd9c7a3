import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";

Deno.test("after a hundred wrong passwords in an hour an account is closed to all for the rest of it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const password = "correct horse";
  const username = await withPassword(app, admin, password);
  const client = await newClient(app, true);
  const ask = (password: string, name = username) =>
    askToken(app, { grant_type: "password", ...client, username: name, password });
  assert.equal((await ask("wrong")).status, 400);
  await app.deps.db.write([{ sql: "update attempts set failures = 99", args: [] }]);
  assert.equal((await ask(password)).status, 200);
  assert.equal((await ask("wrong", username.toUpperCase())).status, 400);
  const limited = await ask(password);
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "3600"]);
  assert.equal(limited.headers.get("ratelimit-policy"), '"attempts";q=100;w=3600');
  const browser = new Browser(app.url);
  const page = await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", {
    email: username,
    password,
  });
  assert.equal(page.status, 429);
  app.clock.move(3_600_000);
  assert.equal((await ask(password)).status, 200);
});
