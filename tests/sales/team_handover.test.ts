import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { hour, tick, ways } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";
import { newCase, newContact, newPath, readEvents } from "./parts.ts";

const remove = (team: number, successor?: number) =>
  `/v1/teams/${team}${successor === undefined ? "" : `?assign_to=${successor}`}`;

Deno.test("open cases and leads block the deletion of a team with exact counts, as its delete-impact", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company } = sales;
  const path = await newPath(admin);
  const closed = await newCase(admin, path, { team_id: dealer });
  const act = (id: string, type: string) =>
    admin.call("POST", `/v1/cases/${id}/activities`, { activity_type_ids: [path.types[type]] });
  assert.equal((await act(closed.id, "Sold")).status, 201);
  await newContact(admin, {}, { team_id: dealer });
  // Called leads run out while the next ones are created.
  for (const state of ["called_after_acceptance", "rejected", "revoked", "accepted_final"]) {
    await ways[state]!(sales);
  }
  for (const state of ["escalated", "called", "assigned", "assigned"]) await ways[state]!(sales);
  await sales.lead({ expires_at: "2026-12-31 00:00:00" });
  const first = await newCase(admin, path, { team_id: dealer });
  await newCase(admin, path, { team_id: dealer });
  app.clock.move(Date.UTC(2027, 0, 1) - app.clock.now());
  const impact = async (team: number) => (await admin.call("GET", `/v1/teams/${team}/delete-impact`)).body;
  const reported = await impact(dealer);
  // Two leads have become cases, one of them open; the expired lead does not count.
  const [{ n: cases }] = await app.sql(
    "select count(*) as n from cases where team_id = ? and status = 'open'",
    dealer,
  ) as [{ n: number }];
  assert.deepEqual(reported.blocked_by, [{ type: "cases", amount: cases }, { type: "leads", amount: 4 }]);
  const refused = await admin.call("DELETE", remove(dealer));
  assert.deepEqual([refused.status, refused.body.code, refused.body.impact], [
    409,
    "delete_blocked",
    reported,
  ]);
  const affected = Object.fromEntries(reported.affects.map(({ type, amount }: Body) => [type, amount]));
  const [rows] = await app.sql(
    "select (select count(*) from accounts where team_id = ?) as accounts, " +
      "(select count(*) from contacts where team_id = ?) as contacts, 1 as users",
    dealer,
    dealer,
  );
  assert.deepEqual(affected, rows);
  // The leads of an agency block its team.
  const [{ n: waiting }] = await app.sql(
    "select count(*) as n from leads where agency_team_id = ? and status <> 'accepted' and expires_at is null",
    sales.agency,
  ) as [{ n: number }];
  assert.deepEqual((await impact(sales.agency)).blocked_by, [{ type: "leads", amount: waiting }]);
  assert.equal((await admin.call("GET", `/v1/cases/${first.id}`)).body.team_id, dealer);
  assert.deepEqual((await impact(await company.team())).blocked_by, []);
});

Deno.test("with assign_to that team takes the place of a deleted one in every record, and each event is as GET", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company } = sales;
  const path = await newPath(admin, { team_id: dealer });
  const type = await sales.leadType({ team_id: dealer, relations_path_ids: [path.id, sales.path] });
  const successor = await company.team({ name: "Successor", team_type: "dealer" });
  const member = await company.user({ teams: [successor] });
  const { account, contact } = await newContact(admin, {}, { team_id: dealer });
  const far = await newContact(admin);
  const body = { contact_id: contact.id, relations_path_id: path.id, team_id: dealer };
  const open = (await admin.call("POST", "/v1/cases", body)).body;
  const elsewhere = (await admin.call("POST", "/v1/cases", { ...body, contact_id: far.contact.id })).body;
  const closed = await newCase(admin, path, { team_id: dealer });
  await admin.call("POST", `/v1/cases/${closed.id}/activities`, { activity_type_ids: [path.types.Sold] });
  const ids: Record<string, string> = {};
  for (
    const state of [
      "accepted_final",
      "called_after_acceptance",
      "revoked",
      "called",
      "rejected",
      "accepted",
      "assigned",
    ]
  ) {
    ids[state] = await ways[state]!(sales);
  }
  ids.typed = (await sales.lead({ lead_type_id: type, account_id: account.id, account: undefined })).id;
  const lead = async (id: string) => (await admin.call("GET", `/v1/leads/${id}`)).body;
  const was = new Map<string, Body>();
  for (const id of Object.values(ids)) was.set(id, await lead(id));
  const kept = (await readEvents(app)).length;
  app.clock.move(60_000);
  const reply = await admin.call("DELETE", remove(dealer, successor));
  assert.equal(reply.status, 204, reply.text);

  const events = (await readEvents(app)).slice(kept);
  const paths: Record<string, string> = {
    account: "accounts",
    lead: "leads",
    case: "cases",
    user: `companies/${company.id}/users`,
  };
  for (const event of events.slice(1)) {
    const kind = event.name.replace("_updated", "");
    const { body } = await admin.call("GET", `/v1/${paths[kind]}/${event.body.id}`);
    assert.deepEqual(event.body, body, event.name);
    if (kind !== "user") assert.equal(body.team_id, successor, event.name);
    if (kind === "lead" || kind === "case") assert.equal(body.team.name, "Successor");
  }
  const [counted] = await app.sql(
    "select (select count(*) from accounts where team_id = ?1) + (select count(*) from leads where team_id = ?1) " +
      "+ (select count(*) from cases where team_id = ?1) + 1 as n",
    successor,
  );
  assert.equal(events.length - 1, counted!.n, "one event for each record");
  for (const [state, id] of Object.entries(ids)) {
    const now = await lead(id);
    const { status, escalates_at, assignments, escalations } = was.get(id)!;
    assert.deepEqual(
      [now.status, now.escalates_at, now.assignments, now.escalations],
      [status, escalates_at, assignments, escalations],
      state,
    );
  }
  for (
    const at of [
      `accounts/${account.id}`,
      `accounts/${account.id}/contacts/${contact.id}`,
      `cases/${open.id}`,
      `cases/${elsewhere.id}`,
      `cases/${closed.id}`,
      `relations-paths/${path.id}`,
      `lead-types/${type}`,
      `leads/${ids.assigned}`,
    ]
  ) {
    assert.equal((await member.call("GET", `/v1/${at}`)).status, 200, at);
    assert.equal((await sales.member.call("GET", `/v1/${at}`)).status, 404, at);
  }
  const left = await app.sql(
    "select 'a' as t from accounts where team_id = ?1 union all select 'c' from contacts where team_id = ?1 " +
      "union all select 's' from cases where team_id = ?1 union all select 'l' from leads where team_id = ?1 " +
      "union all select 't' from lead_types where team_id = ?1 " +
      "union all select 'p' from relations_paths where team_id = ?1 " +
      "union all select 'n' from totals where team_id = ?1 and n <> 0 or status = 't' || ?1 and n <> 0",
    dealer,
  );
  assert.deepEqual(left, []);
});

