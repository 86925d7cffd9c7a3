/** Sessions at the console: what they open, how long they live, and what ends them. */
import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { withPassword } from "../support/oauth.ts";
import { signedIn } from "./world.ts";

const day = 24 * 3_600_000;

async function statusOf(app: TestApp, path: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${app.url}${path}`, { headers, redirect: "manual" });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("the cookie opens nothing of the API, and a token nothing of the console", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company();
  const browser = await signedIn(app, company.admin);
  const cookie = `session=${browser.cookies.get("session")}`;
  assert.equal(await statusOf(app, "/app/me", { cookie }), 200);
  assert.equal(await statusOf(app, "/v1/me", { cookie }), 401);
  assert.equal(
    await statusOf(app, "/v1/me", { authorization: `Bearer ${browser.cookies.get("session")}` }),
    401,
  );
  assert.equal(await statusOf(app, "/app/me", { authorization: `Bearer ${other.admin.token}` }), 303);
});

Deno.test("a session in use lives on, at most 90 days", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  let uses = 0;
  for (; uses < 20; uses++) {
    app.clock.move(10 * day);
    const page = await browser.get("/app/me");
    if (page.status !== 200) break;
    const moved = page.headers.getSetCookie().find((cookie) => cookie.startsWith("session="));
    assert.match(moved!, new RegExp(`Max-Age=${Math.min(14, 80 - 10 * uses) * 86_400};`));
  }
  assert.equal(uses, 8);
});

Deno.test("a session is moved once a day at most", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browser = await signedIn(app, company.admin);
  const used = async () => (await app.sql("select last_used_at from sessions"))[0]!.last_used_at;
  app.clock.move(day);
  await browser.get("/app/me");
  const first = await used();
  app.clock.move(day - 1);
  await browser.get("/app/me");
  assert.equal(await used(), first);
  app.clock.move(1);
  await browser.get("/app/me");
  assert.notEqual(await used(), first);
});

Deno.test("a new password, a deleted user and a deleted company end a session at once", async () => {
  await using app = await startApp();
  for (const end of ["password", "user", "company"] as const) {
    const company = await app.company();
    const user = await company.user();
    const browser = await signedIn(app, user);
    assert.equal((await browser.get("/app/me")).status, 200);
    if (end === "password") await withPassword(app, user, "another horse");
    const path = `/v1/companies/${company.id}`;
    if (end === "user") {
      assert.equal((await company.admin.call("DELETE", `${path}/users/${user.id}`)).status, 204);
    }
    if (end === "company") assert.equal((await company.admin.call("DELETE", path)).status, 204);
    assert.equal((await browser.get("/app/me")).status, 303, end);
  }
});
