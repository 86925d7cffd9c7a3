/** Sessions at the console: what they open, how long they live, and what ends them. */
import assert from "node:assert/strict";
import { endpoints } from "../../src/app.ts";
import { readSessionPerson, selectPersonBySession } from "../../src/console/person.ts";
import { callEndpoint } from "../../src/http/inner_call.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { withPassword } from "../support/oauth.ts";
import { signedIn, signedInAgain } from "./world.ts";

const day = 24 * 3_600_000;

async function readStatus(app: TestApp, path: string, headers: Record<string, string>): Promise<number> {
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
  assert.equal(await readStatus(app, "/app/me", { cookie }), 200);
  assert.equal(await readStatus(app, "/v1/me", { cookie }), 401);
  assert.equal(
    await readStatus(app, "/v1/me", { authorization: `Bearer ${browser.cookies.get("session")}` }),
    401,
  );
  assert.equal(await readStatus(app, "/app/me", { authorization: `Bearer ${other.admin.token}` }), 303);
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
  const readLastUse = async () => (await app.sql("select last_used_at from sessions"))[0]!.last_used_at;
  app.clock.move(day);
  await browser.get("/app/me");
  const first = await readLastUse();
  app.clock.move(day - 1);
  await browser.get("/app/me");
  assert.equal(await readLastUse(), first);
  app.clock.move(1);
  await browser.get("/app/me");
  assert.notEqual(await readLastUse(), first);
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

Deno.test("a person lists the own sessions, and ends one or all others", async () => {
  await using app = await startApp();
  const { admin, token } = await app.company();
  const [first, second] = [
    await signedIn(app, admin),
    (app.clock.move(1000), await signedInAgain(app, admin)),
  ];
  const company = await app.company();
  const other = await signedIn(app, company.admin);
  const [mine, theirs] = [await token(admin.id), await company.token(company.admin.id)];
  const call = (method: string, path = "", by = mine) => app.call(by, method, `/v1/me/sessions${path}`);
  const list = async () => (await call("GET")).body.data;
  const sessions = await list();
  assert.equal(sessions.length, 2);
  const [latest] = sessions;
  assert.deepEqual(Object.keys(latest), [
    "id",
    "created_at",
    "last_used_at",
    "user_agent",
    "address",
    "current",
  ]);
  assert.deepEqual([latest.created_at, latest.last_used_at], ["2026-03-02 09:00:01", "2026-03-02 09:00:01"]);
  assert.deepEqual([latest.current, sessions[1].current], [false, false]);
  assert.deepEqual(typeof latest.address, "string");
  assert.equal((await call("DELETE", `/${latest.id}`, theirs)).status, 404);
  assert.equal((await call("DELETE", `/${latest.id}`)).status, 204);
  assert.equal((await call("DELETE", `/${latest.id}`)).status, 404);
  assert.deepEqual((await list()).map(({ id }: { id: string }) => id), [sessions[1].id]);
  assert.deepEqual([(await second.get("/app/me")).status, (await first.get("/app/me")).status], [303, 200]);
  await signedInAgain(app, admin);
  assert.equal((await call("DELETE")).status, 204);
  assert.deepEqual(await list(), []);
  assert.deepEqual([(await first.get("/app/me")).status, (await other.get("/app/me")).status], [303, 200]);
});

Deno.test("all sessions end but that in which the call is made", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [mine, theirs] = [await signedIn(app, admin), await signedInAgain(app, admin)];
  const cookie = mine.cookies.get("session")!;
  const now = app.clock.now();
  const [found] = await app.deps.db.read([selectPersonBySession(cookie, now)]);
  const { known } = readSessionPerson(found!.rows[0], cookie, now)!;
  const call = (operation: string) =>
    callEndpoint(
      {
        deps: app.deps,
        known,
        renew: () => Promise.resolve(known),
        requestId: crypto.randomUUID(),
        origin: app.url,
        address: () => "127.0.0.1",
        limitStates: new Map(),
        inFlight: new Map(),
      },
      endpoints.find(({ declared }) => declared.operation === operation)!,
    );
  const before = (await call("listSessions")).body as { data: { current: boolean }[] };
  assert.deepEqual(before.data.map(({ current }) => current).toSorted(), [false, true]);
  assert.equal((await call("endOtherSessions")).status, 204);
  assert.deepEqual([(await mine.get("/app/me")).status, (await theirs.get("/app/me")).status], [200, 303]);
});

Deno.test("a changed password gives its session another cookie and ends all others", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [mine, theirs] = [await signedIn(app, admin), await signedInAgain(app, admin)];
  const path = "/app/me/password";
  const page = await mine.get("/app/me");
  const before = mine.cookies.get("session")!;
  const words = { old_password: "correct horse", new_password: "battery horse staple" };
  for (const time of ["once", "twice"]) {
    const changed = await mine.submit(page, path, words);
    assert.deepEqual([changed.status, changed.headers.get("location")], [303, "/app/me"], time);
    assert.notEqual(mine.cookies.get("session"), before);
  }
  assert.equal(await readStatus(app, "/app/me", { cookie: `session=${before}` }), 303);
  assert.equal((await theirs.get("/app/me")).status, 303);
  assert.match((await mine.get("/app/me")).text, /Password changed\./);
  const team = await mine.submit(page, "/app/me/team", {});
  assert.equal(team.status, 303, "forms of other windows of the session can still be sent");
});

Deno.test("the settings list the person's sessions, end one or all others, and sign out", async () => {
  await using app = await startApp();
  const company = await app.company();
  const browsers = [await signedIn(app, company.admin)];
  for (let n = 0; n < 3; n++) browsers.push(await signedInAgain(app, company.admin));
  const [mine, ...others] = browsers;
  await app.deps.db.write([{
    sql: "update sessions set user_agent = ?",
    args: ["Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0"],
  }]);
  const page = await mine!.get("/app/me");
  assert.match(page.text, /data-list="sessions" data-total="4"/);
  assert.match(page.text, />Firefox, Windows</);
  assert.equal(page.text.match(/data-status="current"/g)?.length, 1);
  const ends = /action="(\/app\/me\/sessions\/[^/"]{36}\/end)"/.exec(page.text)![1]!;
  const ended = await mine!.follow(await mine!.submit(page, ends, {}));
  assert.match(ended.text, /The session has ended\.[\s\S]*data-total="3"/);
  assert.match(ended.text, />Sign out everywhere else<\/button>/);
  const all = await mine!.follow(await mine!.submit(ended, "/app/me/sessions/end", {}));
  assert.match(all.text, /Signed out everywhere else\.[\s\S]*data-list="sessions" data-total="1"/);
  for (const other of others) assert.equal((await other.get("/app/me")).status, 303);
  const out = await mine!.submit(all, "/app/me/sign-out", {});
  assert.equal(out.headers.get("location"), "/auth/signed-out");
  assert.equal(mine!.cookies.get("session"), undefined);
  assert.deepEqual(await app.sql("select hash from sessions"), []);
});
