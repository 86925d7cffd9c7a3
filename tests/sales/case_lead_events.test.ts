import assert from "node:assert/strict";
import { hideExpired } from "../../src/sales/leads/expire.ts";
import { type Body, type Reply, startApp } from "../support/app.ts";
import { hour, put, runOut, tick, ways } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";

/**
 * Checks that the call or timer sends the events and one `case_updated` that equals GET. Advances the clock
 * by a minute before.
 */
async function changes(
  place: World,
  caseId: string,
  names: readonly string[],
  what: () => Promise<unknown>,
): Promise<Body> {
  const { app, admin } = place;
  app.clock.move(60_000);
  const address = `/v1/cases/${caseId}`;
  const before = await admin.call("GET", address);
  const [last] = await app.sql("select max(rowid) as row from outbox");
  await what();
  const events = await app.sql(
    "select event_name, entity_id, body from outbox where rowid > ? order by rowid",
    last!.row!,
  );
  const after = await admin.call("GET", address);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  assert.deepEqual(events.map(({ event_name }) => event_name), [...names, "case_updated"]);
  const { entity_id, body } = events.at(-1)!;
  assert.equal(entity_id, caseId);
  assert.deepEqual(JSON.parse(String(body)), after.body);
  assert.equal(after.body.updated_at > before.body.updated_at, true);
  return after.body;
}

async function done(reply: Promise<Reply>): Promise<Reply> {
  const { status, text } = await reply;
  assert.ok(status < 300, text);
  return await reply;
}

/** The ids of a new lead in the state and of its case. */
async function acceptLead(place: World, state: string, more?: string): Promise<{ id: string; its: string }> {
  const id = more === "out" ? await runOut(place, state) : await ways[state]!(place);
  const { body } = await place.admin.call("GET", `/v1/leads/${id}`);
  return { id, its: body.case_id };
}

Deno.test("a case changes with each transition of its lead, and drops the lead of another team", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id, its } = await acceptLead(place, "accepted");
  const escalated = await changes(place, its, ["lead_escalated"], async () => {
    app.clock.move(3 * hour);
    assert.equal(await tick(place), 1);
  });
  assert.deepEqual([escalated.lead.id, escalated.escalates_at], [id, null]);
  const called = await changes(
    place,
    its,
    ["lead_updated"],
    () => done(put(place, "agent", id, "/call")),
  );
  assert.notEqual(called.escalates_at, null);
  await changes(place, its, ["lead_updated"], async () => {
    app.clock.move(3 * hour);
    assert.equal(await tick(place), 1);
  });
  const named = await changes(
    place,
    its,
    ["lead_updated"],
    () => done(put(place, "admin", id, "", { interest: "A red one", lead_source: "fair" })),
  );
  assert.deepEqual([named.lead.interest, named.lead_source], ["A red one", "fair"]);
  const other = await place.company.team({ team_type: "dealer" });
  const left = await changes(
    place,
    its,
    ["lead_assigned"],
    () => done(put(place, "agent", id, "/assign", { team_id: other })),
  );
  assert.deepEqual([left.lead, left.escalates_at, left.lead_source], [null, null, "website"]);
});

Deno.test("a case with two leads shows the earlier once the later moves to another team", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id: first, its } = await acceptLead(place, "accepted_final");
  const { body: shown } = await place.admin.call("GET", `/v1/cases/${its}`);
  const { id } = await place.lead();
  await done(put(place, "member", id, "/accept", { account_id: shown.account.id }));
  app.clock.move(3 * hour);
  await tick(place);
  await done(put(place, "agent", id, "/call"));
  app.clock.move(3 * hour);
  await tick(place);
  const other = await place.company.team({ team_type: "dealer" });
  const left = await changes(
    place,
    its,
    ["lead_assigned"],
    () => done(put(place, "agent", id, "/assign", { team_id: other })),
  );
  assert.equal(left.lead.id, first);
});

