/**
 * Changes of a user's e-mail address: who may make them, that they apply at once, and that the old address
 * gets a mail.
 */
import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { authorizePath, codeFor, openConsentShop, password, redeem, signIn } from "../support/consent.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { callMeanwhile } from "../support/race.ts";

const path = (actor: Actor) => `/v1/companies/${actor.companyId}/users/${actor.id}`;
let made = 0;
const fresh = () => `moved-${++made}@example.org`;
const move = (by: Actor, user: Actor, email = fresh()) => by.call("PUT", path(user), { email });

async function readAddress(app: TestApp, user: Actor): Promise<string> {
  return String((await app.sql("select email from users where id = ?", user.id))[0]!.email);
}

/** Callers of each type in a grouped and an ungrouped team, with default rights only. */
async function around(company: TestCompany) {
  const group = await company.group();
  const [grouped, beside] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
  ];
  const [alone, foreign] = [await company.team(), await company.team()];
  const teams = [grouped, alone];
  const callers = {
    admin: await company.user({ type: "admin" }),
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    "team_admin with a right": await company.user({ type: "team_admin", teams, rights: ["agency"] }),
  };
  return { callers, grouped, beside, alone, foreign };
}

Deno.test("another user's address is changed by admins, and by callers with all of the user's teams and rights", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, grouped, beside, alone, foreign } = await around(company);
  const targets = {
    "in a shared team": await company.user({ teams: [grouped] }),
    "in both shared teams": await company.user({ teams: [grouped, alone] }),
    "in a foreign team, too": await company.user({ teams: [grouped, foreign] }),
    "in a team beside in the group, too": await company.user({ teams: [grouped, beside] }),
    "with a right of a role": await company.user({ teams: [grouped], rights: ["agency"] }),
    "with a right that its type does not have": await company.user({
      teams: [grouped],
      rights: ["automations.manage"],
    }),
    "a team_admin with a right": await company.user({
      type: "team_admin",
      teams: [grouped],
      rights: ["automations.manage"],
    }),
    "an admin": await company.user({ type: "admin", teams: [grouped] }),
  };
  const plain = ["in a shared team", "in both shared teams", "with a right that its type does not have"];
  const allowed: Record<keyof typeof callers, string[]> = {
    admin: Object.keys(targets),
    group_admin: plain,
    team_admin: plain,
    "team_admin with a right": [...plain, "with a right of a role"],
  };
  for (const [type, caller] of Object.entries(callers)) {
    for (const [what, target] of Object.entries(targets)) {
      const before = await readAddress(app, target);
      const reply = await move(caller, target);
      const may = allowed[type as keyof typeof callers].includes(what);
      assert.equal(reply.status, may ? 200 : 403, `${type}: ${what}: ${reply.text}`);
      if (may) continue;
      assert.equal(reply.body.code, "forbidden");
      assert.equal(await readAddress(app, target), before, `${type}: ${what}`);
    }
  }
  const covered = targets["in a foreign team, too"];
  const same = (await readAddress(app, covered)).toUpperCase();
  const repeated = await callers.team_admin.call("PUT", path(covered), { email: same, job_title: "x" });
  assert.equal(repeated.status, 200, repeated.text);
  await app.idle();
  const forbidden = await move(callers.team_admin, covered);
  assert.match(forbidden.body.detail, new RegExp(`team ${foreign}`));
  const right = await move(callers.team_admin, targets["with a right of a role"]);
  assert.match(right.body.detail, /right agency/);
});

