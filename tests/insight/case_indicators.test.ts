/**
 * Calls about cases, activities, tasks and products. Each moves the indicators that the test expects, and no
 * other.
 */
import { startApp } from "../support/app.ts";
import { newContact } from "../sales/parts.ts";
import { makeScene } from "../sales/tasks_world.ts";
import { startJourney } from "./journey.ts";

Deno.test("calls about cases, activities, tasks and products move their own indicators and no other", async () => {
  await using app = await startApp();
  const { company, member, team, path } = await makeScene(app);
  const { admin } = company;
  const { contact } = await newContact(member);
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Car" }, {
      name: "list_price",
      value: 100,
    }],
  });
  const { moves } = await startJourney(admin, app.clock, [member.id, team]);
  const made = await moves(
    "POST case",
    { "cases.created": 1, "cases.open": 1 },
    () =>
      member.call("POST", "/v1/cases", {
        contact_id: contact.id,
        relations_path_id: path.id,
      }),
  );
  const activity = (names: string[], more = {}) => () =>
    member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: names.map((name) => path.types[name]),
      ...more,
    });
  const one = { "activities.created": 1 };
  const milestone = { ...one, "activities.milestones": 1 };
  for (
    const [channel, name] of [
      ["phone", "phone_calls"],
      ["meeting", "meetings"],
      ["chat", "chats"],
      ["email", "emails"],
      ["letter", "letters"],
    ]
  ) {
    await moves(
      `POST activity by ${channel}`,
      { ...one, [`activities.${name}`]: 1 },
      activity(["Call"], {
        communication_channel: channel,
      }),
    );
  }
  const line = { id: product.body.id, quantity: 3, discount: 50 };
  await moves(
    "POST offer",
    { ...milestone, "cases.open.value": 250, "cases.open.weighted_value": 150 },
    activity(["Offer"], { product_details: [{ products: [line] }] }),
  );
  await moves(
    "POST activity of a lower milestone",
    milestone,
    activity(["Contacted"]),
  );
  const { task } = await moves(
    "POST activity with a task",
    { ...one, "tasks.created": 1 },
    activity(["Call"], {
      task: {
        type: "call",
        start_at: "2026-03-03 09:00:00",
        end_at: "2026-03-03 10:00:00",
      },
    }),
  );
  const change = (body: object) => () => member.call("PUT", `/v1/tasks/${task.id}`, body);
  await moves("PUT task completed in time", {
    "tasks.completed": 1,
    "tasks.completed_in_time": 1,
  }, change({ completed: true }));
  await moves("PUT task open again", {}, change({ completed: false }));
  await moves(
    "PUT task completed a second time",
    {},
    change({ completed: true }),
  );
  const sold = {
    "cases.closed": 1,
    "cases.closed.value": 250,
    "products.sold": 3,
    "products.revenue": 250,
  };
  app.clock.move(86_400_000);
  await moves("POST closing", {
    ...milestone,
    ...sold,
    "cases.open": -1,
    "cases.open.value": -250,
    "cases.open.weighted_value": -150,
    "cases.time_to_close": 86_400,
    "cases.success_rate": 100,
  }, activity(["Sold"]));
  await moves("POST reopening", {
    ...milestone,
    "cases.reopened": 1,
    "cases.open": 1,
    "cases.open.value": 250,
    "cases.open.weighted_value": 250,
  }, activity(["Reopened"]));
  const late = await moves(
    "POST activity with a task to be late",
    { ...one, "tasks.created": 1 },
    activity(["Call"], {
      task: {
        type: "call",
        start_at: "2026-03-04 09:00:00",
        end_at: "2026-03-04 10:00:00",
      },
    }),
  );
  app.clock.move(2 * 86_400_000);
  await moves(
    "the end of a task",
    { "tasks.overdue": 1 },
    () => admin.call("GET", "/v1/me"),
    null,
  );
  await moves(
    "PUT task completed late",
    { "tasks.completed": 1, "tasks.overdue": -1 },
    () => member.call("PUT", `/v1/tasks/${late.task.id}`, { completed: true }),
  );
  await moves(
    "PUT decline",
    {
      "cases.declined": 1,
      "cases.success_rate": 50,
      "cases.open": -1,
      "cases.open.value": -250,
      "cases.open.weighted_value": -250,
    },
    () =>
      member.call("PUT", `/v1/cases/${made.id}/decline`, {
        reason: "Too dear",
      }),
  );
  await moves(
    "POST note on a case",
    { "notes.created": 1 },
    () => member.call("POST", "/v1/notes", { note: "Hello", case_id: made.id }),
  );
  const note = await moves(
    "POST note that names its author",
    { "notes.created": 1, "notes.mentions": 1 },
    () => member.call("POST", "/v1/notes", { note: "Hm", case_id: made.id, notify: { users: [member.id] } }),
  );
  await moves(
    "PUT note that names a colleague later",
    {},
    () => member.call("PUT", `/v1/notes/${note.id}`, { notify: { users: [company.admin.id] } }),
  );
  await moves("POST note that names a user and a team", {
    "notes.created": 1,
    "notes.mentions": 1,
  }, () =>
    member.call("POST", "/v1/notes", {
      note: "Look",
      case_id: made.id,
      notify: { users: [member.id], teams: [team] },
    }));
});
