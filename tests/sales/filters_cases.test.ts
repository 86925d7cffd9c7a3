import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import {
  askFilter,
  createAccount,
  createContact,
  expandFilter,
  listRefused,
  make,
  selectNames,
  type Written,
} from "../customers/filters_world.ts";

/** A path with an offer that has an extra step, an order, and a supportive call. */
async function newPath(admin: Actor) {
  const path = await make(admin, "/v1/relations-paths", {
    name: "Cars",
    activity_types: {
      milestones: [
        { name: "Offer", type: "offer", extra_step: { name: "Signed" } },
        { name: "Order", set_status: "closed" },
      ],
      supportive: [{ name: "Call" }],
    },
  });
  const [offer, order] = path.activity_types.milestones;
  return {
    id: path.id,
    offer: offer.id,
    order: order.id,
    step: offer.extra_step.id,
    call: path.activity_types.supportive[0].id,
  };
}

const task = (type: string, start: string, end: string) => ({
  type,
  start_at: `2026-03-${start} 09:00:00`,
  end_at: `2026-03-${end} 10:00:00`,
});

Deno.test("conditions in one list hold for the same case, and for the same task of that case", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const firm = await createAccount(admin, "Firm");
  const people = new Map<string, Body>();
  for (const name of ["Ada", "Bob", "Cid", "Dan"]) {
    people.set(name, await createContact(admin, firm.id, name));
  }
  const sale = async (name: string, activities: object[]) => {
    const { id } = await make(admin, "/v1/cases", {
      contact_id: people.get(name)!.id,
      relations_path_id: path.id,
      user_id: admin.id,
    });
    for (const activity of activities) await make(admin, `/v1/cases/${id}/activities`, activity);
    return id;
  };
  const call = (...of: Parameters<typeof task>) => ({ activity_type_ids: [path.call], task: task(...of) });
  const done = { activity_type_ids: [path.order] };
  // Ada: one open case with an e-mail task and a call to come. Bob: an open one without, a closed one with a call.
  await sale("Ada", [call("email", "10", "11"), call("call", "20", "21")]);
  await sale("Bob", [call("email", "10", "11")]);
  await sale("Bob", [call("call", "20", "21"), done]);
  await sale("Cid", []);
  const by = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  const open: Written = ["case.status", "eq", "open"];
  const calls: Written = ["case.tasks.type", "eq", "call"];
  const late: Written = ["case.tasks.start_at", "gte", "2026-03-20 00:00:00"];
  assert.equal(await by(open), "Ada Bob Cid");
  assert.equal(await by(calls), "Ada Bob");
  assert.equal(await by(open, calls), "Ada");
  assert.equal(await by(open, { and: [calls] }), "Ada Bob");
  assert.equal(await by({ or: [open, calls] }), "Ada Bob Cid");
  assert.equal(await by({ and: [open, calls, late] }), "Ada");
  assert.equal(await by(["case.tasks.type", "eq", "email"], late), "");
  assert.equal(await by(["case.tasks.type", "eq", "email"], { or: [late] }), "Ada Bob");
  assert.equal(await by(["case.status", "eq", "closed"], calls), "Bob");
  // A negation means that no case, and no task of any case, has the value.
  assert.equal(await by(["case.status", "neq", "closed"]), "Ada Cid Dan");
  assert.equal(await by(["case.tasks.type", "neq", "call"]), "Cid Dan");
  assert.equal(await by(open, ["case.tasks.type", "nin", ["call", "email"]]), "Cid");
  assert.equal(await by(["case.status", "exists", false]), "Dan");
  assert.equal(await by(["case.tasks.id", "exists", false]), "Cid Dan");
  assert.equal(await by(["case.latest_activity_at", "exists", false]), "Cid Dan");
  assert.equal(await selectNames(admin, "accounts", open, calls), "Firm");
  assert.equal(await selectNames(admin, "accounts", ["case.status", "neq", "closed"]), "");
});