Deno.test("a lead of a deleted team keeps its countdown at the successor and can be accepted there", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company } = sales;
  const successor = await company.team({ team_type: "dealer", timezone: "Asia/Tokyo" });
  const both = await company.user({ teams: [dealer, successor] });
  const member = await company.user({ teams: [successor] });
  const [stays, goes] = [await sales.lead({ team_id: null }), await sales.lead({ team_id: null })];
  for (const [lead, user] of [[stays, both], [goes, sales.member]] as const) {
    await admin.call("PUT", `/v1/leads/${lead.id}/assign`, { team_id: dealer, user_id: user.id });
  }
  app.clock.move(hour / 2);
  assert.equal((await admin.call("DELETE", remove(dealer, successor))).status, 204);
  const user = async ({ id }: Body) => (await admin.call("GET", `/v1/leads/${id}`)).body.user_id;
  assert.deepEqual([await user(stays), await user(goes)], [both.id, null]);
  const accepted = await member.call("PUT", `/v1/leads/${stays.id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  app.clock.move(hour / 2 - 1000);
  assert.equal(await tick(sales), 0);
  app.clock.move(1000);
  assert.equal(await tick(sales), 1);
  const { body } = await member.call("GET", `/v1/leads/${goes.id}`);
  assert.deepEqual([body.status, body.escalations[0].team_id], ["escalated", successor]);
});

Deno.test("leads of a deleted agency move to the successor, and none becomes visible to all", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, agency, agent, company } = sales;
  const successor = await company.team();
  const other = await company.user({ teams: [successor], rights: ["agency"] });
  const id = await ways.assignable!(sales);
  const done = await ways.accepted_final!(sales);
  const sees = async (lead: string) =>
    await Promise.all([agent, other].map(async (by) => (await by.call("GET", `/v1/leads/${lead}`)).status));
  assert.deepEqual(await sees(id), [200, 404]);
  assert.equal((await admin.call("DELETE", remove(agency))).status, 409);
  assert.equal((await admin.call("DELETE", remove(agency, successor))).status, 204);
  assert.deepEqual(await sees(id), [404, 200]);
  assert.equal((await admin.call("GET", `/v1/leads/${id}`)).body.agency_team_id, successor);
  assert.equal((await admin.call("GET", `/v1/leads/${done}`)).body.agency_team_id, successor);
});

Deno.test("without assign_to closed records of a deleted team stay, are visible to admins only, and can change", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = await newPath(admin);
  const team = await company.team();
  const outsider = await company.user({ teams: [await company.team()], rights: ["agency"] });
  const nobody = await company.user();
  const { contact, account } = await newContact(admin, {}, { team_id: team });
  const { body: of } = await admin.call("POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    team_id: team,
  });
  const act = (type: string) =>
    admin.call("POST", `/v1/cases/${of.id}/activities`, { activity_type_ids: [path.types[type]] });
  await act("Sold");
  assert.equal((await admin.call("DELETE", remove(team))).status, 204);
  for (const at of [`cases/${of.id}`, `accounts/${account.id}`, `contacts/${contact.id}`]) {
    assert.equal((await admin.call("GET", `/v1/${at}`)).status, 200, at);
    for (const by of [outsider, nobody]) assert.equal((await by.call("GET", `/v1/${at}`)).status, 404, at);
  }
  const { body } = await admin.call("GET", `/v1/cases/${of.id}`);
  assert.deepEqual([body.team_id, body.team], [team, null]);
  assert.equal((await act("Reopened")).status, 201, "a case of a deleted team can change");
  const moved = await admin.call("PUT", `/v1/accounts/${account.id}`, { team_id: null });
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await nobody.call("GET", `/v1/contacts/${contact.id}`)).status, 200);
});

Deno.test("a lead that a deleted team rejected can be changed and reassigned", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, agent, company, member } = sales;
  const ids = [await ways.rejected!(sales), await ways.revoked!(sales)];
  assert.equal((await admin.call("DELETE", remove(dealer))).status, 204);
  const next = await company.team({ team_type: "dealer" });
  for (const id of ids) {
    assert.equal((await member.call("GET", `/v1/leads/${id}`)).status, 404);
    const changed = await agent.call("PUT", `/v1/leads/${id}`, { interest: "A van" });
    assert.deepEqual([changed.status, changed.body.team_id, changed.body.team], [200, dealer, null]);
    const assigned = await agent.call("PUT", `/v1/leads/${id}/assign`, { team_id: next });
    assert.deepEqual([assigned.status, assigned.body.team?.id], [201, next], assigned.text);
  }
});

Deno.test("custom fields of a deleted team move to the successor, or stay for admins; its field order is deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [team, successor, other] = [await company.team(), await company.team(), await company.team()];
  for (const id of [team, other]) {
    await app.deps.db.write([{
      sql:
        "insert into fields (id, company_id, owner_type, name, label, type, team_id, created_at, updated_at) " +
        "values (?1, ?2, 'account', ?1, ?1, 'text', ?3, '', '')",
      args: [`field-${id}`, company.id, id],
    }, {
      sql: "insert into field_orders (company_id, owner_type, scope, team_id, items) " +
        "values (?1, 'account', 'team ' || ?2, ?2, '[]')",
      args: [company.id, id],
    }]);
  }
  const readKept = async () => await app.sql("select id, team_id, version from fields order by seq");
  assert.equal((await company.admin.call("DELETE", remove(team, successor))).status, 204);
  const rest = { id: `field-${other}`, team_id: other, version: 1 };
  assert.deepEqual(await readKept(), [{ id: `field-${team}`, team_id: successor, version: 2 }, rest]);
  assert.deepEqual(await app.sql("select team_id from field_orders"), [{ team_id: other }]);
  assert.equal((await company.admin.call("DELETE", remove(other))).status, 204);
  assert.deepEqual((await readKept())[1], rest, "with no team everybody would see it");
  assert.deepEqual(await app.sql("select team_id from field_orders"), []);
});

Deno.test("settings of lead types for a deleted team are removed, even with a successor", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company, path: relations_path_id } = sales;
  const successor = await company.team({ team_type: "dealer" });
  const settings = [{ team_id: dealer, relations_path_id }, { team_id: successor, relations_path_id }];
  const type = await sales.leadType({ team_settings: settings });
  const other = await sales.leadType({ team_settings: settings.slice(1) });
  const { body: untouched } = await admin.call("GET", `/v1/lead-types/${other}`);
  await sales.lead({ lead_type_id: type });
  app.clock.move(60_000);
  assert.equal((await admin.call("DELETE", remove(dealer, successor))).status, 204);
  const { body } = await admin.call("GET", `/v1/lead-types/${type}`);
  assert.deepEqual(body.team_settings, [{ ...settings[1], user_id: null }]);
  assert.equal(body.updated_at, "2026-03-02 09:01:00");
  assert.deepEqual((await admin.call("GET", `/v1/lead-types/${other}`)).body, untouched);
  const lone = await company.team();
  const named = await sales.leadType({ team_settings: [{ team_id: lone, relations_path_id }] });
  assert.equal((await admin.call("DELETE", remove(lone))).status, 204);
  assert.deepEqual((await admin.call("GET", `/v1/lead-types/${named}`)).body.team_settings, []);
});

Deno.test("a lead cannot be created for or assigned to a team that is deleted meanwhile", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, company } = sales;
  const free = await sales.lead({ team_id: null });
  const calls = [
    ["POST", "/v1/leads", (team_id: number) => sales.body({ team_id })],
    ["PUT", `/v1/leads/${free.id}/assign`, (team_id: number) => ({ team_id })],
  ] as const;
  for (const [method, path, body] of calls) {
    const team = await company.team({ team_type: "dealer" });
    const reply = await callMeanwhile(app, admin, method, path, async () => {
      assert.equal((await admin.call("DELETE", remove(team))).status, 204);
    }, body(team));
    assert.equal(reply.status, 422, path);
    assert.equal((await reply.json()).errors[0].path, "team_id");
  }
  const team = await company.team({ team_type: "dealer" });
  const blocked = await callMeanwhile(
    app,
    admin,
    "DELETE",
    remove(team),
    () => sales.lead({ team_id: team }),
  );
  assert.equal(blocked.status, 409);
});
