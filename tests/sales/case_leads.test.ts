import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { newPath, readEvents } from "./parts.ts";
import { put, runOut } from "./leads_states.ts";
import { makeSales, nameFields } from "./leads_world.ts";

Deno.test("the first activity of its case makes an acceptance final and ends the countdown", async () => {
  await using app = await startApp();
  const { member, lead, path, admin } = await makeSales(app);
  const { id } = await lead();
  const accepted = await member.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const address = `/v1/cases/${accepted.body.case_id}`;
  const opened = await member.call("GET", address);
  assert.deepEqual(
    [opened.body.lead.id, opened.body.lead_source, opened.body.escalates_at],
    [id, "website", accepted.body.escalates_at],
  );
  const types = (await admin.call("GET", `/v1/relations-paths/${path}`)).body.activity_types.milestones;
  app.clock.move(60_000);
  const before = (await readEvents(app)).length;
  const order = types.find(({ name }: { name: string }) => name === "Order").id;
  const sent = await member.call("POST", `${address}/activities`, { activity_type_ids: [order] });
  assert.equal(sent.status, 201, sent.text);

  const { body: now } = await member.call("GET", `/v1/leads/${id}`);
  assert.deepEqual([now.status, now.escalates_at], ["accepted", null]);
  assert.equal(now.acceptions[0].first_activity_at, "2026-03-02 09:01:00");
  const { body: its_case } = await member.call("GET", address);
  assert.deepEqual([its_case.lead.escalates_at, its_case.escalates_at], [null, null]);
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events.map(({ name }) => name), [
    "activity_created",
    "case_updated",
    "contact_updated",
    "lead_updated",
  ]);
  assert.deepEqual(events[1]!.body, its_case);
  assert.deepEqual(events[3]!.body, now);
});

Deno.test("cases are filtered by the lead that opened them, its type and its source", async () => {
  await using app = await startApp();
  const { member, admin, lead, path, type, leadType } = await makeSales(app);
  const accept = async (more: object): Promise<Body> => {
    const { id } = await lead(more);
    return (await member.call("PUT", `/v1/leads/${id}/accept`, {})).body;
  };
  const web = await accept({});
  const fair = await accept({
    lead_source: "fair",
    lead_type_id: await leadType(),
    account: { fixed_fields: [{ name: "name", value: "Other Ltd" }] },
  });
  const byHand = await admin.call("POST", "/v1/cases", {
    contact_id: web.contact_id,
    relations_path_id: path,
  });
  const listFound = async (query: string) =>
    (await member.call("GET", `/v1/cases?${query}`)).body.data.map(({ id }: Body) => id).sort();
  assert.deepEqual(await listFound("created_from_lead=true"), [web.case_id, fair.case_id].sort());
  assert.deepEqual(await listFound("created_from_lead=false"), [byHand.body.id]);
  assert.deepEqual(await listFound(`lead_types=${type}`), [web.case_id]);
  assert.deepEqual(await listFound("lead_sources=fair"), [fair.case_id]);
});

Deno.test("a lead keeps its present case when the case of its former team is deleted", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  const id = await runOut(place, "called_after_acceptance");
  const { case_id: former } = (await admin.call("GET", `/v1/leads/${id}`)).body;
  const other = await company.team({ name: "Other dealer", team_type: "dealer" });
  const newcomer = await company.user({ teams: [other] });
  assert.equal((await put(place, "agent", id, "/assign", { team_id: other })).status, 201);
  const accepted = await newcomer.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const present = accepted.body.case_id;
  assert.notEqual(present, former);
  assert.equal((await admin.call("DELETE", `/v1/cases/${former}`)).status, 204);
  const { body: lead } = await admin.call("GET", `/v1/leads/${id}`);
  assert.equal(lead.case_id, present);
  assert.deepEqual(lead.acceptions.map((each: Body) => each.case_id), [null, present]);
  assert.equal((await newcomer.call("GET", `/v1/cases/${present}`)).body.lead.id, id);
});

Deno.test("a case shows the lead that was last accepted into it, with its source, in GET and in lists", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { member } = place;
  const first = (await member.call("PUT", `/v1/leads/${(await place.lead()).id}/accept`, {})).body;
  const { account_id, contact_id, case_id } = first;
  const second = await place.lead({ lead_source: "fair", account_id, contact_id });
  const accepted = await member.call("PUT", `/v1/leads/${second.id}/accept`, {});
  assert.deepEqual([accepted.status, accepted.body.case_id], [200, case_id]);
  const { body } = await member.call("GET", `/v1/cases/${case_id}`);
  const [entry] = (await member.call("GET", "/v1/cases")).body.data;
  for (const shown of [body, entry]) {
    assert.deepEqual([shown.lead.id, shown.lead.lead_source, shown.lead_source], [second.id, "fair", "fair"]);
    assert.equal(shown.escalates_at, accepted.body.escalates_at);
  }
});

Deno.test("lists of cases show the contact's name for a consumer's account without a name", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = await admin.call("POST", "/v1/accounts", { b2c: true });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ first_name: "Ada", last_name: "Byron" }),
  });
  const path = await newPath(admin);
  const made = await admin.call("POST", "/v1/cases", {
    contact_id: contact.body.id,
    relations_path_id: path.id,
  });
  assert.equal(made.status, 201, made.text);
  const [entry] = (await admin.call("GET", "/v1/cases")).body.data;
  assert.deepEqual([entry.account.name, entry.contact.name], ["Ada Byron", "Ada Byron"]);
});
