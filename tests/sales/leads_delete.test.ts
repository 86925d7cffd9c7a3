import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { companyErasureWork } from "../../src/erase.ts";
import { runStaged } from "../../src/staged/run.ts";
import { type Body, startApp } from "../support/app.ts";
import { overtakeReads } from "../support/race.ts";
import { make, selectNames } from "../customers/filters_world.ts";
import { hour, put, tick, ways } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";
import { newContact, readEvents } from "./parts.ts";

const remove = ({ admin }: World, id: string, headers = {}) =>
  admin.call("DELETE", `/v1/leads/${id}`, undefined, headers);

const filterLeads = async ({ admin }: World, filter: Body[]): Promise<Body> => {
  const reply = await admin.call("POST", "/v1/leads/filter?per_page=100", { filter });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.pagination.total, reply.body.data.length);
  return reply.body.data.map(({ id }: Body) => id);
};

Deno.test("a lead in any state can be deleted, and then is not read, listed, counted, changed or escalated", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, agent, member } = sales;
  const kept = await sales.lead({ interest: "Kept" });
  await put(sales, "member", kept.id, "/reject", { rejection_reason: "Far" });
  for (const state of Object.keys(ways)) {
    const id = await ways[state]!(sales);
    const { body: { status } } = await admin.call("GET", `/v1/leads/${id}`);
    const lists = async () =>
      await Promise.all(
        [admin, agent, member].flatMap((actor) =>
          ["", `?status=${status}`, "?sort=-updated_at&per_page=1", "?lead_sources=website"].map(async (
            query,
          ) => (await actor.call("GET", `/v1/leads${query}`)).body.pagination.total)
        ),
      );
    const before = await lists();
    assert.equal((await remove(sales, id)).status, 204, state);
    assert.deepEqual(
      await lists(),
      before.map((total, place) => total - (place < 8 || isMembers(state) ? 1 : 0)),
      state,
    );
    for (const actor of [admin, agent, member]) {
      assert.equal((await actor.call("GET", `/v1/leads/${id}`)).status, 404, state);
    }
    const calls: [string, unknown][] = [
      ["", { interest: "Van" }],
      ["/accept", { user_id: member.id }],
      ["/reject", { rejection_reason: "Far" }],
      ["/assign", { team_id: sales.dealer }],
      ["/call", {}],
    ];
    const events = await sales.events();
    for (const [verb, body] of calls) {
      assert.equal((await put(sales, "admin", id, verb, body)).status, 404, verb);
    }
    assert.equal((await remove(sales, id)).status, 404);
    app.clock.move(1000 * hour);
    assert.equal(await tick(sales), 0, state);
    assert.equal(await sales.events(), events, state);
  }
  const { body } = await admin.call("GET", "/v1/leads");
  assert.deepEqual([body.pagination.total, body.data[0].id], [1, kept.id]);
  const totals = await app.sql("select team_id, status, n from totals where kind = 'leads' and n <> 0");
  assert.deepEqual(totals, [{ team_id: sales.dealer, status: "rejected", n: 1 }]);
});

/** Only the agency sees a lead that never had a team. */
const isMembers = (state: string) => state !== "assignable";

Deno.test("a deletion sends one event with the lead as it was before", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const lead = await sales.lead({ interest: "Estate" });
  const before = await sales.admin.call("GET", `/v1/leads/${lead.id}`);
  const known = (await readEvents(app)).length;
  app.clock.move(60_000);
  const stale = await remove(sales, lead.id, { "If-Match": '"other"' });
  assert.equal(stale.status, 412);
  const gone = await remove(sales, lead.id, { "If-Match": before.headers.get("etag")! });
  assert.deepEqual([gone.status, gone.text], [204, ""]);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.map(({ name }) => name), ["lead_deleted"]);
  assert.deepEqual(events[0]!.body, before.body);
});

Deno.test("the records of an acceptance stay; its case shows the lead before the deleted one and sends an event", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: sales.dealer });
  const accepted: Body[] = [];
  for (const interest of ["Estate", "Van", "Bus"]) {
    const { id } = await sales.lead({ interest });
    const reply = await put(sales, "member", id, "/accept", {
      account_id: account.id,
      contact_id: contact.id,
    });
    assert.equal(reply.status, 200, reply.text);
    accepted.push(reply.body);
  }
  const [first, second, third] = accepted as [Body, Body, Body];
  assert.equal(third.case_id, first.case_id);
  const its_case = async () => (await admin.call("GET", `/v1/cases/${first.case_id}`)).body;
  const eventsFor = async (id: string) => {
    const known = (await readEvents(app)).length;
    app.clock.move(60_000);
    assert.equal((await remove(sales, id)).status, 204);
    return (await readEvents(app)).slice(known);
  };
  // The case shows a later lead and does not change.
  const before = await its_case();
  assert.deepEqual((await eventsFor(first.id)).map(({ name }) => name), ["lead_deleted"]);
  assert.deepEqual(await its_case(), before);
  for (const [gone, left] of [[third, "Van"], [second, null]] as const) {
    const events = await eventsFor(gone.id);
    assert.deepEqual(events.map(({ name }) => name), ["lead_deleted", "case_updated"]);
    const now = await its_case();
    assert.equal(now.lead?.interest ?? null, left);
    assert.deepEqual(events[1]!.body, now);
  }
  const [listed] = (await member.call("GET", "/v1/cases")).body.data;
  assert.deepEqual([listed.id, listed.lead, listed.lead_source], [first.case_id, null, "website"]);
  assert.equal((await member.call("GET", `/v1/accounts/${account.id}`)).status, 200);
  assert.equal((await admin.call("GET", `/v1/cases?created_from_lead=true`)).body.pagination.total, 1);
});

