import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newContact, newPath } from "../sales/parts.ts";

const named = [{ name: "name", value: "Acme" }];
const last = [{ name: "last_name", value: "Byron" }];

/** Calls that place a record with the team and its member, as the admin makes them. */
async function placing(company: TestCompany, team: number, user: Actor) {
  const { admin } = company;
  const path = await newPath(admin);
  const { account, contact } = await newContact(admin, {}, { team_id: team });
  const free = await newContact(admin);
  const at = { team_id: team, user_id: user.id };
  const contacts = `/v1/accounts/${account.id}/contacts`;
  return {
    "a new account": ["POST", "/v1/accounts", { ...at, fixed_fields: named }],
    "a new contact": ["POST", contacts, { user_id: user.id, fixed_fields: last }],
    "a new case": ["POST", "/v1/cases", { ...at, contact_id: contact.id, relations_path_id: path.id }],
    "an account's user": ["PUT", `/v1/accounts/${account.id}`, { user_id: user.id }],
    "an account's team and user": ["PUT", `/v1/accounts/${free.account.id}`, at],
    "a contact's user": ["PUT", `${contacts}/${contact.id}`, { user_id: user.id }],
  } as const;
}

const overtaking = {
  "has left the team": async (company: TestCompany, user: Actor) => {
    const path = `/v1/companies/${company.id}/users/${user.id}`;
    assert.equal((await company.admin.call("PUT", path, { team_ids: [] })).status, 200);
  },
  "has been deleted": async (company: TestCompany, user: Actor) => {
    const path = `/v1/companies/${company.id}/users/${user.id}`;
    assert.equal((await company.admin.call("DELETE", path)).status, 204);
  },
};

for (const [what, overtake] of Object.entries(overtaking)) {
  Deno.test(`a record is not placed with a user who ${what} since that was read, in another process`, async (t) => {
    await using app = await startApp();
    const company = await app.company();
    const team = await company.team();
    const calls = Object.keys(await placing(company, team, await company.user({ teams: [team] })));
    for (const name of calls) {
      await t.step(name, async () => {
        const user = await company.user({ teams: [team] });
        const of = await placing(company, team, user);
        const [method, path, body] = of[name as keyof typeof of];
        const reply = await callMeanwhile(
          app,
          company.admin,
          method,
          path,
          () => overtake(company, user),
          body,
        );
        const { errors } = await reply.json();
        assert.deepEqual([reply.status, errors?.[0]?.path, errors?.[0]?.code], [422, "user_id", "exists"]);
        assert.equal(await countHeld(app, user), 0);
      });
    }
  });
}

Deno.test("a new record belongs to the given team, else the active one, else none; to the given user, else the caller", async () => {
  await using app = await startApp();
  const company = await app.company();
  const foreign = await (await app.company("Other")).team();
  const group = await company.group();
  const [team, near] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const [second, far] = [await company.team(), await company.team()];
  const teams = [team, second];
  const actors = {
    user: await company.user({ teams }),
    team_admin: await company.user({ type: "team_admin", teams }),
    group_admin: await company.user({ type: "group_admin", teams }),
    admin: company.admin,
  };
  const allowed: Record<string, number[]> = {
    user: teams,
    team_admin: teams,
    group_admin: [...teams, near],
    admin: [...teams, near, far],
  };
  const post = (by: Actor, body: object) => by.call("POST", "/v1/accounts", { fixed_fields: named, ...body });
  for (const [type, actor] of Object.entries(actors)) {
    const { body } = await post(actor, {});
    assert.deepEqual([body.team_id, body.user.id], [type === "admin" ? null : team, actor.id], type);
    assert.equal((await post(actor, { team_id: null })).body.team_id, null);
    for (const team_id of [...teams, near, far, foreign]) {
      const reply = await post(actor, { team_id });
      const may = allowed[type]!.includes(team_id);
      assert.equal(reply.status, may ? 201 : 422, `${type} ${team_id}`);
      if (may) assert.deepEqual([reply.body.team_id, reply.body.user.id], [team_id, actor.id]);
      else assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["team_id", "exists"]);
    }
  }
  const { user } = actors;
  const colleague = await company.user({ teams: [second] });
  const status = async (body: object) => (await post(user, { user_id: colleague.id, ...body })).status;
  assert.deepEqual([await status({ team_id: second }), await status({ team_id: null })], [201, 201]);
  assert.deepEqual([await status({}), await status({ team_id: team })], [422, 422], "not in the team");
  assert.equal((await post(user, { user_id: null, team_id: team })).body.user.id, user.id);
});

Deno.test("a shared account is not assigned to a user who was deleted after the read", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { account, contact } = await newContact(company.admin);
  const path = `/v1/accounts/${account.id}`;
  for (const at of [path, `${path}/contacts/${contact.id}`]) {
    const user = await company.user();
    const overtake = () => overtaking["has been deleted"](company, user);
    const reply = await callMeanwhile(app, company.admin, "PUT", at, overtake, { user_id: user.id });
    assert.deepEqual([reply.status, (await reply.json()).errors?.[0]?.path], [422, "user_id"], at);
  }
});

