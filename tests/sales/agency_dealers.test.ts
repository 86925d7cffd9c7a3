import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { put, ways } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

Deno.test("dealers are the teams of that type: listed by group and in three orders, read by id", async () => {
  await using app = await startApp();
  const { agent, company, dealer, agency } = await makeSales(app);
  const group = await company.group();
  app.clock.move(60_000);
  const grouped = await company.team({ name: "Grouped", team_type: "dealer", group_id: group });
  await company.team({ name: "No dealer", group_id: group });
  const early = await company.team({ name: "Early", team_type: "dealer" });
  await app.deps.db.write([{
    sql:
      "update teams set created_at = '2026-01-01 00:00:00', updated_at = '2026-01-01 00:00:00' where id = ?",
    args: [early],
  }]);
  app.clock.move(60_000);
  const edited = await company.admin.call("PUT", `/v1/teams/${dealer}`, { city: "Bonn" });
  assert.equal(edited.status, 200, edited.text);
  const list = async (query: string) => {
    const { status, body, text } = await agent.call("GET", `/v1/agency/dealers?${query}`);
    assert.equal(status, 200, text);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }: Body) => id);
  };
  assert.deepEqual(await list(""), [grouped, dealer, early]);
  assert.deepEqual(await list("sort=created_at"), [early, dealer, grouped]);
  assert.deepEqual(await list("sort=-updated_at"), [dealer, grouped, early]);
  assert.deepEqual(await list("sort=external_weight"), [dealer, grouped, early]);
  assert.deepEqual(await list("sort=-external_weight"), [early, grouped, dealer]);
  assert.deepEqual(await list(`group_id=${group}`), [grouped]);
  assert.deepEqual(await list("group_id=999999"), []);
  assert.equal((await agent.call("GET", "/v1/agency/dealers?sort=name")).status, 422);
  const one = await agent.call("GET", `/v1/agency/dealers/${grouped}`);
  assert.deepEqual(one.body, (await agent.call("GET", `/v1/teams/${grouped}`)).body);
  assert.equal((await agent.call("GET", `/v1/agency/dealers/${agency}`)).status, 404, "no dealer");
  const next = await agent.call("GET", "/v1/agency/dealers?per_page=1&sort=external_weight");
  const after = next.body.pagination.urls.next.replace(/^https?:\/\/[^/]+/, "");
  assert.deepEqual((await agent.call("GET", after)).body.data.map(({ id }: Body) => id), [grouped]);
});

Deno.test("the teams for a lead are all dealers by name, each with its open cases", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { agent, company, dealer, member, admin } = place;
  const avis = await company.team({ name: "Avis", team_type: "dealer" });
  await app.company("Elsewhere").then((other) => other.team({ name: "Foreign", team_type: "dealer" }));
  const accepted = await ways.accepted!(place);
  await ways.accepted!(place);
  const { id } = await place.lead({ team_id: null });
  const teams = async () => {
    const { status, body, text } = await agent.call("GET", `/v1/leads/teams/${id}`);
    assert.equal(status, 200, text);
    return body.data;
  };
  const counts = async () => (await teams()).map((team: Body) => [team.id, team.case_count]);
  assert.deepEqual(await counts(), [[avis, 0], [dealer, 2]]);
  const [{ case_count: _, ...first }] = await teams();
  assert.deepEqual(first, (await admin.call("GET", `/v1/teams/${avis}`)).body);
  const { body: { case_id } } = await admin.call("GET", `/v1/leads/${accepted}`);
  const { body: { milestones } } = await member.call("GET", `/v1/cases/${case_id}`);
  const closing = { activity_type_ids: [milestones[1].id] };
  assert.equal((await member.call("POST", `/v1/cases/${case_id}/activities`, closing)).status, 201);
  assert.deepEqual(await counts(), [[avis, 0], [dealer, 1]], "closed ones do not count");
  const all = await admin.call("GET", `/v1/leads/teams/${id}`);
  assert.deepEqual(all.body.data.map((team: Body) => team.case_count), [0, 1]);
});

Deno.test("a user who may not assign a lead gets no teams for it", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, dealer, member } = place;
  const { id } = await place.lead();
  const status = async (actor: typeof member) => (await actor.call("GET", `/v1/leads/teams/${id}`)).status;
  const seller = await company.user({ teams: [dealer], rights: ["agency"] });
  const stranger = await company.user({ rights: ["agency"] });
  assert.deepEqual([await status(member), await status(seller), await status(stranger)], [403, 403, 404]);
  const { id: expiring } = await place.lead({ team_id: null, expires_at: "2026-03-02 09:30:00" });
  app.clock.move(3_600_000);
  assert.equal((await place.agent.call("GET", `/v1/leads/teams/${expiring}`)).status, 404);
  assert.equal((await put(place, "agent", expiring, "/assign", { team_id: dealer })).status, 404);
});