Deno.test("the first activity of its case does not change a deleted lead", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const id = await ways.accepted!(sales);
  const { body: { case_id } } = await sales.admin.call("GET", `/v1/leads/${id}`);
  const { body: { milestones } } = await sales.admin.call("GET", `/v1/cases/${case_id}`);
  await remove(sales, id);
  const known = (await readEvents(app)).length;
  const row = () => app.sql("select state, version, updated_at from leads where id = ?", id);
  const before = await row();
  app.clock.move(60_000);
  await make(sales.admin, `/v1/cases/${case_id}/activities`, { activity_type_ids: [milestones[0].id] });
  assert.deepEqual(await row(), before);
  assert.ok((await readEvents(app)).slice(known).every(({ name }) => !name.startsWith("lead")));
});

Deno.test("filters find a deleted lead only if they name lead.deleted_at, and never an expired one", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: dealer });
  const named = { account: undefined, account_id: account.id, contact: undefined, contact_id: contact.id };
  const gone = await sales.lead({ ...named, interest: "Gone", expires_at: "2026-03-04 00:00:00" });
  const late = await sales.lead({ interest: "Late", expires_at: "2026-03-03 00:00:00" });
  const there = await sales.lead({ interest: "There" });
  const deleted = { field: "lead.deleted_at", operator: "exists", value: true };
  const alive = { field: "lead.deleted_at", operator: "exists", value: false };
  const status = (operator: string, value: unknown) => ({ field: "lead.status", operator, value });
  assert.deepEqual(await filterLeads(sales, [deleted]), []);
  app.clock.move(60_000);
  await remove(sales, gone.id);
  assert.deepEqual(await filterLeads(sales, [deleted]), [gone.id]);
  assert.deepEqual(await filterLeads(sales, [alive]), [there.id, late.id]);
  assert.deepEqual(await filterLeads(sales, [status("eq", "assigned")]), [there.id, late.id]);
  assert.deepEqual(await filterLeads(sales, [status("neq", "revoked")]), [there.id, late.id]);
  assert.deepEqual(await filterLeads(sales, [status("eq", "assigned"), deleted]), [gone.id]);
  assert.deepEqual(await filterLeads(sales, [{ or: [deleted, alive] }]), [there.id, late.id, gone.id]);
  assert.deepEqual(await filterLeads(sales, []), [there.id, late.id]);
  const before = { field: "lead.deleted_at", operator: "lt", value: "NOW" };
  assert.deepEqual(await filterLeads(sales, [before]), []);
  app.clock.move(1000);
  assert.deepEqual(await filterLeads(sales, [before]), [gone.id]);
  // The same holds for filters of contacts.
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "contacts", [field, operator, value]);
  assert.equal(await by("lead.deleted_at", "lte", "NOW"), await by("contact.status", "eq", "lead"));
  assert.equal(await by("lead.status", "eq", "assigned"), "");
  // An expired lead is in no list, even when deleted.
  app.clock.set(Date.UTC(2026, 2, 3, 12));
  assert.deepEqual(await filterLeads(sales, [{ or: [deleted, alive] }]), [there.id, gone.id]);
  app.clock.set(Date.UTC(2026, 2, 5));
  assert.deepEqual(await filterLeads(sales, [{ or: [deleted, alive] }]), [there.id]);
});

Deno.test("deleted leads are removed with their account or company without another event, and block no team", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const sales = await makeSales(app);
  const { admin, dealer } = sales;
  const { account } = await newContact(admin, {}, { team_id: dealer });
  const lead = await sales.lead({ account: undefined, account_id: account.id });
  const open = await sales.lead();
  for (const { id } of [lead, open]) await remove(sales, id);
  const impact = await admin.call("GET", `/v1/accounts/${account.id}/delete-impact`);
  assert.deepEqual(impact.body.deletes.map(({ type }: Body) => type), ["contact"]);
  const known = (await readEvents(app)).length;
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  const names = (await readEvents(app)).slice(known).map(({ name }) => name);
  assert.deepEqual(names, ["contact_deleted", "account_deleted"]);
  assert.deepEqual(await app.sql("select id from leads"), [{ id: open.id }]);
  const blocked = await admin.call("GET", `/v1/teams/${dealer}/delete-impact`);
  assert.deepEqual(blocked.body.blocked_by, []);
  assert.equal((await admin.call("DELETE", `/v1/teams/${dealer}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/companies/${sales.company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + hour, [companyErasureWork]);
  assert.deepEqual(await app.sql("select id from leads union all select lead_id from lead_transitions"), []);
});

Deno.test("of a concurrent deletion and acceptance one succeeds, and a lead is deleted once", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const late = (id: string, meanwhile: () => Promise<unknown>) =>
    Promise.resolve(
      createApp({ ...app.deps, db: overtakeReads(app.deps.db, meanwhile) }).fetch(
        new Request(`http://localhost/v1/leads/${id}`, {
          method: "DELETE",
          headers: { Authorization: `Bearer ${sales.admin.token}` },
        }),
      ),
    );
  const [one, other] = [await sales.lead(), await sales.lead()];
  const accepted = await late(one.id, () => put(sales, "member", one.id, "/accept"));
  assert.equal(accepted.status, 204, "a deletion applies to the present lead");
  const event = (await readEvents(app)).find(({ name }) => name === "lead_deleted");
  assert.equal(event!.body.status, "accepted");
  const twice = await late(other.id, () => remove(sales, other.id));
  assert.equal(twice.status, 404);
  assert.equal((await readEvents(app)).filter(({ name }) => name === "lead_deleted").length, 2);
});
