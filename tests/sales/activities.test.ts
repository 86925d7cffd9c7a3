import assert from "node:assert/strict";
import { Activity } from "../../src/sales/case_parts/schema.ts";
import { caseTransitions, nextCaseStatuses, storedCaseStatuses } from "../../src/sales/cases/lifecycle.ts";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { newCase, newPath, type Path, readEvents } from "./parts.ts";
import { inCase } from "./tasks_world.ts";

interface Scene {
  readonly app: TestApp;
  readonly company: TestCompany;
  readonly team: number;
  readonly member: Actor;
  readonly path: Path;
}

async function scene(app: TestApp): Promise<Scene> {
  const company = await app.company();
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  return { app, company, team, member, path: await newPath(company.admin) };
}

/** Records an activity of the named types. */
async function act(by: Actor, path: Path, caseId: string, names: string[], more: object = {}) {
  return await by.call("POST", `/v1/cases/${caseId}/activities`, {
    activity_type_ids: names.map((name) => path.types[name]),
    ...more,
  });
}

const listDone = (of: Body) =>
  of.milestones.filter((each: { done: boolean }) => each.done).map((each: { name: string }) => each.name);

Deno.test("POST returns the activity, and GET, the list and the case show the same", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  const reachable = { fixed_fields: [{ name: "email", value: "grace@example.org" }] };
  const contact = `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`;
  assert.equal((await member.call("PUT", contact, reachable)).status, 200);
  const sent = await act(member, path, made.id, ["Call", "Offer"], {
    communication_channel: "phone",
    extra_step_ids: [path.extraStep],
    note: "<b>Wants it</b><script>alert(1)</script>",
    correspondence: { email: { subject: "Offer", content: "<p>Hi</p>", send: true } },
    task: { type: "call", start_at: "2026-03-05T11:00:00+01:00", end_at: "2026-03-05 11:00:00", note: "Ask" },
  });
  assert.equal(sent.status, 201, sent.text);
  const { body } = sent;
  assert.equal(Activity.strict().safeParse(body).error, undefined);
  assert.deepEqual(body.activity_types, [
    { id: path.types["Offer"], name: "Offer", description: null, is_milestone: true },
    { id: path.types["Call"], name: "Call", description: null, is_milestone: false },
  ]);
  assert.deepEqual(body.extra_steps, [{ id: path.extraStep, name: "Signed" }]);
  assert.equal(body.note, "<b>Wants it</b>");
  assert.deepEqual(body.correspondence, {
    email: {
      id: body.correspondence.email.id,
      subject: "Offer",
      content: "<p>Hi</p>",
      template_id: null,
      file_ids: [],
      send: true,
    },
    letter: null,
  });
  assert.deepEqual(
    [body.task.type, body.task.start_at, body.task.status, body.task.user.id, body.task.activity_id],
    ["call", "2026-03-05 10:00:00", "later", member.id, body.id],
  );
  assert.equal((await member.call("GET", `/v1/cases/${made.id}/activities/${body.id}`)).text, sent.text);
  const list = await member.call("GET", `/v1/cases/${made.id}/activities`);
  assert.deepEqual([list.body.data, list.body.pagination.total], [[body], 1]);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual(now.recent_activity, body);
  assert.deepEqual(now.latest_activity, {
    type: "milestone",
    id: body.id,
    name: "Offer",
    created_at: "2026-03-02 09:00:00",
  });
  assert.deepEqual(now.tasks, [body.task]);
  assert.deepEqual(now.next_task, {
    type: "call",
    start_at: "2026-03-05 10:00:00",
    end_at: "2026-03-05 11:00:00",
  });
});

Deno.test("an activity commits all its effects together, with events that equal GET", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  const first = await act(member, path, made.id, ["Contacted"], {
    task: { type: "call", start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" },
  });
  const before = (await readEvents(app)).length;
  app.clock.move(60_000);
  const sent = await act(member, path, made.id, ["Sold"], {
    completed_task_id: first.body.task.id,
    task: { type: "letter", start_at: "2026-03-02 10:00:00", end_at: "2026-03-02 10:00:00" },
  });
  assert.equal(sent.status, 201, sent.text);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([now.status, now.chance_of_success, now.activity_count], ["closed", 100, 2]);
  assert.deepEqual([listDone(now), now.latest_milestone_name], [["Contacted", "Sold"], "Sold"]);
  assert.equal(now.latest_activity_at, "2026-03-02 09:01:00");
  assert.deepEqual(
    now.tasks.map((task: Body) => [task.type, task.status, task.completed_at]),
    [["letter", "later", null], ["call", "completed", "2026-03-02 09:01:00"]],
  );
  assert.equal(now.next_task.type, "letter");
  assert.equal(now.contact.status, "customer");
  const events = (await readEvents(app)).slice(before);
  assert.deepEqual(events.map(({ name }) => name), [
    "activity_created",
    "task_created",
    "task_updated",
    "case_updated",
    "contact_updated",
  ]);
  assert.deepEqual(events[0]!.body, sent.body);
  assert.deepEqual(inCase(events[1]!.body), now.tasks[0]);
  assert.deepEqual(inCase(events[2]!.body), now.tasks[1]);
  assert.deepEqual([events[1]!.body.case.status, events[2]!.body.case.status], ["closed", "closed"]);
  assert.deepEqual(events[3]!.body, now);
  assert.deepEqual(events[4]!.body, (await member.call("GET", `/v1/contacts/${now.contact.id}`)).body);
});

