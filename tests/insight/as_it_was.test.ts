/**
 * A backdated change alters the figures of its earlier moment by exactly what it records, and nothing else.
 */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newCase } from "../sales/parts.ts";
import { act, makeScene, plan } from "../sales/tasks_world.ts";

/** The value of an indicator for the whole company. */
async function figure(by: Actor, indicator: string, query: string): Promise<number | null> {
  const reply = await by.call("GET", `/v1/reports/metrics?indicators=${indicator}&group_by=&${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data[0].value;
}

const line = (product: string) => ({ product_details: [{ products: [{ id: product, quantity: 3 }] }] });

async function shop() {
  const app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const product = async (name: string): Promise<string> => {
    const fixed_fields = [{ name: "name", value: name }, { name: "list_price", value: 100 }];
    return (await admin.call("POST", "/v1/products", { fixed_fields })).body.id;
  };
  const made = await newCase(member, path, { created_at: "2026-01-05 08:00:00" });
  const on = (day: string) => ({ created_at: `2026-${day} 00:00:00` });
  return { app, admin, member, path, product, made, on };
}

Deno.test("a case that was closed at the time of an offer was not open then", async () => {
  const { app: opened, admin, member, path, product, made, on } = await shop();
  await using app = opened;
  const car = await product("Car");
  await act(member, path, made.id, ["Lost"], on("01-10"));
  await act(member, path, made.id, ["Reopened"], on("02-10"));
  app.clock.move(60_000);
  await act(member, path, made.id, ["Offer"], { ...on("01-20"), ...line(car) });
  const open = (end: string) => figure(admin, "cases.open", `end_at=2026-${end} 00:00:00`);
  assert.deepEqual([await open("01-10"), await open("02-01"), await open("02-11")], [1, 0, 1]);
  assert.equal(await figure(admin, "cases.open.value", "end_at=2026-02-11 00:00:00"), 300);
});

Deno.test("a backdated milestone does not backdate the products of an offer", async () => {
  const { app: opened, admin, member, path, product, made, on } = await shop();
  await using app = opened;
  const car = await product("Car");
  await act(member, path, made.id, ["Call"], { ...on("02-10"), ...line(car) });
  app.clock.move(60_000);
  await act(member, path, made.id, ["Contacted"], on("01-10"));
  const open = (end: string) => figure(admin, "cases.open", `end_at=2026-${end} 00:00:00&product_ids=${car}`);
  assert.deepEqual([await open("02-01"), await open("02-11")], [0, 1]);
});

Deno.test("an offer of an earlier day is what the case offered until the next one", async () => {
  const { app: opened, admin, member, path, product, made, on } = await shop();
  await using app = opened;
  const car = await product("Car");
  await act(member, path, made.id, ["Call"], { ...on("02-10"), ...line(car) });
  app.clock.move(60_000);
  await act(member, path, made.id, ["Call"], { ...on("01-10"), ...line(car) });
  assert.equal(await figure(admin, "cases.open.value", "end_at=2026-02-01 00:00:00"), 300);
});

Deno.test("an offer of an earlier day is weighted by the chance of then", async () => {
  const { app: opened, admin, member, path, product, made, on } = await shop();
  await using app = opened;
  const car = await product("Car");
  await act(member, path, made.id, ["Contacted"], on("01-08"));
  await act(member, path, made.id, ["Offer"], { ...on("02-10"), ...line(car) });
  app.clock.move(60_000);
  await act(member, path, made.id, ["Call"], { ...on("01-10"), ...line(car) });
  const readWeighted = (end: string) =>
    figure(admin, "cases.open.weighted_value", `end_at=2026-${end} 00:00:00`);
  assert.deepEqual([await readWeighted("02-01"), await readWeighted("02-11")], [30, 180]);
});

Deno.test("a chance that is recorded later for an earlier moment replaces those of the time after it", async () => {
  const { app: opened, admin, member, path, product, made, on } = await shop();
  await using app = opened;
  const car = await product("Car");
  await act(member, path, made.id, ["Contacted"], on("02-10"));
  app.clock.move(60_000);
  await act(member, path, made.id, ["Offer"], { ...on("01-10"), ...line(car) });
  const readWeighted = (end: string) =>
    figure(admin, "cases.open.weighted_value", `end_at=2026-${end} 00:00:00`);
  assert.deepEqual([await readWeighted("02-01"), await readWeighted("02-11")], [180, 180]);
});

Deno.test("a task whose end was past when it was made is overdue from then on", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const made = await newCase(member, path);
  await plan(member, path, made.id, { start_at: "2026-02-01 09:00:00", end_at: "2026-02-01 10:00:00" });
  assert.equal(await figure(admin, "tasks.overdue", "end_at=2026-03-01 00:00:00"), 0);
  assert.equal(await figure(admin, "tasks.overdue", ""), 1);
});

Deno.test("the acceptance of an assignment counts with the properties that the lead had when it was assigned", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead({ lead_source: "website" });
  const changed = await place.admin.call("PUT", `/v1/leads/${id}`, { lead_source: "fair" });
  assert.equal(changed.status, 200, changed.text);
  const accepted = await place.member.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const rate = (source: string) => figure(place.admin, "leads.acceptance_rate", `lead_sources=${source}`);
  assert.deepEqual([await rate("website"), await rate("fair")], [100, null]);
});

Deno.test("a lead that is deleted with its account counts as deleted, for the user who accepted it", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { id } = await place.lead();
  const accepted = await place.member.call("PUT", `/v1/leads/${id}/accept`, {});
  assert.equal(accepted.status, 200, accepted.text);
  const gone = await place.admin.call("DELETE", `/v1/accounts/${accepted.body.account_id}`);
  assert.equal(gone.status, 204, gone.text);
  const asked = `user_ids=${place.member.id}&team_ids=${place.dealer}`;
  assert.equal(await figure(place.admin, "leads.deleted", asked), 1);
});

Deno.test("the activity types of a deleted path count under their last names", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const made = await newCase(member, path);
  await act(member, path, made.id, ["Call"]);
  const at = `/v1/relations-paths/${path.id}`;
  const listNames = async () => {
    const { body } = await admin.call(
      "GET",
      "/v1/reports/metrics?indicators=activities.created&group_by=activity_type",
    );
    return body.data.map(({ activity_type_name }: Body) => activity_type_name);
  };
  for (const name of ["Phone", "Chat"]) {
    const activity_types = { supportive: [{ id: path.types.Call, name }] };
    const { status, text } = await admin.call("PUT", at, { name: "Cars", activity_types });
    assert.equal(status, 200, text);
    assert.deepEqual(await listNames(), [name]);
  }
  assert.equal((await admin.call("DELETE", `/v1/cases/${made.id}`)).status, 204);
  assert.equal((await admin.call("DELETE", at)).status, 204);
  assert.deepEqual(await listNames(), ["Chat"]);
});
