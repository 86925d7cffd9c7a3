/** Why a user sees a record, or does not. `tests/sweep/matrix.test.ts` compares the answers with GET. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { hour } from "../sales/leads_states.ts";
import { makeSales } from "../sales/leads_world.ts";

const makeName = (name: string) => [{ name: "name", value: name }];

async function create(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const explain = (admin: Actor, user_id: number | string, entity: string, id: string | number) =>
  admin.call("GET", `/v1/access/explain?user_id=${user_id}&entity=${entity}&id=${id}`);

/** Returns the rule, after the answer of the user's own GET. */
async function readRule(admin: Actor, user: Actor, entity: string, id: string | number): Promise<string> {
  const { status, body } = await explain(admin, user.id, entity, id);
  assert.equal(status, 200, JSON.stringify(body));
  const { rule, why, ...rest } = body;
  const shown = (await user.call("GET", `/v1/${entity}/${id}`)).status === 200;
  assert.deepEqual(rest, { user_id: user.id, entity, id: String(id), visible: shown }, rule);
  assert.match(why, shown ? /^The user sees it .+\.$/ : /^The user does not see it: .+\.$/);
  return rule;
}

Deno.test("records of teams: admin, own team, group, shared, other team", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [own, near, far] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const user = await company.user({ teams: [own] });
  const in_ = async (team_id: number | null) =>
    (await create(admin, "/v1/accounts", { fixed_fields: makeName("Ada"), team_id })).id;
  assert.equal(await readRule(admin, user, "accounts", await in_(own)), "own_team");
  assert.equal(await readRule(admin, user, "accounts", await in_(near)), "group");
  assert.equal(await readRule(admin, user, "accounts", await in_(null)), "shared");
  assert.equal(await readRule(admin, user, "accounts", await in_(far)), "other_team");
  assert.equal(await readRule(admin, admin, "accounts", await in_(far)), "admin");
});

Deno.test("leads: agency, no team, expired", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agent, member, company } = place;
  const lead = await place.lead({ expires_at: "2026-03-02 12:00:00" });
  assert.equal(await readRule(admin, member, "leads", lead.id), "own_team");
  assert.equal(await readRule(admin, agent, "leads", lead.id), "agency");
  const open = await place.lead({ team_id: undefined });
  const stranger = await company.user({ teams: [await company.team()] });
  assert.equal(await readRule(admin, stranger, "leads", open.id), "no_team");
  assert.equal(await readRule(admin, stranger, "leads", lead.id), "other_team");
  app.clock.move(4 * hour);
  assert.equal(await readRule(admin, member, "leads", lead.id), "expired");
});

Deno.test("files: owner, permission, attached, public, not shared", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const [owner, other] = [
    await company.user({ teams: [team], rights: ["files.publish"] }),
    await company.user({ teams: [team] }),
  ];
  const file = async (more: object = {}) =>
    (await create(owner, "/v1/files", { name: "a.txt", data: btoa("x"), ...more })).id;
  const plain = await file();
  assert.equal(await readRule(admin, owner, "files", plain), "owner");
  assert.equal(await readRule(admin, other, "files", plain), "not_shared");
  assert.equal(await readRule(admin, admin, "files", plain), "admin");
  const shared = await file({ permissions: [{ type: "team", value: team }] });
  assert.equal(await readRule(admin, other, "files", shared), "permission");
  assert.equal(await readRule(admin, other, "files", await file({ public: true })), "public");
  const account = await create(admin, "/v1/accounts", { fixed_fields: makeName("Ada"), team_id: team });
  const attached = await file();
  const answer = await owner.call("POST", `/v1/accounts/${account.id}/files`, { file_ids: [attached] });
  assert.ok(answer.status < 300, answer.text);
  assert.equal(await readRule(admin, other, "files", attached), "attached");
});

Deno.test("faults name the parameter, a deleted user sees nothing, and only admins ask", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { id } = await create(admin, "/v1/accounts", { fixed_fields: makeName("Ada") });
  const user = await company.user();
  const faults = async (query: string) => {
    const { status, body } = await admin.call("GET", `/v1/access/explain?${query}`);
    return [status, body.errors?.map(({ path, code }: Body) => `${path} ${code}`).join()];
  };
  assert.deepEqual(await faults(`entity=accounts&id=${id}`), [422, "query.user_id required"]);
  assert.deepEqual(await faults(`user_id=${user.id}&id=${id}`), [422, "query.entity required"]);
  assert.deepEqual(await faults(`user_id=${user.id}&entity=accounts`), [422, "query.id required"]);
  assert.deepEqual(await faults(`user_id=${user.id}&entity=products&id=${id}`), [422, "query.entity enum"]);
  const other = await app.company("Other");
  assert.deepEqual(await faults(`user_id=${other.admin.id}&entity=accounts&id=${id}`), [
    422,
    "query.user_id exists",
  ]);
  assert.equal((await explain(admin, user.id, "accounts", crypto.randomUUID())).status, 404);
  assert.equal((await explain(admin, user.id, "accounts", "x")).status, 404);
  assert.equal((await explain(admin, user.id, "notes", "x")).status, 404);
  const theirs = await create(other.admin, "/v1/accounts", { fixed_fields: makeName("Bob") });
  assert.equal((await explain(admin, user.id, "accounts", theirs.id)).status, 404);
  const refused = await explain(user, user.id, "accounts", id);
  assert.deepEqual([refused.status, refused.body.detail], [403, "The right admin is missing."]);
  const gone = await admin.call("DELETE", `/v1/companies/${company.id}/users/${user.id}`);
  assert.ok(gone.status < 300, gone.text);
  const { body } = await explain(admin, user.id, "accounts", id);
  assert.deepEqual([body.visible, body.rule, body.why], [
    false,
    "deleted_user",
    "The user is deleted and sees nothing.",
  ]);
});