Deno.test("a case changes status by its transition table; any other activity is 409 case_state and changes nothing", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const milestoneOf: Record<string, string> = {
    activity: "Contacted",
    set_open: "Reopened",
    set_closed: "Sold",
    set_declined: "Lost",
  };
  const into: Record<string, string[]> = { open: [], closed: ["Sold"], declined: ["Lost"] };
  for (const status of storedCaseStatuses) {
    for (const move of caseTransitions.filter((each) => each !== "decline")) {
      const made = await newCase(member, path);
      for (const name of into[status]!) await act(member, path, made.id, [name]);
      const before = await member.call("GET", `/v1/cases/${made.id}`);
      assert.equal(before.body.status, status);
      const events = (await readEvents(app)).length;
      const sent = await act(member, path, made.id, [milestoneOf[move]!]);
      const after = await member.call("GET", `/v1/cases/${made.id}`);
      const next = nextCaseStatuses[status][move];
      if (next === undefined) {
        assert.deepEqual([sent.status, sent.body.code], [409, "case_state"], `${status} ${move}`);
        assert.equal(after.text, before.text);
        assert.equal((await readEvents(app)).length, events);
      } else {
        assert.equal(sent.status, 201, `${status} ${move}: ${sent.text}`);
        assert.equal(after.body.status, next);
      }
      const { body: list } = await member.call("GET", `/v1/cases?status=${next ?? status}`);
      assert.ok(list.data.some(({ id }: { id: string }) => id === made.id));
      assert.equal(list.statuses[next ?? status], list.pagination.total);
    }
  }
  assert.deepEqual(nextCaseStatuses.closed, { set_open: "open" });
  assert.deepEqual(nextCaseStatuses.declined, { set_open: "open" });
});

Deno.test("the chance of success follows the highest milestone done; a lower one does not lower it", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  const chance = async () => {
    const { body } = await member.call("GET", `/v1/cases/${made.id}`);
    return body.chance_of_success;
  };
  assert.equal(await chance(), 0);
  await act(member, path, made.id, ["Call"]);
  assert.equal(await chance(), 0);
  await act(member, path, made.id, ["Contacted", "Offer"]);
  assert.equal(await chance(), 60);
  await act(member, path, made.id, ["Contacted"]);
  assert.equal(await chance(), 60);
  await app.deps.db.write([{
    sql: "update cases set chance_of_success = 75 where id = ?",
    args: [made.id],
  }]);
  await act(member, path, made.id, ["Contacted"]);
  assert.equal(await chance(), 75);
  await act(member, path, made.id, ["Offer"]);
  assert.equal(await chance(), 60);
});

Deno.test("cases are filtered by the highest milestone done and when", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const [offered, contacted] = [
    await newCase(member, path),
    await newCase(member, path, { created_at: "2026-01-01 08:00:00" }),
  ];
  await newCase(member, path);
  await act(member, path, offered.id, ["Contacted", "Offer"]);
  await act(member, path, contacted.id, ["Contacted"], { created_at: "2026-02-01 00:00:00" });
  const listFound = async (query: string) =>
    (await member.call("GET", `/v1/cases?${query}`)).body.data.map((each: Body) => each.case_number);
  assert.deepEqual(await listFound("milestone_types=offer,test_drive"), [1]);
  assert.deepEqual(await listFound(`milestone_ids=${path.types["Contacted"]}`), [2]);
  assert.deepEqual(await listFound("milestone_start_at=2026-02-15%2000:00:00"), [1]);
  assert.deepEqual(await listFound("milestone_end_at=2026-02-15%2000:00:00"), [2]);
});