Deno.test("filters find cases by path, vehicle, dates, milestones done, extra steps and supportive activities", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [path, other] = [await newPath(admin), await newPath(admin)];
  const firm = await createAccount(admin, "Firm");
  const [ada, bob] = [await createContact(admin, firm.id, "Ada"), await createContact(admin, firm.id, "Bob")];
  const opened = { relations_path_id: path.id, user_id: admin.id };
  const vehicle = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a0ff";
  const sale = await make(admin, "/v1/cases", { ...opened, contact_id: ada.id, stock_vehicle_id: vehicle });
  await make(admin, "/v1/cases", { ...opened, contact_id: bob.id, relations_path_id: other.id });
  app.clock.move(60_000);
  await make(admin, `/v1/cases/${sale.id}/activities`, {
    activity_type_ids: [path.offer, path.call],
    extra_step_ids: [path.step],
  });
  const by = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  const both: [string, string, unknown, string][] = [
    ["case.relations_path_id", "eq", path.id.toUpperCase(), "Ada"],
    ["case.relations_path_id", "in", [path.id, other.id], "Ada Bob"],
    ["case.stock_vehicle.id", "eq", vehicle, "Ada"],
    ["case.stock_vehicle.id", "exists", false, "Bob"],
    ["case.created_at", "lt", "NOW", "Ada Bob"],
    ["case.latest_activity_at", "eq", "NOW", "Ada"],
    ["case.lead_type_id", "exists", true, ""],
    ["case.milestones.id", "eq", path.offer, "Ada"],
    ["case.milestones.id", "in", [path.order], ""],
    ["case.milestones.id", "neq", path.offer, "Bob"],
    ["case.milestones.type", "eq", "offer", "Ada"],
    ["case.milestones.type", "neq", "offer", "Bob"],
    ["case.milestones.created_at", "eq", "2026-03-02 09:01:00", "Ada"],
    ["case.milestones.created_at", "exists", false, "Bob"],
    ["case.extra_steps.id", "eq", path.step, "Ada"],
    ["case.extra_steps.id", "nin", [path.step], "Bob"],
    ["case.extra_steps.id", "exists", true, "Ada"],
    ["case.supportive.id", "eq", path.call, "Ada"],
    // A milestone is not a supportive activity, and vice versa.
    ["case.supportive.id", "eq", path.offer, ""],
    ["case.milestones.id", "eq", path.call, ""],
    // An unknown id matches nothing.
    ["case.tasks.id", "eq", vehicle, ""],
  ];
  for (const condition of both) {
    const [field, operator, value, names] = condition;
    assert.equal(await by([field, operator, value]), names, condition.join(" "));
  }
  assert.deepEqual(
    await listRefused(
      admin,
      expandFilter([["case.milestones.type", "eq", "x"], ["case.tasks.id", "eq", "x"]]),
    ),
    ["filter[0].value enum", "filter[1].value type"],
  );
});

Deno.test("filters find tasks by user, times, and present status", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const firm = await createAccount(admin, "Firm");
  const ids: Record<string, string> = {};
  for (
    const [name, from, to] of [["Past", "01", "01"], ["Now", "01", "09"], ["Next", "08", "09"], [
      "Done",
      "01",
      "01",
    ]]
  ) {
    const { id: contact_id } = await createContact(admin, firm.id, name!);
    const { id } = await make(admin, "/v1/cases", {
      contact_id,
      relations_path_id: path.id,
      user_id: admin.id,
    });
    const activity = { activity_type_ids: [path.call], task: task("call", from!, to!) };
    ids[name!] = (await make(admin, `/v1/cases/${id}/activities`, activity)).task.id;
    if (name !== "Done") continue;
    app.clock.move(1000);
    await make(admin, `/v1/cases/${id}/activities`, {
      activity_type_ids: [path.call],
      completed_task_id: ids[name],
    });
  }
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "contacts", [`case.tasks.${field}`, operator, value]);
  assert.equal(await by("status", "eq", "overdue"), "Past");
  assert.equal(await by("status", "eq", "pending"), "Now");
  assert.equal(await by("status", "eq", "later"), "Next");
  assert.equal(await by("status", "eq", "completed"), "Done");
  assert.equal(await by("status", "in", ["later", "overdue"]), "Next Past");
  assert.equal(await by("status", "neq", "overdue"), "Done Next Now");
  assert.equal(await by("id", "eq", ids.Now!.toUpperCase()), "Now");
  assert.equal(await by("user_id", "eq", admin.id), "Done Next Now Past");
  assert.equal(await by("end_at", "lt", "2026-03-02 00:00:00"), "Done Past");
  assert.equal(await by("completed_at", "eq", "2026-03-02 09:00:01"), "Done");
  assert.equal(await by("completed_at", "exists", false), "Next Now Past");
  assert.equal(await by("created_at", "lte", "2026-03-02 09:00:00"), "Done Next Now Past");
  app.clock.move(7 * 86_400_000);
  assert.equal(await by("status", "eq", "overdue"), "Past");
  assert.equal(await by("status", "eq", "pending"), "Next Now");
});

Deno.test("a case that the caller does not see counts in no condition, not even in a negated one", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const team = await crm.team();
  const path = await newPath(admin);
  const firm = await createAccount(admin, "Firm", { team_id: null });
  const ada = await createContact(admin, firm.id, "Ada");
  const owner = await crm.user({ teams: [team] });
  await make(admin, "/v1/cases", {
    contact_id: ada.id,
    relations_path_id: path.id,
    team_id: team,
    user_id: owner.id,
  });
  const stranger = await crm.user({ teams: [await crm.team()] });
  for (const [actor, seen] of [[owner, true], [stranger, false], [admin, true]] as const) {
    assert.equal(await selectNames(actor, "contacts", ["case.status", "eq", "open"]), seen ? "Ada" : "");
    assert.equal(await selectNames(actor, "contacts", ["case.status", "neq", "open"]), seen ? "" : "Ada");
    assert.equal(
      await selectNames(actor, "accounts", ["case.relations_path_id", "eq", path.id]),
      seen ? "Firm" : "",
    );
  }
  assert.equal(
    (await askFilter((await app.company()).admin, "contacts", expandFilter([["case.status", "eq", "open"]])))
      .body
      .pagination.total,
    0,
  );
});
