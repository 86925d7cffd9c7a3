/** The limits of sales records in number and in bytes. */
import assert from "node:assert/strict";
import { counts, leadTypeBudget, pathsBudget, recordBudget } from "../../src/core/budgets.ts";
import { type Actor, type Body, type Reply, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { makeSales, nameFields } from "./leads_world.ts";
import { newCase } from "./parts.ts";
import { act, makeScene, plan } from "./tasks_world.ts";

const times = (count: number, given: (n: number) => unknown) =>
  Array.from({ length: count }, (_, n) => given(n));
const long = "x".repeat(65_535);
const countBytes = ({ text }: Reply) => new TextEncoder().encode(text).length;

function assertRefused(reply: Reply, expected: RegExp): void {
  assert.equal(reply.status, 422, reply.text.slice(0, 300));
  const [{ path, code, message }] = reply.body.errors;
  assert.match(`${path} ${code} ${message}`, expected);
}

async function create(actor: Actor, path: string, body: unknown): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text.slice(0, 500));
  return reply.body;
}

const makePath = (milestones: number, supportive = 0, more: object = {}) => ({
  name: "New cars",
  activity_types: {
    milestones: times(milestones, (n) => ({ name: `M${n}`, ...more })),
    supportive: times(supportive, (n) => ({ name: `S${n}` })),
  },
});

Deno.test("a relations path has at most 100 activity types, on create and on update", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const at = "/v1/relations-paths";
  assertRefused(
    await admin.call("POST", at, makePath(51, 50)),
    /^activity_types max At most 100 activity types/,
  );
  const path = await create(admin, at, makePath(50, 50));
  const { activity_types } = makePath(51);
  assertRefused(
    await admin.call("PUT", `${at}/${path.id}`, {
      activity_types: { milestones: activity_types.milestones },
    }),
    /^activity_types max At most 100 activity types/,
  );
  assert.equal((await admin.call("PUT", `${at}/${path.id}`, { name: "Used cars" })).status, 200);
});

Deno.test("a lead type has at most 50 paths and 256 KiB of paths, also when the paths grow", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const ids: string[] = [];
  for (let n = 0; n < counts.paths + 1; n++) {
    ids.push((await create(admin, "/v1/relations-paths", makePath(1))).id);
  }
  const body = (relations_path_ids: readonly string[]) => ({ name: "Enquiry", relations_path_ids });
  assertRefused(await admin.call("POST", "/v1/lead-types", body(ids)), /^relations_path_ids max/);
  const type = await create(admin, "/v1/lead-types", body(ids.slice(0, counts.paths)));

  const grow = (id: string, text: string) =>
    admin.call("PUT", `/v1/relations-paths/${id}`, {
      activity_types: { milestones: [{ name: "M", description: text }] },
    });
  assert.equal((await grow(ids[0]!, long)).status, 200);
  // One more path fits, two do not.
  const late = await callMeanwhile(
    app,
    admin,
    "PUT",
    `/v1/relations-paths/${ids[2]}`,
    async () => assert.equal((await grow(ids[1]!, long)).status, 200),
    { activity_types: { milestones: [{ name: "M", description: long }] } },
  );
  assert.equal(late.status, 422);
  await late.body?.cancel();
  assertRefused(await grow(ids[2]!, long), /^activity_types max Lead type Enquiry: .*at most 163840/);
  const large = await grow(ids.at(-1)!, long);
  assert.equal(large.status, 200, "a path that no lead type has");
  const change = { relations_path_ids: [...ids.slice(0, 49), ids.at(-1)!] };
  assertRefused(await admin.call("PUT", `/v1/lead-types/${type.id}`, change), /^relations_path_ids max/);
  assertRefused(
    await admin.call("POST", "/v1/relations-paths", makePath(3, 0, { description: long })),
    /^activity_types max The record would take \d+ bytes/,
  );
  const got = await admin.call("GET", `/v1/lead-types/${type.id}`);
  assert.ok(countBytes(got) > pathsBudget * 0.9 && countBytes(got) <= recordBudget);
  assert.equal((await grow(ids[0]!, "short")).status, 200);
  assert.equal((await grow(ids[2]!, long)).status, 200);
});

Deno.test("the own data of a lead type has a budget", async () => {
  await using app = await startApp();
  const { company, admin, leadType, path } = await makeSales(app);
  const type = await leadType();
  const insert = "insert into teams (company_id, name, timezone, locale, created_at, updated_at) " +
    "select ?, 'T', 'UTC', 'en-GB', '2026-01-01 00:00:00', '2026-01-01 00:00:00' from json_each(?) returning id";
  const [rows] = await app.deps.db.write([{
    sql: insert,
    args: [company.id, JSON.stringify(times(1200, (n) => n))],
  }]);
  const team_settings = rows!.rows.map(({ id }) => ({ team_id: Number(id), relations_path_id: path }));
  const put = (count: number) =>
    admin.call("PUT", `/v1/lead-types/${type}`, { team_settings: team_settings.slice(0, count) });
  assert.equal((await put(1000)).status, 200);
  assertRefused(await put(1200), new RegExp(`^team_settings max .* at most ${leadTypeBudget}`));
});