Deno.test("important lists cases without activity first, then the oldest activity; recent goes by status, newest first", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    ids.push((await newCase(member, path)).id);
    app.clock.move(60_000);
  }
  const order = async (mode: string) =>
    (await member.call("GET", `/v1/cases?sort_mode=${mode}`)).body.data.map((each: Body) => each.case_number);
  for (const [index, name] of [[3, "Contacted"], [0, "Contacted"], [1, "Sold"]] as const) {
    await act(member, path, ids[index]!, [name]);
    app.clock.move(60_000);
  }
  assert.deepEqual(await order("important"), [3, 5, 4, 1, 2]);
  assert.deepEqual(await order("recent"), [1, 4, 5, 3, 2]);
});

Deno.test("a backdated activity counts, but a newer one stays the latest", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path, { created_at: "2026-01-01 08:00:00" });
  const newer = await act(member, path, made.id, ["Call"]);
  const older = await act(member, path, made.id, ["Contacted"], { created_at: "2026-01-05 08:00:00" });
  assert.equal(older.body.created_at, "2026-01-05 08:00:00");
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([now.activity_count, listDone(now)], [2, ["Contacted"]]);
  assert.deepEqual([now.recent_activity.id, now.latest_activity_at], [newer.body.id, "2026-03-02 09:00:00"]);
  const { body: list } = await member.call("GET", `/v1/cases/${made.id}/activities`);
  assert.deepEqual(list.data.map(({ id }: { id: string }) => id), [newer.body.id, older.body.id]);
});

Deno.test("an activity moves its account and contact up in lists by last activity", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const [first, second] = [await newCase(member, path), await newCase(member, path)];
  const order = async (list: string) =>
    (await member.call("GET", `/v1/${list}`)).body.data.map(({ id }: { id: string }) => id);
  app.clock.move(60_000);
  await act(member, path, first.id, ["Call"]);
  assert.deepEqual(await order("accounts"), [first.account.id, second.account.id]);
  assert.deepEqual(await order("contacts"), [first.contact.id, second.contact.id]);
  app.clock.move(60_000);
  await act(member, path, second.id, ["Call"]);
  assert.deepEqual(await order("accounts"), [second.account.id, first.account.id]);
});

Deno.test("a customer stays one when a case opens again", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  await act(member, path, made.id, ["Sold"]);
  const before = (await readEvents(app)).length;
  await act(member, path, made.id, ["Reopened"]);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([now.status, now.contact.status], ["open", "customer"]);
  assert.deepEqual((await readEvents(app)).slice(before).map(({ name }) => name), [
    "activity_created",
    "case_updated",
  ]);
});

Deno.test("an invalid activity is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const { company, member, path } = await scene(app);
  const made = await newCase(member, path);
  const other = await newPath(company.admin);
  const outsider = await company.user({ teams: [await company.team()] });
  const done = await act(member, path, made.id, ["Call"], {
    task: { type: "call", start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" },
  });
  await act(member, path, made.id, ["Call"], { completed_task_id: done.body.task.id });
  const call = { activity_type_ids: [path.types["Call"]] };
  const task = { type: "call", start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" };
  const faults: [unknown, string, string][] = [
    [{}, "activity_type_ids", "required"],
    [{ activity_type_ids: [] }, "activity_type_ids", "min"],
    [{ activity_type_ids: [path.types["Call"], other.types["Call"]] }, "activity_type_ids[1]", "exists"],
    [{ activity_type_ids: [path.types["Call"], path.types["Call"]] }, "activity_type_ids", "unique"],
    [{ ...call, communication_channel: "fax" }, "communication_channel", "enum"],
    [{ ...call, extra_step_ids: [path.extraStep] }, "extra_step_ids[0]", "exists"],
    [{ ...call, note: "n".repeat(65_536) }, "note", "max"],
    [
      { ...call, correspondence: { email: { template_id: 1 } } },
      "correspondence.email.template_id",
      "exists",
    ],
    [
      { ...call, product_details: [{ products: [{ id: made.id }] }] },
      "product_details[0].products[0].id",
      "exists",
    ],
    [{ ...call, task: { ...task, type: "lunch" } }, "task.type", "enum"],
    [{ ...call, task: { ...task, end_at: "2026-03-03 08:00:00" } }, "task.end_at", "after"],
    [{ ...call, task: { ...task, user_id: outsider.id } }, "task.user_id", "exists"],
    [{ ...call, completed_task_id: made.id }, "completed_task_id", "exists"],
    [{ ...call, completed_task_id: done.body.task.id }, "completed_task_id", "exists"],
    [{ ...call, created_at: "2026-03-02 09:00:01" }, "created_at", "before"],
  ];
  const before = await member.call("GET", `/v1/cases/${made.id}`);
  for (const [body, where, code] of faults) {
    const refused = await member.call("POST", `/v1/cases/${made.id}/activities`, body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: { path: string }) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).text, before.text);
  const hidden = [outsider, (await app.company()).admin];
  for (const who of hidden) {
    assert.equal((await act(who, path, made.id, ["Call"])).status, 404);
    assert.equal((await who.call("GET", `/v1/cases/${made.id}/activities`)).status, 404);
    assert.equal((await who.call("GET", `/v1/cases/${made.id}/activities/${done.body.id}`)).status, 404);
  }
  assert.equal((await member.call("GET", `/v1/cases/${made.id}/activities/${made.id}`)).status, 404);
});

