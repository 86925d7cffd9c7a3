/** Calls and timers of leads. Each moves the indicators that the test expects, and no other. */
import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { tick } from "../sales/leads_states.ts";
import { makeSales } from "../sales/leads_world.ts";
import { startJourney } from "./journey.ts";

Deno.test("calls and timers of leads move their own indicators and no other", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, agent, agency, dealer } = place;
  const { moves } = await startJourney(admin, app.clock, [null, dealer]);
  const lead = await moves("POST lead", {
    "leads.created": 1,
    "leads.assigned": 1,
    "leads.open": 1,
    "leads.acceptance_rate": 0,
  }, () => admin.call("POST", "/v1/leads", place.body()));
  const at = `/v1/leads/${lead.id}`;
  const timer = async () => {
    await tick(place);
    return await admin.call("GET", at);
  };
  app.clock.move(3 * 3_600_000);
  await moves(
    "the countdown of an assigned lead",
    { "leads.escalated": 1 },
    timer,
  );
  await moves(
    "PUT call",
    { "leads.called": 1, "users.active": 1 },
    () => agent.call("PUT", `${at}/call`),
    { "leads.called": [agent.id, dealer], "users.active": [agent.id, agency] },
  );
  app.clock.move(3 * 3_600_000);
  await moves("the countdown of a called lead", { "leads.revoked": 1 }, timer);
  await moves(
    "PUT assign",
    { "leads.assigned": 1 },
    () => agent.call("PUT", `${at}/assign/${dealer}`),
  );
  app.clock.move(60_000);
  await moves(
    "PUT accept",
    {
      "leads.accepted": 1,
      "leads.open": -1,
      "leads.time_to_accept": 60,
      "leads.acceptance_rate": 50,
      "accounts.b2b.created": 1,
      "accounts.b2b.total": 1,
      "contacts.b2b.created": 1,
      "contacts.b2b.total": 1,
      "accounts_contacts.without_address": 1,
      "accounts_contacts.without_phone_number": 1,
      "cases.created": 1,
      "cases.open": 1,
      "users.active": 1,
    },
    () => member.call("PUT", `${at}/accept`, {}),
    { others: [member.id, dealer], "leads.open": [null, dealer] },
  );
  const [milestone] = (await admin.call("GET", "/v1/relations-paths")).body.data[0].activity_types
    .milestones;
  app.clock.move(90_000);
  await moves("POST the first activity", {
    "activities.created": 1,
    "activities.milestones": 1,
    "leads.time_to_first_activity": 90,
  }, async () => {
    const { body: { case_id } } = await admin.call("GET", at);
    return await member.call("POST", `/v1/cases/${case_id}/activities`, {
      activity_type_ids: [milestone.id],
    });
  }, { others: [member.id, dealer] });
  const next = { "leads.created": 1, "leads.assigned": 1, "leads.open": 1 };
  const second = await moves("POST a second lead", {
    ...next,
    "leads.acceptance_rate": 33.33,
  }, () => admin.call("POST", "/v1/leads", place.body()));
  await moves(
    "PUT reject",
    { "leads.rejected": 1 },
    () =>
      member.call("PUT", `/v1/leads/${second.id}/reject`, {
        rejection_reason: "Too far",
      }),
    { "leads.rejected": [member.id, dealer] },
  );
  await moves(
    "DELETE lead",
    { "leads.deleted": 1, "leads.open": -1 },
    () => admin.call("DELETE", `/v1/leads/${second.id}`),
  );
});

Deno.test("a team that accepts at once has a mean of 0 seconds", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, dealer } = place;
  const { body: lead } = await admin.call("POST", "/v1/leads", place.body());
  assert.equal((await member.call("PUT", `/v1/leads/${lead.id}/accept`)).status, 200);
  const readValues = async (path: string) => {
    const { body, text } = await admin.call("GET", `/v1/reports/${path}indicators=leads.time_to_accept`);
    assert.ok(body.data, text);
    return body.data.map(({ value, team_id, user }: Body) => [value, team_id ?? user.id]);
  };
  assert.deepEqual(await readValues("metrics?group_by=team&"), [[0, dealer]]);
  assert.deepEqual(await readValues("averages?interval=day&"), [[0, member.id]]);
});

Deno.test("a comparison has who did something before alone, so that its parts add up", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, dealer } = place;
  for (let made = 0; made < 2; made++) await admin.call("POST", "/v1/leads", place.body());
  app.clock.move(86_400_000);
  const readRows = async (indicators: string, by: string) => {
    const path = `/v1/reports/metrics?indicators=${indicators}&group_by=${by}&compare=previous`;
    const { body, text } = await admin.call("GET", `${path}&start_at=2026-03-02 10:00:00`);
    assert.ok(body.data, text);
    return body.data.map((row: Body) => [row.value, row.previous, row.change_pct, row.team_id]);
  };
  assert.deepEqual(await readRows("leads.created", "team"), [[0, 2, -100, dealer]]);
  assert.deepEqual(await readRows("leads.created", ""), [[0, 2, -100, undefined]]);
  assert.deepEqual(await readRows("leads.acceptance_rate", "team"), [[null, 0, null, dealer]]);
  assert.deepEqual(await readRows("leads.rejected", "team"), []);
});

Deno.test("a lead source with commas and quotes is asked for in quotes", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const sources = ["Fair, Berlin", "Fair", "Berlin", 'The "best", twice', '"'];
  for (const lead_source of sources) {
    const { status, text } = await admin.call("POST", "/v1/leads", place.body({ lead_source }));
    assert.equal(status, 201, text);
  }
  const readFound = async (lead_sources: string) => {
    const asked = encodeURIComponent(lead_sources);
    const path = `/v1/reports/metrics?indicators=leads.created&group_by=lead_source&lead_sources=${asked}`;
    const { body } = await admin.call("GET", path);
    const { body: { data } } = await admin.call("GET", `/v1/leads?lead_sources=${asked}`);
    const shown = body.data.map(({ lead_source_id }: Body) => lead_source_id).sort();
    assert.deepEqual(data.map(({ lead_source }: Body) => lead_source).sort(), shown);
    return shown;
  };
  assert.deepEqual(await readFound("Fair, Berlin"), ["Berlin", "Fair"]);
  assert.deepEqual(await readFound('"Fair, Berlin"'), ["Fair, Berlin"]);
  assert.deepEqual(await readFound('Fair, "Fair, Berlin" ,"none",'), ["Fair", "Fair, Berlin"]);
  assert.deepEqual(await readFound('"The ""best"", twice"'), ['The "best", twice']);
  assert.deepEqual(await readFound('"'), ['"']);
});