Deno.test("an activity has at most 500 products, and it and its case at most 256 KiB", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { id } = await create(admin, "/v1/products", { fixed_fields: nameFields({ name: "Van" }) });
  const of = await newCase(member, path);
  const add = (details: unknown, more: object = {}) =>
    member.call("POST", `/v1/cases/${of.id}/activities`, {
      activity_type_ids: [path.types.Offer],
      product_details: details,
      ...more,
    });
  const lines = (count: number, more: object = {}) => ({ products: times(count, () => ({ id, ...more })) });
  assertRefused(await add([lines(251), lines(250)]), /^product_details max At most 500 products/);
  assert.equal((await add([lines(250), lines(250)])).status, 201);
  assertRefused(
    await add([lines(2, { comment: long })]),
    /^product_details max The record would take \d+ bytes/,
  );
  assertRefused(await add(undefined, { note: "\u0001".repeat(65_535) }), /^note max The record would take/);
  // The activity fits alone, but not together with the case.
  assertRefused(await add([lines(1, { comment: long })]), /^product_details max The record would take/);
  assert.equal((await add(undefined)).status, 201);
  const got = await member.call("GET", `/v1/cases/${of.id}`);
  assert.ok(countBytes(got) <= recordBudget);
});

Deno.test("a task, note or reason that makes its record larger than 256 KiB is rejected; a smaller one is not", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const of = await newCase(member, path);
  // JSON writes each of them in six bytes.
  const wide = "\u0001".repeat(65_535);
  assertRefused(
    await member.call("POST", "/v1/notes", { case_id: of.id, note: wide }),
    /^note max The record would take \d+ bytes; at most 262144/,
  );
  const note = await create(member, "/v1/notes", { case_id: of.id, note: long });
  assertRefused(await member.call("PUT", `/v1/notes/${note.id}`, { note: wide }), /^note max/);
  const tasks: Body[] = [];
  for (let n = 0; n < 3; n++) tasks.push(await plan(member, path, of.id, { note: "x".repeat(50_000) }));
  const put = (body: object) => member.call("PUT", `/v1/tasks/${tasks[0]!.id}`, body);
  assertRefused(await put({ note: wide }), /^note max/);
  assertRefused(await put({ note: "\u0001".repeat(40_000) }), /^note max/);
  assert.equal((await put({ note: "less", completed: true })).status, 200);
  await plan(member, path, of.id, { note: "x".repeat(50_000) });
  await act(member, path, of.id, ["Call"], { note: long });
  assertRefused(
    await member.call("PUT", `/v1/cases/${of.id}/decline`, { reason: long }),
    /^reason max The record would take/,
  );
  assert.equal((await member.call("PUT", `/v1/cases/${of.id}/decline`, { reason: "Lost" })).status, 200);
});

Deno.test("a lead has at most 256 KiB of own data on create, update and reject; its customer does not count", async () => {
  await using app = await startApp();
  const { admin, member, body, lead } = await makeSales(app);
  const data = (count: number) => times(count, (n) => ({ key: `K${n}`, value: "x".repeat(60_000) }));
  assertRefused(await admin.call("POST", "/v1/leads", body({ lead_data: data(5) })), /^lead_data max/);
  const { id } = await lead({ lead_data: data(3) });
  assertRefused(await admin.call("PUT", `/v1/leads/${id}`, { lead_data: data(5) }), /^lead_data max/);
  assert.equal((await admin.call("PUT", `/v1/leads/${id}`, { lead_data: data(4) })).status, 200);
  assertRefused(
    await member.call("PUT", `/v1/leads/${id}/reject`, { rejection_reason: long }),
    /^rejection_reason max/,
  );
  assert.equal((await admin.call("PUT", `/v1/leads/${id}`, { lead_data: data(3) })).status, 200);
  assert.equal((await member.call("PUT", `/v1/leads/${id}/accept`)).status, 200);

  const field = await create(admin, "/v1/fields/account", { label: "Long", type: "multi_line" });
  const carrying = {
    fixed_fields: nameFields({ name: "Ada Ltd" }),
    custom_fields: [{ id: field.id, value: long }],
  };
  const account = await create(admin, "/v1/accounts", carrying);
  const named_ = await lead({ account: undefined, account_id: account.id, lead_data: data(3) });
  assert.equal(named_.status, "assigned");

  const other = await create(admin, "/v1/fields/account", { label: "Other", type: "multi_line" });
  const values = (count: number) => [
    { id: field.id, value: long },
    { id: other.id, value: "x".repeat(count) },
  ];
  const embedding = (count: number) => body({ account: { ...carrying, custom_fields: values(count) } });
  assertRefused(await admin.call("POST", "/v1/leads", embedding(20_000)), /^account\.custom_fields max/);
  assert.equal((await admin.call("POST", "/v1/leads", embedding(10_000))).status, 201);
});