Deno.test("a case changes when its lead expires with a running countdown, and not without one", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead({ expires_at: "2026-03-02 10:30:00" });
  const { body: { case_id } } = await done(put(place, "member", id, "/accept"));
  app.clock.move(hour);
  const after = await changes(place, case_id, [], async () => {
    app.clock.move(hour);
    assert.equal(await hideExpired(app.deps, app.clock.now()), 1);
  });
  assert.deepEqual([after.lead.id, after.escalates_at], [id, null]);
  // A case without a countdown does not change.
  const { id: final } = await place.lead({ expires_at: "2026-03-02 12:30:00" });
  const { body: accepting } = await done(put(place, "member", final, "/accept"));
  const { body: its } = await place.admin.call("GET", `/v1/cases/${accepting.case_id}`);
  const activity_type_ids = [its.milestones[0].id];
  await done(place.member.call("POST", `/v1/cases/${its.id}/activities`, { activity_type_ids }));
  app.clock.move(4 * hour);
  const known = await place.events();
  assert.equal(await hideExpired(app.deps, app.clock.now()), 1);
  assert.equal(await place.events(), known);
});

Deno.test("a case that changes because its lead has expired has the present time, also after days without jobs", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead({ expires_at: "2026-03-02 10:30:00" });
  const { body: { case_id } } = await done(put(place, "member", id, "/accept"));
  const expired = app.clock.now() + 2 * hour;
  app.clock.move(50 * hour);
  assert.equal(await hideExpired(app.deps, expired), 1);
  const [its] = await app.sql(`select updated_at from cases where id = '${case_id}'`);
  assert.equal(its!.updated_at, "2026-03-04 11:00:00");
});

Deno.test("a case of another team changes when its lead moves to the successor of a deleted team or agency", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agency, dealer, company } = place;
  const { its } = await acceptLead(place, "accepted_final");
  const successor = await company.team({ team_type: "dealer" });
  const other = await company.team();
  await changes(
    place,
    its,
    ["team_deleted", "user_updated", "lead_updated"],
    () => done(admin.call("DELETE", `/v1/teams/${agency}?assign_to=${successor}`)),
  );
  const { id: user_id } = await company.user({ teams: [other] });
  await done(admin.call("PUT", `/v1/cases/${its}`, { team_id: other, user_id }));
  const { body: moved } = await admin.call("GET", `/v1/cases/${its}`);
  const after = await changes(
    place,
    its,
    ["team_deleted", "user_updated", "account_updated", "lead_updated"],
    () => done(admin.call("DELETE", `/v1/teams/${dealer}?assign_to=${successor}`)),
  );
  assert.deepEqual([moved.account.team_id, after.account.team_id], [dealer, successor]);
  assert.equal(after.lead.updated_at, after.updated_at);
});

Deno.test("a case changes when the former case of its lead is deleted", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id, its: former } = await acceptLead(place, "called_after_acceptance", "out");
  const other = await place.company.team({ team_type: "dealer" });
  const newcomer = await place.company.user({ teams: [other] });
  await done(put(place, "agent", id, "/assign", { team_id: other }));
  const { body } = await done(newcomer.call("PUT", `/v1/leads/${id}/accept`, {}));
  assert.notEqual(body.case_id, former);
  const [last] = await app.sql("select max(rowid) as row from outbox");
  app.clock.move(60_000);
  await done(place.admin.call("DELETE", `/v1/cases/${former}`));
  const events = await app.sql(
    "select event_name, body from outbox where rowid > ? order by rowid",
    last!.row!,
  );
  assert.deepEqual(
    events.map(({ event_name }) => event_name),
    ["lead_updated", "case_updated", "case_deleted"],
  );
  const { body: now } = await place.admin.call("GET", `/v1/cases/${body.case_id}`);
  assert.deepEqual(JSON.parse(String(events[1]!.body)), now);
});
