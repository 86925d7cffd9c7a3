import assert from "node:assert/strict";
import { hideExpired } from "../../src/sales/leads/expire.ts";
import { type Body, startApp } from "../support/app.ts";
import { hour, put, runOut, tick, ways } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

Deno.test("escalation, call and revocation are recorded, each with an event of that moment", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { dealer, agent, member, admin } = place;
  const id = await ways.revoked!(place);
  const lead = (await admin.call("GET", `/v1/leads/${id}`)).body;
  assert.deepEqual(lead.escalations, [{
    team_id: dealer,
    escalation_type: "accept",
    escalation_date: "2026-03-02 12:00:00",
  }]);
  assert.deepEqual(lead.calls, [{ team_id: dealer, user_id: agent.id, call_date: "2026-03-02 12:00:00" }]);
  assert.deepEqual(lead.revocations, [{
    team_id: dealer,
    escalation_type: "accept",
    revocation_date: "2026-03-02 15:00:00",
  }]);
  assert.equal(lead.escalates_at, null);
  const reported = await app.sql(
    "select event_name, executor_id, body from outbox where entity_id = ? order by sequence",
    id,
  );
  assert.deepEqual(reported.map(({ event_name, executor_id }) => [event_name, executor_id]), [
    ["lead_created", admin.id],
    ["lead_assigned", admin.id],
    ["lead_escalated", null],
    ["lead_updated", agent.id],
    ["lead_updated", null],
  ]);
  assert.equal(reported.at(-1)!.body, (await admin.call("GET", `/v1/leads/${id}`)).text);
  assert.equal((await member.call("GET", `/v1/leads/${id}`)).status, 200, "still visible to the team");
});

Deno.test("a lead that is revoked after acceptance and reassigned is not visible to the former team", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agent, member, company } = place;
  const id = await runOut(place, "called_after_acceptance");
  const first = (await admin.call("GET", `/v1/leads/${id}`)).body;
  assert.deepEqual(first.revocations.map((each: Body) => each.escalation_type), ["activity"]);
  const other = await company.team({ name: "Other dealer", team_type: "dealer" });
  const newcomer = await company.user({ teams: [other] });
  const assigned = await put(place, "agent", id, "/assign", { team_id: other, user_id: newcomer.id });
  assert.equal(assigned.status, 201, assigned.text);
  assert.equal(assigned.body.user_id, newcomer.id);
  assert.deepEqual(
    [assigned.body.case_id, assigned.body.account_id, assigned.body.account.id, assigned.body.contact_id],
    [null, null, null, null],
  );
  assert.equal(assigned.body.escalates_at, "2026-03-02 16:00:00");
  const statuses = async () =>
    await Promise.all(
      [member, newcomer, agent, admin].map(async (actor) =>
        (await actor.call("GET", `/v1/leads/${id}`)).status
      ),
    );
  assert.deepEqual(await statuses(), [404, 200, 200, 200]);
  const total = async (actor: typeof member) => (await actor.call("GET", "/v1/leads")).body.pagination.total;
  assert.deepEqual([await total(member), await total(newcomer)], [0, 1]);

  const again = await newcomer.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(again.status, 200, again.text);
  assert.notEqual(again.body.account_id, first.account_id);
  assert.notEqual(again.body.contact_id, first.contact_id);
  assert.notEqual(again.body.case_id, first.case_id);
  assert.equal(again.body.acceptions.length, 2);
  assert.equal((await member.call("GET", `/v1/cases/${first.case_id}`)).status, 200);
  assert.equal((await newcomer.call("GET", `/v1/cases/${first.case_id}`)).status, 404);
});

Deno.test("assigning requires a dealer or own team, one of its members, and an agency user of the lead", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { agent, member, company, dealer, agency, lead } = place;
  const { id } = await lead({ team_id: null });
  const plain = await company.team({ name: "Plain" });
  const otherAgent = await company.user({ teams: [plain, dealer], rights: ["agency"] });
  const readRefusal = async (actor: typeof agent, body: object) => {
    const answer = await actor.call("PUT", `/v1/leads/${id}/assign`, body);
    const [error] = answer.body.errors ?? [];
    return error ? `${answer.status} ${error.path} ${error.code}` : String(answer.status);
  };
  assert.equal(await readRefusal(agent, { team_id: plain }), "422 team_id exists");
  assert.equal(await readRefusal(agent, { team_id: dealer, user_id: agent.id }), "422 user_id exists");
  assert.equal(await readRefusal(agent, {}), "422 team_id required");
  assert.equal(await readRefusal(member, { team_id: dealer }), "403");
  assert.equal(await readRefusal(otherAgent, { team_id: dealer }), "404");
  const theirs = await lead();
  assert.equal((await otherAgent.call("PUT", `/v1/leads/${theirs.id}/call`)).status, 403);
  assert.equal(await readRefusal(agent, { team_id: agency }), "201");
});

