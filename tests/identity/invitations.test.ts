import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { createApp } from "../../src/app.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { InvitationPage } from "../../src/identity/invitations/schema.ts";
import { send, startApp, type TestApp } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { overtakeReads, withTwoProcesses } from "../support/race.ts";
import { acceptAsGuest, invite, inviteCharles, makePerson, makeRole } from "./invited.ts";

const week = 7 * 24 * 3_600_000;

Deno.test("an invitation is answered with its token, mailed, and stored by its hash only", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company("Nordlicht");
  const made = await admin.call("POST", `/v1/companies/${id}/invitations`, { email: "Charles@example.org" });
  assert.equal(made.status, 201, made.text);
  const { invite_token } = made.body;
  assert.match(invite_token, /^[\w-]{43}$/);
  assert.deepEqual(made.body, {
    id: made.body.id,
    email: "Charles@example.org",
    invite_token,
    expires_at: "2026-03-09 09:00:00",
  });
  await app.idle();
  const [mail] = app.mailer.sent;
  assert.deepEqual([app.mailer.sent.length, mail!.to], [1, "Charles@example.org"]);
  assert.match(mail!.subject, /Nordlicht/);
  const link = `${app.url}/auth/invitation?token=${invite_token}`;
  assert.ok(mail!.text.split("\n").includes(link), mail!.text);
  assert.ok(mail!.html!.includes(`href="${link}"`), mail!.html);
  const kept = await app.sql("select * from invitations");
  assert.ok(!JSON.stringify(kept).includes(invite_token));
});

Deno.test("an invited address with an international domain is the same in each way of writing", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const path = `/v1/companies/${id}/invitations`;
  const made = await admin.call("POST", path, { email: "Ada@Köln.example" });
  assert.equal(made.status, 201, made.text);
  for (const email of ["ada@KÖLN.example", "ada@xn--kln-sna.example", "Ada@Köln.example"]) {
    const { status, body } = await admin.call("POST", path, { email });
    assert.deepEqual([status, body.errors[0].code], [422, "unique"], email);
  }
  const user = await admin.call(
    "POST",
    `/v1/companies/${id}/users`,
    makePerson({ email: "ada@KÖLN.example" }),
  );
  assert.equal(user.status, 201, user.text);
  const { status, body } = await admin.call("POST", `${path}/${made.body.id}/resend`);
  assert.deepEqual([status, body.errors?.[0].code], [422, "unique"]);
});

Deno.test("links in mails lead to the public address if it is set", async () => {
  await using app = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  const { company, token } = await inviteCharles(app);
  await app.idle();
  assert.ok(app.mailer.sent[0]!.text.includes(`\nhttps://crm.example.org/auth/invitation?token=${token}\n`));
  assert.ok(company);
});

