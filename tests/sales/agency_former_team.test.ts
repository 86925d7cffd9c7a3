import assert from "node:assert/strict";
import { createAccount, createContact, selectNames } from "../customers/filters_world.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { hour, put, tick } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";

/** All reads and events that could show a user a lead of the account or its contact. */
async function traces({ app }: World, actor: Actor, id: string, case_id: string): Promise<object> {
  const total = async (query: string) => {
    const { body } = await actor.call("GET", `/v1/leads?${query}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.pagination.total;
  };
  const its_case = await actor.call("GET", `/v1/cases/${case_id}`);
  const [heard] = await app.sql(
    "select count(*) as n from deliveries d join webhooks w on w.id = d.webhook_id join outbox e on e.id = d.event_id " +
      "where w.user_id = ? and e.entity_id = ? and e.created_at = ?",
    actor.id,
    id,
    (await app.sql("select max(created_at) as at from outbox where entity_id = ?", id))[0]!.at!,
  );
  return {
    get: (await actor.call("GET", `/v1/leads/${id}`)).status,
    listed: [await total(""), await total("status=assigned"), await total("status=revoked")],
    accounts: await selectNames(actor, "accounts", ["lead.status", "exists", true]),
    contacts: await selectNames(actor, "contacts", ["lead.created_at", "lte", "NOW"]),
    teams: await selectNames(actor, "accounts", ["lead.assignments.team_id", "gt", 0]),
    case_shows: its_case.status === 200 ? its_case.body.lead?.id ?? null : its_case.status,
    reported: heard!.n,
  };
}

Deno.test("the former team of a reassigned lead sees no trace of the lead", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company, admin, dealer, agent } = place;
  const rights = ["webhooks.manage"] as const;
  const former = await company.user({ teams: [dealer], rights: [...rights] });
  const second = await company.team({ name: "Second", team_type: "dealer" });
  const latter = await company.user({ teams: [second], rights: [...rights] });
  for (const actor of [former, latter]) {
    const hook = { target_url: `http://127.0.0.1:9/${actor.id}`, webhook_event: "*" };
    assert.equal((await actor.call("POST", "/v1/webhooks", hook)).status, 201);
  }
  const firm = await createAccount(admin, "Firm", { team_id: dealer });
  const ada = await createContact(admin, firm.id, "Ada");
  const { id } = await place.lead({
    account: undefined,
    account_id: firm.id,
    contact: undefined,
    contact_id: ada.id,
  });
  const { case_id } = (await former.call("PUT", `/v1/leads/${id}/accept`, {})).body;
  for (const move of ["escalate", "call", "revoke"]) {
    if (move === "call") assert.equal((await put(place, "agent", id, "/call")).status, 200);
    else {
      app.clock.move(3 * hour);
      assert.equal(await tick(place), 1);
    }
  }
  const shown = { get: 200, listed: [1, 0, 1], accounts: "Firm", contacts: "Ada", teams: "Firm" };
  assert.deepEqual(await traces(place, former, id, case_id), { ...shown, case_shows: id, reported: 1 });
  const nothing = { get: 404, listed: [0, 0, 0], accounts: "", contacts: "", teams: "" };
  assert.deepEqual(await traces(place, latter, id, case_id), { ...nothing, case_shows: 404, reported: 0 });

  app.clock.move(60_000);
  const assigned = await put(place, "agent", id, "/assign", { team_id: second });
  assert.equal(assigned.status, 201, assigned.text);
  assert.deepEqual(await traces(place, former, id, case_id), { ...nothing, case_shows: null, reported: 0 });
  const theirs = await traces(place, latter, id, case_id);
  assert.deepEqual(theirs, { ...nothing, get: 200, listed: [1, 1, 0], case_shows: 404, reported: 1 });

  // The former team does not see the work of the new team. It keeps its own customer and case.
  app.clock.move(60_000);
  const again = await latter.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(await traces(place, former, id, case_id), { ...nothing, case_shows: null, reported: 0 });
  for (const verb of ["accept", "reject"]) {
    const refused = await former.call("PUT", `/v1/leads/${id}/${verb}`, { rejection_reason: "Mine" });
    assert.equal(refused.status, 404);
  }
  assert.equal((await former.call("PUT", `/v1/leads/${id}`, { interest: "Van" })).status, 404);
  const { body: cases } = await former.call("GET", "/v1/cases");
  assert.deepEqual(cases.data.map((each: Body) => each.id), [case_id]);
  assert.equal((await agent.call("GET", `/v1/leads/${id}`)).status, 200, "the agency's still");
});