Deno.test("creating or moving an account is refused while its team is deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { account } = await newContact(admin);
  const calls = [["POST", "/v1/accounts"], ["PUT", `/v1/accounts/${account.id}`]] as const;
  for (const [method, path] of calls) {
    const team = await company.team();
    const reply = await callMeanwhile(app, admin, method, path, async () => {
      assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
    }, { team_id: team, fixed_fields: named });
    assert.deepEqual([reply.status, (await reply.json()).errors[0].path], [422, "team_id"], method);
  }
});

Deno.test("a user who leaves the active team during a call creates the record in the next team", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [team, next] = [await company.team(), await company.team()];
  const overtake = (user: Actor) => async () => {
    const path = `/v1/companies/${company.id}/users/${user.id}`;
    assert.equal((await company.admin.call("PUT", path, { team_ids: [next] })).status, 200);
  };
  for (const moment of ["before the read", "after the read"] as const) {
    const post = async (body: object) => {
      const user = await company.user({ teams: [team, next] });
      const sent = { fixed_fields: named, ...body };
      return await callMeanwhile(app, user, "POST", "/v1/accounts", overtake(user), sent, moment);
    };
    const made = await post({});
    assert.deepEqual([made.status, (await made.json()).team_id], [201, next], moment);
    const refused = await post({ team_id: team });
    assert.deepEqual([refused.status, (await refused.json()).errors[0].path], [422, "team_id"], moment);
  }
  const path = await newPath(company.admin);
  const { contact } = await newContact(company.admin);
  for (const moment of ["before the read", "after the read"] as const) {
    const user = await company.user({ teams: [team, next] });
    const body = { contact_id: contact.id, relations_path_id: path.id };
    const opened = await (await callMeanwhile(app, user, "POST", "/v1/cases", overtake(user), body, moment))
      .json();
    assert.deepEqual([opened.team_id, opened.team?.id], [next, next], moment);
    const gone = await company.user({ teams: [team] });
    const late = await callMeanwhile(
      app,
      gone,
      "POST",
      "/v1/accounts",
      async () => {
        await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${gone.id}`);
      },
      { fixed_fields: named },
      moment,
    );
    assert.equal(late.status, 401, moment);
  }
});

Deno.test("a contact's user belongs to the team of its account; a changed one at least to its group", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [team, near] = [await company.team({ group_id: group }), await company.team({ group_id: group })];
  const users = {
    own: await company.user({ teams: [team] }),
    near: await company.user({ teams: [near] }),
    far: await company.user({ teams: [await company.team()] }),
    teamless: await company.user(),
  };
  const { account, contact } = await newContact(admin, {}, { team_id: team });
  const free = await newContact(admin);
  const path = `/v1/accounts/${account.id}/contacts`;
  const allowed = { post: ["own"], put: ["own", "near"] };
  for (const [who, { id: user_id }] of Object.entries(users)) {
    const replies = {
      post: await admin.call("POST", path, { user_id, fixed_fields: last }),
      put: await admin.call("PUT", `${path}/${contact.id}`, { user_id }),
    };
    for (const [verb, reply] of Object.entries(replies)) {
      const may = allowed[verb as keyof typeof allowed].includes(who);
      assert.equal(reply.status, may ? verb === "post" ? 201 : 200 : 422, `${verb} ${who}: ${reply.text}`);
      if (may) assert.equal(reply.body.user.id, user_id);
      else assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], ["user_id", "exists"]);
    }
    const shared = await admin.call("PUT", `/v1/accounts/${free.account.id}/contacts/${free.contact.id}`, {
      user_id,
    });
    assert.equal(shared.status, 200, "an account of no team is everybody's");
  }
  const kept = await admin.call("PUT", `${path}/${contact.id}`, {
    user_id: users.near.id,
    fixed_fields: last,
  });
  assert.equal(kept.status, 200);
  assert.equal((await admin.call("PUT", `${path}/${contact.id}`, { user_id: null })).body.user, null);
  const { body: move } = await admin.call(
    "PUT",
    `/v1/accounts/${free.account.id}/contacts/${free.contact.id}`,
    {
      account_id: account.id,
      user_id: users.far.id,
    },
  );
  assert.equal(move.errors[0].path, "user_id", "of the account that it moves to");
});

Deno.test("a contact whose only name is a wrong e-mail gets one fault", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account } = await newContact(admin);
  const email = { fixed_fields: [{ name: "email", value: "no address" }] };
  const nothing = { fixed_fields: [{ name: "title", value: "Countess" }] };
  const readErrors = async (body: object) => {
    const reply = await admin.call("POST", `/v1/accounts/${account.id}/contacts`, body);
    return reply.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
  };
  assert.deepEqual(await readErrors(email), [["fixed_fields[0].value", "format"]]);
  assert.deepEqual(await readErrors(nothing), [["fixed_fields", "required"]]);
});

/** Returns the number of records that have the user. */
async function countHeld(app: TestApp, { id }: Actor): Promise<number> {
  const [row] = await app.sql(
    "select (select count(*) from accounts where user_id = ?1) + (select count(*) from contacts where " +
      "user_id = ?1) + (select count(*) from cases where user_id = ?1) as n",
    id,
  );
  return Number(row!.n);
}