Deno.test("names in mails are text: markup is escaped, and a line break begins no line", async () => {
  await using app = await startApp();
  const company = await app.company('<img src=x onerror="y">\r\nBcc: all@example.org & Söhne');
  await invite(company, { email: "charles@example.org" });
  await app.idle();
  const { subject, text, html } = app.mailer.sent[0]!;
  assert.doesNotMatch(html!, /<img|onerror="|& S/);
  assert.match(html!, /&#60;img src=x onerror=&#34;y&#34;&#62; Bcc: all@example.org &#38; Söhne/);
  assert.ok(!/[\r\n]/.test(subject));
  assert.doesNotMatch(text, /^Bcc/m);
});

Deno.test("an invited person creates their user with the teams and roles of the invitation", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const [north, south] = [await company.team(), await company.team({ name: "South" })];
  const agency = await makeRole(app, id, "agency");
  const { token } = await invite(company, {
    email: "charles@example.org",
    team_ids: [south, north],
    role_ids: [agency],
  });
  const other = { role_ids: [], team_ids: [], user_type: { id: 1 } };
  const made = await acceptAsGuest(app, id, token, makePerson({ job_title: "Engineer", ...other }));
  assert.equal(made.status, 201, made.text);
  const user = made.body;
  assert.equal((await admin.call("GET", `/v1/companies/${id}/users/${user.id}`)).text, made.text);
  assert.deepEqual([user.email, user.job_title], ["charles@example.org", "Engineer"]);
  assert.deepEqual(user.teams.map((team: { id: number }) => team.id), [north, south]);
  assert.deepEqual([user.team.id, user.roles[0].id, user.user_type.id], [south, agency, 3]);
  const [event] = await app.sql(
    "select entity_id, executor_id, created_by, body from outbox where event_name = 'user_created'",
  );
  assert.deepEqual([event!.entity_id, event!.executor_id, event!.created_by], [
    String(user.id),
    null,
    admin.id,
  ]);
  assert.deepEqual(JSON.parse(event!.body as string), user);
  const client = await newClient(app, true);
  const signIn = { grant_type: "password", ...client, username: user.email, password: "ten chars!" };
  const { body: tokens } = await askToken(app, signIn);
  assert.equal((await app.call(tokens.access_token, "GET", "/v1/me")).body.id, user.id);
});

Deno.test("only trusted clients accept invitations", async () => {
  await using app = await startApp();
  const { company, token } = await inviteCharles(app);
  const path = `/v1/companies/${company.id}/users/${token}`;
  assert.equal((await app.call(null, "POST", path, makePerson())).status, 401);
  const refused = await company.admin.call("POST", path, makePerson());
  assert.deepEqual([refused.status, refused.body.code], [403, "forbidden"]);
  assert.equal((await acceptAsGuest(app, company.id, token)).status, 201);
});

Deno.test("a used, altered, withdrawn, resent or foreign token, and one of a deleted company, are the same 404", async () => {
  await using app = await startApp();
  const other = await app.company("Other");
  const readRefusal = async (companyId: number, token: string) => {
    const reply = await acceptAsGuest(app, companyId, token);
    assert.equal(reply.status, 404, reply.text);
    return { ...reply.body, request_id: null };
  };
  const { company, token } = await inviteCharles(app);
  const { admin, id } = company;
  const path = `/v1/companies/${id}/invitations`;
  const flipped = (token[0] === "A" ? "B" : "A") + token.slice(1);
  const reported = [await readRefusal(id, flipped), await readRefusal(other.id, token)];
  assert.equal((await acceptAsGuest(app, id, token)).status, 201);
  reported.push(await readRefusal(id, token));

  const withdrawn = await invite(company, { email: "b@example.org" });
  assert.equal((await admin.call("DELETE", `${path}/${withdrawn.id}`)).status, 204);
  reported.push(await readRefusal(id, withdrawn.token));
  const again = await invite(company, { email: "c@example.org" });
  assert.equal((await admin.call("POST", `${path}/${again.id}/resend`)).status, 202);
  reported.push(await readRefusal(id, again.token));

  const last = await invite(other, { email: "d@example.org" });
  assert.equal((await other.admin.call("DELETE", `/v1/companies/${other.id}`)).status, 204);
  reported.push(await readRefusal(other.id, last.token));
  assert.deepEqual(reported, reported.map(() => reported[0]));
});

Deno.test("an invitation works for seven days, and is removed then", async () => {
  await using app = await startApp();
  const { company, token } = await inviteCharles(app);
  const { token: other } = await invite(company, { email: "b@example.org" });
  app.clock.move(week - 1);
  await removeExpired(app.deps, app.clock.now(), contributions.lifetimes);
  assert.equal((await acceptAsGuest(app, company.id, token)).status, 201);
  app.clock.move(1);
  assert.equal(
    (await acceptAsGuest(app, company.id, other, makePerson({ email: "b@example.org" }))).status,
    404,
  );
  assert.equal((await app.sql("select id from invitations")).length, 1);
  await removeExpired(app.deps, app.clock.now(), contributions.lifetimes);
  assert.deepEqual(await app.sql("select id from invitations"), []);
});

Deno.test("only the invited address can accept, in any case, and refused calls use nothing up", async () => {
  await using app = await startApp();
  const { company, token } = await inviteCharles(app);
  const cases: [object, string, string][] = [
    [{ email: "ada@example.org" }, "email", "excluded"],
    [{ password: "nine char" }, "password", "min"],
    [{ password: undefined }, "password", "required"],
    [{ first_name: "" }, "first_name", "min"],
    [{ last_name: undefined }, "last_name", "required"],
    [
      { password: undefined, sso: { provider_user_id: 7, provider_name: "corp" } },
      "sso.provider_name",
      "exists",
    ],
  ];
  for (const [more, field, code] of cases) {
    const reply = await acceptAsGuest(app, company.id, token, makePerson(more));
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], [field, code]);
  }
  const made = await acceptAsGuest(app, company.id, token, makePerson({ email: "CHARLES@example.org" }));
  assert.deepEqual([made.status, made.body.email], [201, "CHARLES@example.org"]);
});

