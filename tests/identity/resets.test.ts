import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { createApp } from "../../src/app.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { type Actor, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";
import { setDrivers } from "./sso_world.ts";

const day = 24 * 3_600_000;
const [old, fresh] = ["old horse battery", "new horse battery"];

/** A user with a password, and a trusted client. */
async function forgetful(app: TestApp) {
  const company = await app.company();
  const user = await company.user();
  const email = await withPassword(app, user, old);
  return { company, user, email, bearer: await company.token(user.id), client: await app.trustedClient() };
}

async function ask(app: TestApp, client: string, email: string) {
  return await app.call(client, "POST", "/v1/reset-password", { email });
}

/** Requests a mail, and returns its token. */
async function tokenFor(app: TestApp, client: string, email: string): Promise<string> {
  const reply = await ask(app, client, email);
  assert.equal(reply.status, 204, reply.text);
  await app.idle();
  return /token=([\w-]{43})$/m.exec(app.mailer.sent.at(-1)!.text)![1]!;
}

async function choose(app: TestApp, client: string | null, token: string, password: unknown = fresh) {
  return await app.call(client, "POST", `/v1/reset-password/verify/${token}`, { password });
}

async function signIn(app: TestApp, email: string, password: string) {
  const body = { grant_type: "password", ...await newClient(app, true), username: email, password };
  return await askToken(app, body);
}

Deno.test("requesting a new password mails a link, and only the hash of its token is stored", async () => {
  await using app = await startApp();
  const { client, email, user } = await forgetful(app);
  await app.deps.db.write([
    { sql: "update users set email = ? where id = ?", args: [email.toUpperCase(), user.id] },
  ]);
  const reply = await ask(app, client, email);
  assert.deepEqual([reply.status, reply.text], [204, ""]);
  await app.idle();
  const [mail] = app.mailer.sent;
  assert.deepEqual([app.mailer.sent.length, mail!.to], [1, email.toUpperCase()]);
  const link = new RegExp(`^${app.url}/auth/reset-password\\?token=([\\w-]{43})$`, "m").exec(mail!.text)!;
  assert.ok(mail!.html!.includes(`href="${link[0]}"`));
  const kept = await app.sql("select hash, user_id, expires_at from password_resets");
  assert.deepEqual(kept.map(({ user_id, expires_at }) => [user_id, expires_at]), [[
    user.id,
    app.clock.now() + day,
  ]]);
  assert.ok(!JSON.stringify(kept).includes(link[1]!));
});