Deno.test("the address stays when the user gets another team or right before the commit", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { callers, grouped, foreign } = await around(company);
  const target = await company.user({ teams: [grouped], rights: ["notifications.send"] });
  const readStatus = async (overtake: () => Promise<unknown>) => {
    const reply = await callMeanwhile(app, callers.team_admin, "PUT", path(target), overtake, {
      email: fresh(),
    });
    await reply.body?.cancel();
    return reply.status;
  };
  const put = (at: string, body: object) => async () => {
    const reply = await company.admin.call("PUT", at, body);
    assert.equal(reply.status, 200, reply.text);
  };
  const [role] = await app.sql("select role_id as id from user_roles where user_id = ?", target.id);
  assert.equal(
    await readStatus(put(`/v1/roles/${role!.id}`, { rights: ["notifications.send", "agency"] })),
    403,
  );
  await put(`/v1/roles/${role!.id}`, { rights: ["notifications.send"] })();
  assert.equal(await readStatus(put(path(target), { team_ids: [grouped, foreign] })), 403);
});

Deno.test("an address changed by an admin applies at once: the old address gets a mail, and all sign-ins by it end", async () => {
  await using app = await startApp();
  const { company, client, email, browser } = await openConsentShop(app);
  const user = company.admin;
  const other = await company.user({ type: "admin" });
  // Setting the password ended the first token.
  const bearer = await company.token(user.id);
  const device = await newClient(app, true);
  const sign = (username: string) => askToken(app, { grant_type: "password", ...device, username, password });
  const { body: tokens } = await sign(email);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  await signIn(browser, authorizePath(client.client_id), email);
  const { body: waiting } = await askToken(app, { grant_type: "device_code", ...device });
  assert.equal(
    (await app.call(bearer, "POST", "/v1/device-activation", { code: waiting.user_code })).status,
    204,
  );
  await app.call(await app.trustedClient(), "POST", "/v1/reset-password", { email });
  await app.idle();
  const link = /token=([\w-]{43})$/m.exec(app.mailer.sent.at(-1)!.text)![1]!;

  const address = fresh();
  assert.equal((await move(other, user, address)).status, 200);
  await app.idle();
  const mail = app.mailer.sent.at(-1)!;
  assert.deepEqual([mail.to, mail.subject, app.mailer.sent.length], [
    email,
    "Your e-mail address for Wayline CRM was changed",
    2,
  ]);
  assert.ok(mail.text.includes(address) && mail.html!.includes(address));

  assert.equal((await app.call(tokens.access_token, "GET", "/v1/me")).status, 401);
  assert.equal((await app.call(bearer, "GET", "/v1/me")).status, 401);
  const refreshed = await askToken(app, {
    grant_type: "refresh_token",
    ...device,
    refresh_token: tokens.refresh_token,
  });
  assert.equal(refreshed.status, 400);
  assert.equal((await redeem(app, client, code)).status, 400);
  app.clock.move(5_000);
  const polled = await askToken(app, {
    grant_type: "device_code",
    ...device,
    device_code: waiting.device_code,
  });
  assert.equal(polled.status, 400);
  assert.match((await browser.get(authorizePath(client.client_id))).text, /action="\/auth\/sign-in"/);
  const verify = `/v1/reset-password/verify/${link}`;
  const reset = await app.call(await app.trustedClient(), "POST", verify, { password: "new horse battery" });
  assert.equal(reset.status, 404);
  assert.deepEqual([(await sign(email)).status, (await sign(address)).status], [400, 200]);
});

Deno.test("a user who changes their own address stays signed in; reset links end, and the old address gets a mail", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const email = await readAddress(app, admin);
  await app.call(await app.trustedClient(), "POST", "/v1/reset-password", { email });
  assert.equal((await move(admin, admin)).status, 200);
  await app.idle();
  assert.equal(app.mailer.sent.at(-1)!.to, email);
  assert.match(app.mailer.sent.at(-1)!.text, /If you did not do this/);
  assert.equal((await admin.call("GET", "/v1/me")).status, 200);
  assert.deepEqual(await app.sql("select * from password_resets"), []);
});

Deno.test("former addresses of a user get at most five mails an hour", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (let n = 1; n <= 7; n++) {
    assert.equal((await move(admin, admin)).status, 200);
    await app.idle();
    assert.equal(app.mailer.sent.length, Math.min(n, 5));
  }
  app.clock.move(3_600_000);
  await move(admin, admin);
  await app.idle();
  assert.equal(app.mailer.sent.length, 6);
});