Deno.test("an address that a user has is not invited or mailed again, and cannot accept", async () => {
  await using app = await startApp();
  const { company, token, id } = await inviteCharles(app);
  const { admin } = company;
  const other = await app.company("Other");
  const made = await other.admin.call("POST", `/v1/companies/${other.id}/users`, makePerson());
  assert.equal(made.status, 201);
  const path = `/v1/companies/${company.id}/invitations`;
  for (
    const reply of [
      await admin.call("POST", path, { email: "CHARLES@example.org" }),
      await admin.call("POST", `${path}/${id}/resend`),
      await acceptAsGuest(app, company.id, token),
    ]
  ) {
    assert.equal(reply.status, 422, reply.text);
    assert.ok(
      reply.body.errors.some((error: { path: string; code: string }) =>
        error.path === "email" && error.code === "unique"
      ),
    );
  }
  await app.idle();
  assert.equal(app.mailer.sent.length, 1);
});

Deno.test("a company has one open invitation of an address, also with many concurrent calls", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const path = `/v1/companies/${id}/invitations`;
  const replies = await Promise.all(
    ["a@example.org", "A@example.org", "a@Example.org"].map((email) => admin.call("POST", path, { email })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422]);
  const refused = replies.find(({ status }) => status === 422)!;
  assert.deepEqual([refused.body.errors[0].path, refused.body.errors[0].code], ["email", "unique"]);
  await invite(await app.company("Other"), { email: "a@example.org" });
  const made = replies.find(({ status }) => status === 201)!;
  await admin.call("DELETE", `${path}/${made.body.id}`);
  await invite(company, { email: "a@example.org" });
  app.clock.move(week);
  await invite(company, { email: "a@example.org" });
  await app.idle();
  assert.equal(app.mailer.sent.length, 4);
});

Deno.test("an invitation outlives its maker's rights; deleted teams and roles are left out", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const group = await company.group();
  const [north, south] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const [kept, gone] = [await makeRole(app, id, "leads.create"), await makeRole(app, id, "cases.create")];
  const chief = await company.user({ type: "group_admin", teams: [north] });
  const path = `/v1/companies/${id}/invitations`;
  const given = { team_ids: [north, south], role_ids: [gone, kept] };
  const tokens = [];
  for (const email of ["charles@example.org", "b@example.org"]) {
    tokens.push((await chief.call("POST", path, { email, ...given })).body.invite_token);
  }
  const demoted = { user_type: { id: 3 }, team_ids: [], role_ids: [] };
  assert.equal((await admin.call("PUT", `/v1/companies/${id}/users/${chief.id}`, demoted)).status, 200);
  assert.equal((await chief.call("GET", path)).status, 403);
  const first = await acceptAsGuest(app, id, tokens[0]);
  assert.deepEqual([first.status, first.body.teams.length, first.body.roles.length], [201, 2, 2]);

  assert.equal((await admin.call("DELETE", `/v1/companies/${id}/users/${chief.id}`)).status, 204);
  assert.ok((await admin.call("DELETE", `/v1/roles/${gone}`)).status < 300);
  await app.deps.db.write([
    { sql: "delete from team_members where team_id = ?", args: [north] },
    { sql: "update users set active_team_id = null", args: [] },
    { sql: "delete from teams where id = ?", args: [north] },
  ]);
  const second = await acceptAsGuest(app, id, tokens[1], makePerson({ email: "b@example.org" }));
  assert.equal(second.status, 201, second.text);
  assert.deepEqual(second.body.teams.map((team: { id: number }) => team.id), [south]);
  assert.deepEqual([second.body.team.id, second.body.roles.length], [south, 1]);
});