Deno.test("an unknown address gets the same answer, after the same queries, and no mail", async () => {
  await using app = await startApp();
  const { client, email } = await forgetful(app);
  const asked: [string, number][] = [];
  const { db } = app.deps;
  const counted = createApp({
    ...app.deps,
    wakeMails: () => asked.push(["mails", 0]),
    db: {
      ...db,
      stamp: () => db.stamp(),
      read: (statements) => (asked.push(["read", statements.length]), db.read(statements)),
      write: (statements) => (asked.push(["write", statements.length]), db.write(statements)),
    },
  });
  const answers = [];
  for (const address of [email, "nobody@example.org"]) {
    const before = await app.sql("select count(*) as n from mails");
    const response = await counted.fetch(
      new Request(`${app.url}/v1/reset-password`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${client}`,
          "Content-Type": "application/json",
          "X-Request-Id": "same",
        },
        body: JSON.stringify({ email: address }),
      }),
    );
    const [mails] = await app.sql("select count(*) as n from mails");
    answers.push({
      status: response.status,
      headers: [...response.headers],
      text: await response.text(),
      // The second call may have its caller cached.
      asked: asked.splice(0).slice(-3),
    });
    assert.equal(Number(mails!.n) - Number(before[0]!.n), address === email ? 1 : 0);
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[0]!.asked.map(([what]) => what), ["read", "write", "mails"]);
  assert.equal((await app.sql("select hash from password_resets")).length, 1);
});

Deno.test("the new password works and the old one does not; tokens, sessions, codes and other links end", async () => {
  await using app = await startApp();
  const { client, email, user, bearer } = await forgetful(app);
  const tokens = (await signIn(app, email, old)).body;
  const [other, token] = [await tokenFor(app, client, email), await tokenFor(app, client, email)];
  await openings(app, user);
  assert.equal((await app.call(bearer, "GET", "/v1/me")).status, 200);
  const reply = await choose(app, client, token);
  assert.deepEqual([reply.status, reply.body], [200, { email }]);
  assert.equal((await app.call(bearer, "GET", "/v1/me")).status, 401);
  assert.equal((await app.call(tokens.access_token, "GET", "/v1/me")).status, 401);
  for (
    const table of ["access_tokens", "refresh_tokens", "sessions", "authorization_codes", "password_resets"]
  ) {
    assert.deepEqual(await app.sql(`select 1 from ${table} where user_id = ?`, user.id), [], table);
  }
  assert.equal((await choose(app, client, other)).status, 404);
  assert.equal((await signIn(app, email, old)).body.error, "invalid_grant");
  assert.equal((await signIn(app, email, fresh)).status, 200);
});

Deno.test("a used, altered or expired token, and one of a deleted user, are the same 404", async () => {
  await using app = await startApp();
  const { client, company, email, user } = await forgetful(app);
  const { admin, id } = company;
  const reported: unknown[] = [];
  const assertRefused = async (token: string) => {
    const reply = await choose(app, client, token);
    assert.equal(reply.status, 404, reply.text);
    reported.push({ ...reply.body, request_id: null });
  };
  const used = await tokenFor(app, client, email);
  await assertRefused((used[0] === "A" ? "B" : "A") + used.slice(1));
  assert.equal((await choose(app, client, used)).status, 200);
  await assertRefused(used);

  const readdressed = await tokenFor(app, client, email);
  const changed = await admin.call("PUT", `/v1/companies/${id}/users/${user.id}`, {
    email: "new@example.org",
  });
  assert.equal(changed.status, 200);
  await assertRefused(readdressed);

  const gone = await tokenFor(app, client, "new@example.org");
  assert.equal((await admin.call("DELETE", `/v1/companies/${id}/users/${user.id}`)).status, 204);
  await assertRefused(gone);

  const last = await tokenFor(app, client, await withPassword(app, admin, old));
  const boss = await company.user({ type: "admin" });
  assert.equal((await boss.call("DELETE", `/v1/companies/${id}`)).status, 204);
  await assertRefused(last);
  assert.deepEqual(reported, reported.map(() => reported[0]));
});

Deno.test("a token works for 24 hours, and is removed then", async () => {
  await using app = await startApp();
  const { client, email } = await forgetful(app);
  const first = await tokenFor(app, client, email);
  app.clock.move(day - 1);
  await removeExpired(app.deps, app.clock.now(), contributions.lifetimes);
  assert.equal((await choose(app, client, first)).status, 200);
  const second = await tokenFor(app, client, email);
  app.clock.move(day);
  assert.equal((await choose(app, client, second)).status, 404);
  assert.equal((await app.sql("select hash from password_resets")).length, 1);
  await removeExpired(app.deps, app.clock.now(), contributions.lifetimes);
  assert.deepEqual(await app.sql("select hash from password_resets"), []);
});

Deno.test("of many concurrent uses of a token one sets the password", async () => {
  await using app = await startApp();
  const { client, email } = await forgetful(app);
  const token = await tokenFor(app, client, email);
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => choose(app, client, token, `${fresh} ${n}`)),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404, 404, 404, 404, 404]);
});

Deno.test("only trusted clients request mails; clients of the user's company, and trusted ones, use tokens", async () => {
  await using app = await startApp();
  const { client, company, email } = await forgetful(app);
  const other = await app.company("Other");
  assert.equal((await app.call(null, "POST", "/v1/reset-password", { email })).status, 401);
  assert.equal((await company.admin.call("POST", "/v1/reset-password", { email })).status, 403);
  const token = await tokenFor(app, client, email);
  assert.equal((await choose(app, null, token)).status, 401);
  assert.equal((await choose(app, other.admin.token, token)).status, 404);
  assert.equal((await choose(app, company.admin.token, token)).status, 200);
  const again = await tokenFor(app, client, email);
  assert.equal((await choose(app, await other.token(other.admin.id, true), again)).status, 200);
});

Deno.test("an invalid address and a short password are refused, and the token still works", async () => {
  await using app = await startApp();
  const { client, email } = await forgetful(app);
  for (
    const [address, code] of [["x@", "format"], [undefined, "required"], ["a".repeat(100) + "@b.de", "max"]]
  ) {
    const reply = await app.call(client, "POST", "/v1/reset-password", { email: address });
    assert.deepEqual([reply.status, reply.body.errors[0].path, reply.body.errors[0].code], [
      422,
      "email",
      code,
    ]);
  }
  const token = await tokenFor(app, client, email);
  for (const [password, code] of [["nine char", "min"], [undefined, "required"], ["x".repeat(1025), "max"]]) {
    const reply = await app.call(client, "POST", `/v1/reset-password/verify/${token}`, { password });
    assert.deepEqual([reply.status, reply.body.errors[0].path, reply.body.errors[0].code], [
      422,
      "password",
      code,
    ]);
  }
  assert.equal((await choose(app, client, token, "ten chars!")).status, 200);
});

Deno.test("changing the password with the old one ends the mailed links", async () => {
  await using app = await startApp();
  const { client, company, email, user, bearer } = await forgetful(app);
  const token = await tokenFor(app, client, email);
  const path = `/v1/companies/${company.id}/users/${user.id}/password`;
  const reply = await app.call(bearer, "PUT", path, { old_password: old, new_password: fresh });
  assert.equal(reply.status, 200, reply.text);
  assert.equal((await choose(app, client, token)).status, 404);
});

/** Creates a session and an authorization code of the user. */
async function openings({ deps, clock }: TestApp, { id }: Actor): Promise<void> {
  const until = clock.now() + day;
  const at = "2026-01-01 00:00:00";
  const client = "(select client_id from applications limit 1)";
  await deps.db.write([
    {
      sql: "insert into sessions (hash, user_id, expires_at, created_at) values ('x', ?, ?, ?)",
      args: [id, until, at],
    },
    {
      sql:
        "insert into authorization_codes (hash, client_id, user_id, redirect_uri, family_id, expires_at, " +
        `kept_until, created_at) values ('x', ${client}, ?, 'https://x.example.org', 'f', ?, ?, ?)`,
      args: [id, until, until, at],
    },
  ]);
}

const okta = {
  provider_name: "Okta",
  issuer: "https://acme.example.org",
  client_id: "crm",
  client_secret: "a-very-long-secret-h7sQ",
};

/** Makes the user sign on through a provider of the company, without a password. */
async function throughProvider(
  app: TestApp,
  { user, company }: { user: Actor; company: TestCompany },
): Promise<void> {
  await setDrivers(company, [okta]);
  await app.deps.db.write([{
    sql: "update users set password_hash = null, sso_provider = 'Okta', sso_user_id = ? where id = ?",
    args: [String(user.id), user.id],
  }]);
}

Deno.test("a user without a password who signs on through a provider is answered like an unknown one, without a mail", async () => {
  await using app = await startApp();
  const world = await forgetful(app);
  await throughProvider(app, world);
  const nobody = await ask(app, world.client, "nobody@example.org");
  const reply = await ask(app, world.client, world.email);
  assert.deepEqual([reply.status, reply.text], [nobody.status, nobody.text]);
  assert.deepEqual([...reply.headers.keys()], [...nobody.headers.keys()]);
  await app.idle();
  assert.deepEqual([app.mailer.sent, await app.sql("select hash from password_resets")], [[], []]);
});

Deno.test("an older link sets no password for a user who signs on through a provider, and is 404", async () => {
  await using app = await startApp();
  const world = await forgetful(app);
  const token = await tokenFor(app, world.client, world.email);
  await throughProvider(app, world);
  const wrong = await choose(app, world.client, (token[0] === "A" ? "B" : "A") + token.slice(1));
  const reply = await choose(app, world.client, token);
  assert.equal(reply.status, 404);
  assert.deepEqual({ ...reply.body, request_id: null }, { ...wrong.body, request_id: null });
  const page = (link: string) => fetch(`${app.url}/auth/reset-password?token=${link}`);
  const [older, none] = [await page(token), await page("A".repeat(43))];
  assert.equal(older.status, none.status);
  assert.equal((await older.text()).includes(world.email), false);
  await none.body?.cancel();
  assert.deepEqual(await app.sql("select password_hash from users where id = ?", world.user.id), [
    { password_hash: null },
  ]);
});

Deno.test("a user with a password beside a provider can reset it, and so can a user with neither", async () => {
  await using app = await startApp();
  const world = await forgetful(app);
  const set = async (sql: string) =>
    await app.deps.db.write([{ sql: `update users set ${sql} where id = ?`, args: [world.user.id] }]);
  await set("sso_provider = 'Okta', sso_user_id = '1'");
  assert.equal((await choose(app, world.client, await tokenFor(app, world.client, world.email))).status, 200);
  await set("password_hash = null, sso_provider = null, sso_user_id = null");
  assert.equal((await choose(app, world.client, await tokenFor(app, world.client, world.email))).status, 200);
});

Deno.test("a user whose provider the company has removed chooses a password by mail, until it is back", async () => {
  await using app = await startApp();
  const world = await forgetful(app);
  await throughProvider(app, world);
  await setDrivers(world.company, [{ ...okta, provider_name: "Entra" }]);
  const token = await tokenFor(app, world.client, world.email);
  await setDrivers(world.company, [okta]);
  assert.equal((await choose(app, world.client, token)).status, 404);
  await setDrivers(world.company, []);
  assert.equal((await choose(app, world.client, token)).status, 200);
  assert.equal((await signIn(app, world.email, fresh)).status, 200);
});
