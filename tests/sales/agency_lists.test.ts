import assert from "node:assert/strict";
import { hideExpired } from "../../src/sales/leads/expire.ts";
import { LeadPage } from "../../src/sales/leads/list_schema.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { hour, put, runOut, tick, ways } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";

const statuses = ["assignable", "rejected", "escalated", "called", "revoked"] as const;

/** The ids of a list; checks its total. */
async function listIds(actor: Actor, list: string): Promise<string[]> {
  const answer = await actor.call("GET", `/v1/leads/${list}`);
  assert.equal(answer.status, 200, answer.text);
  const { data, pagination } = LeadPage.parse(answer.body);
  assert.equal(pagination.total, data.length, list);
  return data.map(({ id }) => id);
}

/** A lead in each state. States set by timers come first, so that the timers change no other lead. */
async function oneOfEach(place: World): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  const never = await place.leadType({ escalation_accept: null, escalation_activity: null });
  for (const state of ["revoked", "called_after_acceptance", "escalated_after_acceptance", "called"]) {
    ids[state] = await ways[state]!(place);
    await place.app.deps.db.write([
      { sql: "update leads set escalates_at = null where id = ?", args: [ids[state]] },
    ]);
  }
  ids.escalated = await runOut(place, "assigned");
  const still: World = { ...place, lead: (more) => place.lead({ lead_type_id: never, ...more }) };
  for (const state of ["assignable", "assigned", "rejected", "accepted", "accepted_final"]) {
    ids[state] = await ways[state]!(still);
  }
  return ids;
}

Deno.test("each list has the leads of its status, and an accepted or assigned lead is in none", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const ids = await oneOfEach(place);
  const shown: Record<string, string[]> = {
    assignable: ["assignable"],
    rejected: ["rejected"],
    escalated: ["escalated", "escalated_after_acceptance"],
    called: ["called", "called_after_acceptance"],
    revoked: ["revoked"],
  };
  for (const actor of [place.agent, place.admin]) {
    for (const status of statuses) {
      const expected = shown[status]!.map((state) => ids[state]);
      assert.deepEqual(new Set(await listIds(actor, status)), new Set(expected), status);
    }
  }
});

Deno.test("agency users see the leads of their agency teams and of none, of any team", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, agency, dealer, admin, agent } = place;
  const elsewhere = await company.team({ name: "Other agency" });
  const other = await company.user({ teams: [elsewhere], rights: ["agency"] });
  // A member of the dealer team sees the lead, but not in the lists of the agency.
  const seller = await company.user({ teams: [dealer], rights: ["agency"] });
  const rejectLead = async (agency_team_id: number | null) => {
    const { id } = await place.lead({ agency_team_id });
    await put(place, "member", id, "/reject", { rejection_reason: "Too far" });
    return id;
  };
  const ours = await rejectLead(agency);
  const theirs = await rejectLead(elsewhere);
  const nobodys = await rejectLead(null);
  const listSeen = async (actor: Actor) => (await listIds(actor, "rejected?sort=created_at")).sort();
  assert.deepEqual(await listSeen(agent), [ours, nobodys].sort());
  assert.deepEqual(await listSeen(other), [theirs, nobodys].sort());
  assert.deepEqual(await listSeen(seller), [nobodys]);
  assert.deepEqual(await listSeen(admin), [ours, theirs, nobodys].sort());
  const foreign = (await app.company("Elsewhere")).admin;
  assert.deepEqual(await listSeen(foreign), []);
});