Deno.test("of twenty concurrent acceptances, by two processes on one file, one creates a user", async () => {
  await using app = await startApp();
  const company = await app.company();
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    for (const email of ["a@example.org", "b@example.org"]) {
      const { token } = await invite(company, { email });
      const client = await app.trustedClient();
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => {
        const path = `${urls[n % 2]}/v1/companies/${company.id}/users/${token}`;
        return send(path, "POST", client, makePerson({ email, first_name: `Charles ${n}` }));
      }));
      const reported = replies.map(({ status }) => status).sort();
      // Beyond ten, wrong tokens are refused without being checked.
      assert.deepEqual(reported, [201, ...Array(10).fill(404), ...Array(9).fill(429)]);
      assert.equal((await app.sql("select id from users where email = ?", email)).length, 1);
    }
    assert.equal((await app.sql("select id from outbox where event_name = 'user_created'")).length, 2);
  });
});

Deno.test("an invitation withdrawn during its acceptance creates no user", async () => {
  await using app = await startApp();
  const { company, token, id } = await inviteCharles(app);
  const client = await app.trustedClient();
  const path = `/v1/companies/${company.id}/invitations/${id}`;
  await app.call(client, "POST", `/v1/companies/${company.id}/users/none`, makePerson());
  const withdrawn = () => company.admin.call("DELETE", path).then(({ status }) => assert.equal(status, 204));
  const served = createApp({ ...app.deps, db: overtakeReads(app.deps.db, withdrawn) });
  const response = await served.fetch(
    new Request(`${app.url}/v1/companies/${company.id}/users/${token}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client}`, "Content-Type": "application/json" },
      body: JSON.stringify(makePerson()),
    }),
  );
  assert.equal(response.status, 404, await response.text());
  assert.deepEqual(await app.sql("select id from users where first_name = 'Charles'"), []);
});