Deno.test("concurrent activities on one case all count, and a task is completed once", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  const { body: planned } = await act(member, path, made.id, ["Call"], {
    task: { type: "call", start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" },
  });
  const sent = await Promise.all(
    Array.from(
      { length: 4 },
      () => act(member, path, made.id, ["Contacted"], { completed_task_id: planned.task.id }),
    ),
  );
  assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 422, 422, 422]);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.equal(now.activity_count, 2);
  const names = (await readEvents(app)).map(({ name }) => name);
  assert.equal(names.filter((name) => name === "task_updated").length, 1);
  assert.equal(names.filter((name) => name === "activity_created").length, 2);
});

Deno.test("a milestone alone is a short form of an activity with it", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path);
  const url = `/v1/cases/${made.id}/activities`;
  const moved = await member.call("POST", url, { milestone_id: path.types["Offer"] });
  assert.equal(moved.status, 201, moved.text);
  const listed = await member.call("POST", url, { activity_type_ids: [path.types["Offer"]] });
  const { id: _, ...same } = listed.body;
  assert.deepEqual({ ...moved.body, id: listed.body.id }, { ...same, id: listed.body.id });
  const refused: [object, string, string][] = [
    [{}, "activity_type_ids", "required"],
    [{ milestone_id: null }, "activity_type_ids", "required"],
    [
      { milestone_id: path.types["Offer"], activity_type_ids: [path.types["Call"]] },
      "milestone_id",
      "excluded",
    ],
    [{ milestone_id: path.types["Call"] }, "milestone_id", "exists"],
    [{ milestone_id: made.id }, "milestone_id", "exists"],
    [{ milestone_id: "Offer" }, "milestone_id", "type"],
  ];
  for (const [body, where, code] of refused) {
    const reply = await member.call("POST", url, body);
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(reply.body.errors.map((fault: Body) => [fault.path, fault.code]), [[where, code]]);
  }
});

Deno.test("an activity is not dated before its case", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path, { created_at: "2026-01-05 08:00:00" });
  const at = async (created_at: string) =>
    await member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      created_at,
    });
  const refused = await at("2026-01-05 07:59:59");
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.errors.map(({ path, code }: Body) => [path, code]), [[
    "created_at",
    "after",
  ]]);
  assert.equal((await at("2026-01-05 08:00:00")).status, 201);
});

Deno.test("what an activity does to its case happens at the activity's time, in the timeline too", async () => {
  await using app = await startApp();
  const { member, path } = await scene(app);
  const made = await newCase(member, path, { created_at: "2026-01-05 08:00:00" });
  await act(member, path, made.id, ["Sold"], { created_at: "2026-02-01 10:00:00" });
  const { body: timeline } = await member.call("GET", `/v1/cases/${made.id}/timeline`);
  assert.deepEqual(timeline.data.map(({ type, occurred_at }: Body) => [type, occurred_at]), [
    ["status_change", "2026-02-01 10:00:00"],
    ["activity", "2026-02-01 10:00:00"],
  ]);
});

Deno.test("a milestone that opens an open case changes neither its status nor its chance downwards", async () => {
  await using app = await startApp();
  const { company: { admin }, member } = await scene(app);
  const milestones = [
    { name: "Started", chance_of_success: 20, set_status: "open" },
    { name: "Offered", chance_of_success: 90, set_status: "open" },
  ];
  const { body } = await admin.call("POST", "/v1/relations-paths", {
    name: "Open",
    activity_types: { milestones },
  });
  const types = Object.fromEntries(body.activity_types.milestones.map(({ name, id }: Body) => [name, id]));
  const path = { id: body.id, types, extraStep: "" };
  const made = await newCase(member, path);
  await member.call("PUT", `/v1/cases/${made.id}/chance_of_success`, { chance_of_success: 75 });
  const chanceAfter = async (name: string) => {
    await act(member, path, made.id, [name]);
    const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
    return [now.status, now.chance_of_success];
  };
  assert.deepEqual(await chanceAfter("Started"), ["open", 75]);
  assert.deepEqual(await chanceAfter("Offered"), ["open", 90]);
});