Deno.test("the deprecated path to assign works and names its successor", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead({ team_id: null });
  const body = { user_id: place.member.id };
  const assigned = await place.agent.call("PUT", `/v1/leads/${id}/assign/${place.dealer}`, body);
  assert.equal(assigned.status, 200, assigned.text);
  assert.equal(assigned.body.assignments[0].user_id, place.member.id);
  assert.match(assigned.headers.get("deprecation")!, /^@\d+$/);
  assert.equal(assigned.headers.get("link"), `</v1/leads/${id}/assign>; rel="successor-version"`);
});

Deno.test("a lead that is not due stays; weekends in the team's time zone do not count if the type ignores them", async () => {
  await using app = await startApp();
  const place = await makeSales(app, { escalation_accept: 24 * 60, escalation_ignore_weekends: true });
  const tokyo = await place.company.team({ team_type: "dealer", timezone: "Asia/Tokyo" });
  app.clock.set(Date.UTC(2026, 2, 6, 14)); // Friday 14:00, in Tokyo 23:00
  const { id, escalates_at } = await place.lead({ team_id: tokyo });
  assert.equal(escalates_at, "2026-03-09 14:00:00");
  app.clock.set(Date.UTC(2026, 2, 9, 14) - 1);
  assert.equal(await tick(place), 0);
  app.clock.set(Date.UTC(2026, 2, 9, 14));
  assert.equal(await tick(place), 1);
  assert.equal((await place.admin.call("GET", `/v1/leads/${id}`)).body.status, "escalated");
});

Deno.test("concurrent timers change each lead once, in batches, with one event each", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const leads = await Promise.all(Array.from({ length: 250 }, () => place.lead()));
  const before = await place.events();
  app.clock.move(2 * hour);
  const counts = await Promise.all([tick(place), tick(place), tick(place)]);
  assert.equal(counts.reduce((sum, count) => sum + count), leads.length);
  assert.equal(await place.events(), before + leads.length);
  const [row] = await app.sql("select count(*) as n from lead_transitions where kind = 'escalation'");
  assert.equal(row!.n, leads.length);
});

Deno.test("an expired lead is hidden at once, and its countdown ends without a transition", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agent } = place;
  const kept = await place.lead();
  const { id } = await place.lead({ expires_at: "2026-03-02 09:30:00" });
  const total = async (query = "") => {
    const list = await admin.call("GET", `/v1/leads${query}`);
    return [list.body.pagination.total, list.body.data.length];
  };
  assert.deepEqual(await total(), [2, 2]);
  app.clock.move(hour / 2);
  const assertGone = async () => {
    assert.equal((await admin.call("GET", `/v1/leads/${id}`)).status, 404);
    assert.equal((await agent.call("PUT", `/v1/leads/${id}/assign`, { team_id: place.dealer })).status, 404);
    assert.equal((await put(place, "member", id, "/accept")).status, 404);
    assert.deepEqual(await total(), [1, 1]);
    assert.deepEqual(await total("?status=assigned"), [1, 1]);
    assert.deepEqual(await total("?status=escalated"), [0, 0]);
    assert.deepEqual(await total(`?teams=${place.dealer}`), [1, 1]);
  };
  await assertGone();
  assert.equal(await hideExpired(app.deps, app.clock.now()), 1);
  assert.equal(await hideExpired(app.deps, app.clock.now()), 0);
  await assertGone();
  app.clock.move(2 * hour);
  assert.equal(await tick(place), 1);
  assert.equal((await admin.call("GET", `/v1/leads/${kept.id}`)).body.status, "escalated");
  const moves = await app.sql("select kind from lead_transitions where lead_id = ?", id);
  assert.deepEqual(moves.map(({ kind }) => kind), ["assignment"]);
});

Deno.test("the timers do not change a lead that expired while they were down", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead({ expires_at: "2026-03-02 11:00:00" });
  app.clock.move(5 * hour);
  assert.equal(await tick(place), 0);
  await hideExpired(app.deps, app.clock.now());
  const [row] = await app.sql("select state, hidden, escalates_at from leads where id = ?", id);
  assert.deepEqual({ ...row }, { state: "assigned", hidden: 1, escalates_at: null });
});