Deno.test("the lists filter by team, type and time, and sort by dates and weight", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { agent, company, dealer, type } = place;
  const second = await company.team({ name: "Second", team_type: "dealer" });
  const otherType = await place.leadType();
  const a = await place.lead({ external_weight: 9 });
  app.clock.move(60_000);
  const b = await place.lead({ team_id: second, external_weight: 90 });
  app.clock.move(60_000);
  const c = await place.lead({ lead_type_id: otherType });
  app.clock.move(60_000);
  for (const { id } of [b, c, a]) {
    app.clock.move(60_000);
    await put(place, "admin", id, "/reject", { rejection_reason: "Too far" });
  }
  const names = new Map([[a.id, "a"], [b.id, "b"], [c.id, "c"]]);
  const list = async (query: string) =>
    (await listIds(agent, `rejected?${query}`)).map((id) => names.get(id)).join("");
  const expected: Record<string, string> = {
    "": "acb",
    "sort=-updated_at": "acb",
    "sort=updated_at": "bca",
    "sort=created_at": "abc",
    "sort=-created_at": "cba",
    "sort=external_weight": "cab",
    "sort=-external_weight": "bac",
    [`team_id=${dealer}`]: "ac",
    [`team_id=${second}`]: "b",
    [`team_id=${dealer}&sort=created_at`]: "ac",
    "team_id=999999": "",
    [`lead_type_id=${type}`]: "ab",
    [`lead_type_id=${otherType}`]: "c",
    "lead_type_id=01939c5e-7d3a-7c3f-8a55-0a4be5a1a001": "",
    "start_date=2026-03-02 09:01:00": "cb",
    "end_date=2026-03-02 09:01:00": "ab",
    "start_date=2026-03-02 09:01:00&end_date=2026-03-02 09:01:30": "b",
    [`lead_type_id=${type}&team_id=${dealer}&start_date=2026-03-02 08:00:00`]: "a",
  };
  for (const [query, ids] of Object.entries(expected)) assert.equal(await list(query), ids, query);
  const refused: Record<string, string> = {
    "start_date=2026-03-02 09:01:00&end_date=2026-03-02 09:01:00": "query.end_date after",
    "sort=interest": "query.sort enum",
    "lead_type_id=1": "query.lead_type_id type",
    "team_id=x": "query.team_id type",
    "start_date=soon": "query.start_date format",
  };
  for (const [query, fault] of Object.entries(refused)) {
    const { status, body } = await agent.call("GET", `/v1/leads/rejected?${query}`);
    assert.equal(`${status} ${body.errors[0].path} ${body.errors[0].code}`, `422 ${fault}`);
  }
});

Deno.test("the lists of rejected, escalated and called leads filter by team, the others do not", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { agent, dealer, company } = place;
  const second = await company.team({ name: "Second", team_type: "dealer" });
  const revoked = await ways.revoked!(place);
  const one = await place.lead();
  const two = await place.lead({ team_id: second });
  app.clock.move(2 * hour);
  await tick(place);
  assert.deepEqual(await listIds(agent, `escalated?team_id=${dealer}`), [one.id]);
  assert.deepEqual(await listIds(agent, `escalated?team_id=${second}`), [two.id]);
  assert.deepEqual(await listIds(agent, `revoked?team_id=${second}`), [revoked]);
});

Deno.test("pages of a list return each lead once, and the total counts all leads", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const ids = (await Promise.all(Array.from({ length: 7 }, () => place.lead({ team_id: null }))))
    .map(({ id }) => id);
  const found: string[] = [];
  let url: string | null = "/v1/leads/assignable?per_page=3";
  while (url !== null) {
    const { body }: Body = await place.agent.call("GET", url);
    assert.equal(body.pagination.total, 7);
    found.push(...body.data.map(({ id }: Body) => id));
    url = body.pagination.urls.next?.replace(/^https?:\/\/[^/]+/, "") ?? null;
  }
  assert.deepEqual(found, ids.sort().reverse());
});

Deno.test("an expired lead is in no list and no total, before and after the job hides it", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const kept = await place.lead({ team_id: null });
  await place.lead({ team_id: null, expires_at: "2026-03-02 10:00:00" });
  for (const actor of [place.agent, place.admin]) {
    assert.equal((await listIds(actor, "assignable")).length, 2);
  }
  app.clock.move(hour);
  for (const actor of [place.agent, place.admin]) {
    assert.deepEqual(await listIds(actor, "assignable"), [kept.id]);
    assert.deepEqual(await listIds(actor, "assignable?start_date=2026-03-01 00:00:00"), [kept.id]);
  }
  assert.equal(await hideExpired(app.deps, app.clock.now()), 1);
  for (const actor of [place.agent, place.admin]) {
    assert.deepEqual(await listIds(actor, "assignable"), [kept.id]);
  }
});
