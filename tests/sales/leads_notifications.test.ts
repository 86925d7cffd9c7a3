import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { put } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

/** Type and data of the user's notifications, newest first. */
async function readNotified(app: TestApp, { id }: Actor): Promise<[unknown, Body][]> {
  const rows = await app.sql("select type, data from notifications where user_id = ? order by id desc", id);
  return rows.map(({ type, data }) => [type, JSON.parse(String(data))]);
}

Deno.test("a new lead notifies the members of its team, and nobody without a team", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { member, agent, dealer, type, company } = sales;
  const colleague = await company.user({ teams: [dealer] });
  const stranger = await company.user({ teams: [await company.team()] });
  await sales.lead({ team_id: null });
  assert.deepEqual(await readNotified(app, member), []);
  const lead = await sales.lead();
  const expected = [["lead_assigned", {
    lead: { id: lead.id },
    lead_type: { id: type, name: "Test drive" },
  }]];
  for (const actor of [member, colleague]) assert.deepEqual(await readNotified(app, actor), expected);
  for (const actor of [agent, stranger, sales.admin]) assert.deepEqual(await readNotified(app, actor), []);
});

Deno.test("an acceptance notifies the agency users of the lead's agency team, or of the company without one", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, agent, member, type, company } = sales;
  const other = await company.user({ teams: [await company.team()], rights: ["agency"] });
  const plain = await company.user({ teams: [sales.agency] });
  const accept = async (more: object) => {
    app.clock.move(1000);
    const { id } = await sales.lead(more);
    const reply = await put(sales, "member", id, "/accept");
    assert.equal(reply.status, 200, reply.text);
    const its_case = (await admin.call("GET", `/v1/cases/${reply.body.case_id}`)).body;
    return ["lead_accepted", {
      lead: { id },
      lead_type: { id: type, name: "Test drive" },
      case: { id: its_case.id, case_number: its_case.case_number, relations_path_name: "New cars" },
    }];
  };
  const first = await accept({});
  assert.deepEqual(await readNotified(app, agent), [first]);
  assert.deepEqual(await readNotified(app, other), []);
  const second = await accept({ agency_team_id: null });
  assert.deepEqual(await readNotified(app, agent), [second, first]);
  assert.deepEqual(await readNotified(app, other), [second]);
  assert.deepEqual(await readNotified(app, plain), []);
  const types = (await readNotified(app, member)).map(([type]) => type);
  assert.deepEqual(types, ["lead_assigned", "lead_assigned"]);
});
