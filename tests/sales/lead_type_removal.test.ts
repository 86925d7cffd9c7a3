import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { put } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

const at = (id: string) => `/v1/lead-types/${id}`;

Deno.test("an unused lead type can be deleted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const type = await sales.leadType();
  assert.equal((await admin.call("DELETE", at(type))).status, 204);
  assert.equal((await admin.call("GET", at(type))).status, 404);
  const { body } = await admin.call("GET", "/v1/lead-types");
  assert.deepEqual([body.data.map(({ id }: Body) => id), body.pagination.total], [[sales.type], 1]);
  const refused = await admin.call("POST", "/v1/leads", sales.body({ lead_type_id: type }));
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "lead_type_id"]);
});

Deno.test("a lead type with leads, also expired or deleted ones, or with their cases and accounts cannot be deleted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const blockedBy = async (type: string) => {
    const refused = await admin.call("DELETE", at(type));
    if (refused.status === 204) return {};
    assert.deepEqual([refused.status, refused.body.code], [409, "delete_blocked"]);
    return Object.fromEntries(refused.body.impact.blocked_by.map(({ type, amount }: Body) => [type, amount]));
  };
  const expiring = await sales.leadType();
  await sales.lead({ lead_type_id: expiring, expires_at: "2026-03-03 00:00:00" });
  app.clock.move(48 * 3_600_000);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(await blockedBy(expiring), { lead: 1 });

  const deleted = await sales.leadType();
  const gone = await sales.lead({ lead_type_id: deleted });
  assert.equal((await admin.call("DELETE", `/v1/leads/${gone.id}`)).status, 204);
  assert.deepEqual(await blockedBy(deleted), { lead: 1 }, "filters still find it by the name of its type");

  const used = await sales.leadType();
  await sales.lead({ lead_type_id: used });
  const accepted =
    (await put(sales, "member", (await sales.lead({ lead_type_id: used })).id, "/accept")).body;
  assert.deepEqual(await blockedBy(used), { lead: 2, case: 1, account: 1 });
  assert.equal((await admin.call("GET", at(used))).status, 200);
  assert.equal(
    (await admin.call("GET", `/v1/accounts?created_with_lead_types=${used}`)).body.pagination.total,
    1,
  );

  // Deleting the account deletes all records of one lead.
  await admin.call("DELETE", `/v1/accounts/${accepted.account_id}`);
  assert.deepEqual(await blockedBy(used), { lead: 1 });
});

Deno.test("a lead is rejected while its type is deleted, and a type that gets a lead meanwhile stays", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const gone = await sales.leadType();
  const remove = () => admin.call("DELETE", at(gone));
  const late = await callMeanwhile(
    app,
    admin,
    "POST",
    "/v1/leads",
    remove,
    sales.body({ lead_type_id: gone }),
  );
  assert.equal(late.status, 422);
  const type = await sales.leadType();
  const blocked = await callMeanwhile(
    app,
    admin,
    "DELETE",
    at(type),
    () => sales.lead({ lead_type_id: type }),
  );
  assert.equal(blocked.status, 409);
  assert.equal((await admin.call("GET", at(type))).status, 200);
});

Deno.test("the successor of a deleted user receives the escalations once, and the leads of a team where a member", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company, path } = sales;
  const near = await company.team();
  const [gone, successor] = [
    await company.user({ teams: [dealer, near] }),
    await company.user({ teams: [dealer] }),
  ];
  const setting = (team_id: number, user_id: number | null) => ({
    team_id,
    relations_path_id: path,
    user_id,
  });
  const settings = [setting(dealer, gone.id), setting(near, gone.id)];
  const first = await sales.leadType({
    escalation_user_ids: [admin.id, gone.id],
    team_settings: settings,
  });
  const second = await sales.leadType({ escalation_user_ids: [successor.id, gone.id, admin.id] });
  const other = await sales.leadType({ escalation_user_ids: [admin.id] });
  const { text: untouched } = await admin.call("GET", at(other));
  app.clock.move(60_000);
  const address = `/v1/companies/${company.id}/users/${gone.id}?assign_to=${successor.id}`;
  assert.equal((await admin.call("DELETE", address)).status, 204);
  const { body } = await admin.call("GET", at(first));
  assert.deepEqual(body.escalation_user_ids, [admin.id, successor.id]);
  assert.deepEqual(body.team_settings, [setting(dealer, successor.id), setting(near, null)]);
  assert.equal(body.updated_at, "2026-03-02 09:01:00");
  assert.deepEqual((await admin.call("GET", at(second))).body.escalation_user_ids, [successor.id, admin.id]);
  assert.equal((await admin.call("GET", at(other))).text, untouched);
});

Deno.test("no lead type names a user who is deleted without a successor", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company, member } = sales;
  const setting = { team_id: dealer, relations_path_id: sales.path, user_id: member.id };
  const type = await sales.leadType({
    escalation_user_ids: [member.id, admin.id],
    team_settings: [setting],
  });
  const lead = await sales.lead({ lead_type_id: type });
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}/users/${member.id}`)).status, 204);
  const { body } = await admin.call("GET", at(type));
  assert.deepEqual([body.escalation_user_ids, body.team_settings], [[admin.id], [{
    ...setting,
    user_id: null,
  }]]);
  assert.deepEqual((await admin.call("GET", `/v1/leads/${lead.id}`)).body.lead_type, body);
});

Deno.test("a lead type does not name a user or team that is deleted meanwhile", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, company, type, path } = sales;
  const body = { name: "New", relations_path_ids: [path] };
  for (const [method, address] of [["POST", "/v1/lead-types"], ["PUT", at(type)]] as const) {
    const team = await company.team();
    const user = await company.user({ teams: [team] });
    const removal = { [`companies/${company.id}/users/${user.id}`]: 0, [`teams/${team}`]: 0 };
    const [users, teams] = Object.keys(removal).map((what) => () => admin.call("DELETE", `/v1/${what}`));
    const telling = { ...body, escalation_user_ids: [user.id] };
    const reported = await callMeanwhile(app, admin, method, address, users!, telling);
    assert.equal((await reported.json()).errors[0].path, "escalation_user_ids[0]");
    const setting = { ...body, team_settings: [{ team_id: team }] };
    const set = await callMeanwhile(app, admin, method, address, teams!, setting);
    assert.equal((await set.json()).errors[0].path, "team_settings[0].team_id");
    const place = await company.team();
    const owned = { ...body, team_id: place };
    const removeTeam = () => admin.call("DELETE", `/v1/teams/${place}`);
    assert.equal((await callMeanwhile(app, admin, method, address, removeTeam, owned)).status, 422);
  }
});
