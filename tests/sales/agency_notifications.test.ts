import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { hour, put, tick } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

/** The names of the users notified of the type, with their common data. */
async function readNotified(app: TestApp, who: Readonly<Record<string, Actor>>, after: number) {
  const rows = await app.sql(
    "select rowid as at, user_id, type, data from notifications where rowid > ? order by type, user_id",
    after,
  );
  return rows.map(({ user_id, type, data }) => {
    const name = Object.entries(who).find(([, { id }]) => id === user_id)?.[0] ?? "somebody else";
    return { name, type, data: JSON.parse(String(data)) };
  });
}

Deno.test("transitions of a lead notify its team or user, its agency, and the users of its type", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, dealer, agency, admin, agent, member, path } = place;
  const elsewhere = await company.team({ name: "Other agency" });
  const who = {
    admin,
    agent,
    member,
    colleague: await company.user({ teams: [dealer] }),
    named: await company.user(),
    // Members of the agency team without the right, and users with the right in another team.
    visitor: await company.user({ teams: [agency] }),
    stranger: await company.user({ teams: [elsewhere], rights: ["agency"] }),
  };
  const type = await place.leadType({
    name: "Offer request",
    relations_path_ids: [path],
    escalation_user_ids: [who.named.id],
  });
  let seen = 0;
  const news = async () => {
    const found = await readNotified(app, who, seen);
    const [last] = await app.sql("select coalesce(max(rowid), 0) as n from notifications");
    seen = Number(last!.n);
    return found;
  };
  const notified_of = async (kind: string, names: string[], more: object = {}) => {
    const found = await news();
    assert.deepEqual(
      found.map(({ name, type }) => `${type} ${name}`).sort(),
      names.map((n) => `${kind} ${n}`),
    );
    for (const { data } of found) {
      assert.deepEqual(data, { lead: { id }, lead_type: { id: type, name: "Offer request" }, ...more });
    }
  };

  const { id } = await place.lead({ lead_type_id: type });
  await notified_of("lead_assigned", ["colleague", "member"]);
  app.clock.move(2 * hour);
  assert.equal(await tick(place), 1);
  await notified_of("lead_escalated", ["agent", "named"]);
  assert.equal((await put(place, "agent", id, "/call")).status, 200);
  assert.deepEqual(await news(), [], "a call notifies nobody");
  app.clock.move(2 * hour);
  assert.equal(await tick(place), 1);
  await notified_of("lead_revoked", ["agent", "colleague", "member"]);
  const assigned = await put(place, "agent", id, "/assign", { team_id: dealer, user_id: member.id });
  assert.equal(assigned.status, 201, assigned.text);
  await notified_of("lead_assigned", ["member"]);
  const accepted = await put(place, "member", id, "/accept");
  assert.equal(accepted.status, 200, accepted.text);
  const its_case = (await admin.call("GET", `/v1/cases/${accepted.body.case_id}`)).body;
  await notified_of("lead_accepted", ["agent"], {
    case: { id: its_case.id, case_number: its_case.case_number, relations_path_name: "New cars" },
  });
});

Deno.test("a lead without a team, a rejection and a refused transition notify nobody", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const count = async () => Number((await app.sql("select count(*) as n from notifications"))[0]!.n);
  const { id } = await place.lead({ team_id: null });
  assert.equal(await count(), 0);
  assert.equal((await put(place, "agent", id, "/assign", { team_id: place.dealer })).status, 201);
  assert.equal(await count(), 1);
  assert.equal((await put(place, "agent", id, "/assign", { team_id: place.dealer })).status, 409);
  assert.equal((await put(place, "member", id, "/reject", { rejection_reason: "Too far" })).status, 200);
  assert.equal((await put(place, "member", id, "/accept")).status, 409);
  assert.equal(await count(), 1);
});

Deno.test("a lead without an agency team notifies all agency users of the company", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, admin, agent } = place;
  const other = await company.user({ rights: ["agency"] });
  const foreign = (await app.company("Elsewhere")).admin;
  await place.lead({ agency_team_id: null });
  app.clock.move(2 * hour);
  assert.equal(await tick(place), 1);
  const found = await readNotified(app, { admin, agent, other, foreign, member: place.member }, 0);
  const escalated = found.filter(({ type }) => type === "lead_escalated").map(({ name }) => name);
  assert.deepEqual(escalated.sort(), ["admin", "agent", "other"]);
});

Deno.test("leads that escalate together notify their recipients one by one, in the order of their countdowns", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, agent, dealer } = place;
  const elsewhere = await company.team({ name: "Other agency" });
  const who = {
    agent,
    named: await company.user(),
    other: await company.user({ teams: [elsewhere], rights: ["agency"] }),
  };
  const type = await place.leadType({ name: "Offer request", escalation_user_ids: [who.named.id] });
  const made: string[] = [];
  for (
    const more of [
      { lead_type_id: type },
      { lead_type_id: type },
      { agency_team_id: elsewhere, team_id: dealer },
      { lead_type_id: type, agency_team_id: elsewhere },
    ]
  ) {
    made.push((await place.lead(more)).id);
    app.clock.move(1000);
  }
  const [last] = await app.sql("select coalesce(max(rowid), 0) as n from notifications");
  app.clock.move(2 * hour);
  assert.equal(await tick(place), made.length);
  const found = await readNotified(app, who, Number(last!.n));
  const of = (name: string) =>
    found.filter((each) => each.name === name).map(({ type, data }) =>
      `${type} ${made.indexOf(data.lead.id)} ${data.lead_type.name}`
    );
  assert.deepEqual(of("agent"), ["lead_escalated 0 Offer request", "lead_escalated 1 Offer request"]);
  assert.deepEqual(of("named"), [0, 1, 3].map((number) => `lead_escalated ${number} Offer request`));
  assert.deepEqual(of("other").sort(), ["lead_escalated 2 Test drive", "lead_escalated 3 Offer request"]);
  assert.equal(found.length, 7);
});