Deno.test("callers invite to the teams and roles that they can give to new users", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { id } = company;
  const group = await company.group();
  const own = await company.team({ name: "own" });
  const grouped = await company.team({ name: "grouped", group_id: group });
  const beside = await company.team({ name: "beside", group_id: group });
  const foreign = await company.team({ name: "foreign" });
  const common = await makeRole(app, id, "customers.create");
  const agency = await makeRole(app, id, "agency");
  const teams = [own, grouped];
  const actors = {
    admin: company.admin,
    group_admin: await company.user({ type: "group_admin", teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    user: await company.user({ type: "user", teams }),
  };
  const bodies: Record<string, object> = {
    "no team": {},
    "own team": { team_ids: [own] },
    "own team in a group": { team_ids: [grouped] },
    "team beside it": { team_ids: [beside] },
    "foreign team": { team_ids: [foreign] },
    "one good, one foreign": { team_ids: [grouped, foreign] },
    "role of held rights": { team_ids: [grouped], role_ids: [common] },
    "role of a lacking right": { team_ids: [grouped], role_ids: [agency] },
  };
  const allowed: Record<keyof typeof actors, string[]> = {
    admin: Object.keys(bodies),
    group_admin: ["own team in a group", "team beside it", "role of held rights"],
    team_admin: ["own team", "own team in a group"],
    user: [],
  };
  let count = 0;
  for (const [type, actor] of Object.entries(actors)) {
    for (const [what, body] of Object.entries(bodies)) {
      const email = `guest${++count}@example.org`;
      const reply = await actor.call("POST", `/v1/companies/${id}/invitations`, { email, ...body });
      const expected = allowed[type as keyof typeof actors].includes(what) ? 201 : 403;
      assert.equal(reply.status, expected, `${type}: ${what}: ${reply.text}`);
    }
  }
});

Deno.test("admins list and withdraw all open invitations of the company, group and team admins their own", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const { admin, id } = company;
  const team = await company.team();
  const [chief, second, seller] = [
    await company.user({ type: "team_admin", teams: [team] }),
    await company.user({ type: "team_admin", teams: [team] }),
    await company.user({ teams: [team] }),
  ];
  const path = `/v1/companies/${id}/invitations`;
  const ids: number[] = [];
  for (const [actor, name] of [[admin, "a"], [chief, "b"], [second, "c"]] as const) {
    app.clock.move(1000);
    const body = { email: `${name}@example.org`, team_ids: [team] };
    ids.push((await actor.call("POST", path, body)).body.id);
  }
  const readShown = async (actor: typeof admin, query = "") => {
    const { body } = await actor.call("GET", path + query);
    assert.deepEqual(InvitationPage.parse(body), body);
    assert.equal(body.pagination.total, actor === admin ? ids.length : 1);
    return body.data.map((one: { id: number }) => one.id);
  };
  const [a, b, c] = ids;
  assert.deepEqual(await readShown(admin), [c, b, a]);
  assert.deepEqual(await readShown(admin, "?sort=created_at&per_page=2"), [a, b]);
  assert.deepEqual(await readShown(chief), [b]);
  assert.equal((await seller.call("GET", path)).status, 403);
  assert.equal((await seller.call("DELETE", `${path}/${b}`)).status, 403);
  for (const place of [`${path}/${c}`, `/v1/companies/${other.id}/invitations/${b}`]) {
    assert.equal((await chief.call("DELETE", place)).status, 404);
    assert.equal((await chief.call("POST", `${place}/resend`)).status, 404);
  }
  const stale = { "If-Match": '"x"' };
  assert.equal((await chief.call("DELETE", `${path}/${b}`, undefined, stale)).status, 412);
  assert.equal((await chief.call("DELETE", `${path}/${b}`)).status, 204);
  assert.equal((await chief.call("DELETE", `${path}/${b}`)).status, 404);
  ids.splice(1, 1);
  assert.deepEqual(await readShown(admin), [c, a]);
  assert.equal((await admin.call("DELETE", `${path}/${c}`)).status, 204);
  ids.pop();
  app.clock.move(week - 2001);
  assert.deepEqual(await readShown(admin), [a]);
  ids.pop();
  app.clock.move(1);
  assert.deepEqual(await readShown(admin), []);
});

Deno.test("resending gives a new link for another seven days, as long as the maker can still give teams and roles", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const team = await company.team();
  const chief = await company.user({ type: "team_admin", teams: [team] });
  const path = `/v1/companies/${id}/invitations`;
  const made = await chief.call("POST", path, { email: "charles@example.org", team_ids: [team] });
  app.clock.move(week - 1);
  assert.equal((await chief.call("POST", `${path}/${made.body.id}/resend`)).status, 202);
  await app.idle();
  const token = tokenIn(app, 1);
  assert.notEqual(token, made.body.invite_token);
  const moved = await admin.call("PUT", `/v1/companies/${id}/users/${chief.id}`, {
    team_ids: [await company.team()],
  });
  assert.equal(moved.status, 200);
  assert.equal((await chief.call("POST", `${path}/${made.body.id}/resend`)).status, 403);
  assert.equal((await admin.call("GET", path)).body.data[0].expires_at, "2026-03-16 08:59:59");
  app.clock.move(week - 1);
  assert.equal((await acceptAsGuest(app, id, token)).status, 201);
});

function tokenIn(app: TestApp, index: number): string {
  return /token=([\w-]+)/.exec(app.mailer.sent[index]!.text)![1]!;
}
