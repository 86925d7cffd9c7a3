import assert from "node:assert/strict";
import { Task } from "../../src/sales/tasks/schema.ts";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, readEvents } from "./parts.ts";
import { act, inCase, makeScene, plan } from "./tasks_world.ts";

const minute = 60_000;
const bodyOf: Readonly<Record<string, object>> = { PUT: {} };

Deno.test("a task is later until its start, pending to the second of its end, then overdue, and completed at any time", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const times = { start_at: "2026-03-02 10:00:00", end_at: "2026-03-02 10:30:00" };
  const task = await plan(member, path, made.id, times);
  const status = async () => (await member.call("GET", `/v1/tasks/${task.id}`)).body.status;
  const seen = [await status()];
  for (const step of [60 * minute - 1000, 1000, 30 * minute, 1000]) {
    app.clock.move(step);
    seen.push(await status());
  }
  assert.deepEqual(seen, ["later", "later", "pending", "pending", "overdue"]);
  const done = await member.call("PUT", `/v1/tasks/${task.id}`, { completed: true });
  assert.deepEqual([done.body.status, done.body.completed_at], ["completed", "2026-03-02 10:30:01"]);
});

Deno.test("a changed task shows in GET, its case and lists, and sends task_updated and case_updated", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  const first = await plan(member, path, made.id);
  const task = await plan(member, path, made.id, { start_at: "2026-03-02 12:00:00", note: "Ask" });
  app.clock.move(minute);
  const known = (await readEvents(app)).length;
  const reply = await member.call("PUT", `/v1/tasks/${task.id}`, {
    type: "meeting",
    user_id: colleague.id,
    start_at: "2026-03-05T10:00:00+01:00",
    end_at: "2026-03-05 12:00:00",
    note: "<b>Bring</b> the <script>bad()</script>papers",
  });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(Task.strict().safeParse(reply.body).error, undefined);
  assert.deepEqual(inCase(reply.body), {
    ...task,
    type: "meeting",
    user: { id: colleague.id, name: "Ada Byron user" },
    start_at: "2026-03-05 09:00:00",
    end_at: "2026-03-05 12:00:00",
    note: "<b>Bring</b> the papers",
    updated_at: "2026-03-02 09:01:00",
  });
  const got = await member.call("GET", `/v1/tasks/${task.id}`);
  assert.equal(got.text, reply.text);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual(now.tasks, [first, inCase(reply.body)]);
  assert.deepEqual(now.recent_activity.task, inCase(reply.body));
  assert.equal(now.updated_at, "2026-03-02 09:01:00");
  const next = { type: "call", start_at: first.start_at, end_at: first.end_at };
  assert.deepEqual(now.next_task, next);
  const { body: list } = await member.call("GET", "/v1/cases");
  assert.deepEqual([list.data[0].next_task, list.data[0].tasks], [next, now.tasks]);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events, [
    { name: "task_updated", body: reply.body },
    { name: "case_updated", body: now },
  ]);
  // Brought forward, it becomes the next task.
  const forward = await member.call("PUT", `/v1/tasks/${task.id}`, { start_at: "2026-03-02 09:30:00" });
  const { body: after } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([after.tasks, after.next_task.type], [[inCase(forward.body), first], "meeting"]);
  assert.deepEqual((await readEvents(app)).at(-1)!.body, after);
});

Deno.test("absent members stay, null clears only the note, and an unchanged task sent back stays the same", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id, { note: "Ask" });
  const change = async (body: object) => {
    const reply = await member.call("PUT", `/v1/tasks/${task.id}`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  assert.deepEqual(inCase(await change({})), task);
  const { type, user, start_at, end_at, note } = task;
  const all = { type, user_id: user.id, start_at, end_at, note, completed: false };
  assert.deepEqual(inCase(await change(all)), task);
  assert.deepEqual(inCase(await change({ note: null })), { ...task, note: null });
  for (const name of ["type", "user_id", "start_at", "end_at", "completed"]) {
    const refused = await member.call("PUT", `/v1/tasks/${task.id}`, { [name]: null });
    assert.equal(refused.status, 422, name);
    assert.deepEqual(refused.body.errors.map(({ path, code }: Body) => [path, code]), [[name, "required"]]);
  }
});

Deno.test("a completed task keeps the time of completion, and can be reopened", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id);
  const change = async (body: object) => {
    app.clock.move(minute);
    return (await member.call("PUT", `/v1/tasks/${task.id}`, body)).body;
  };
  assert.equal((await change({ completed: true })).completed_at, "2026-03-02 09:01:00");
  assert.equal((await change({ completed: true, note: "Done" })).completed_at, "2026-03-02 09:01:00");
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).body.next_task, null);
  const open = await change({ completed: false });
  assert.deepEqual([open.completed_at, open.status], [null, "later"]);
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).body.next_task.type, "call");
  // An activity completes it like any other open one.
  await act(member, path, made.id, ["Call"], { completed_task_id: task.id });
  assert.equal((await member.call("GET", `/v1/tasks/${task.id}`)).body.status, "completed");
});

Deno.test("a deleted task leaves its case and its activity, and sends task_deleted and case_updated", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const stays = await plan(member, path, made.id, { end_at: "2026-03-04 10:00:00" });
  const { body: task } = await member.call("GET", `/v1/tasks/${(await plan(member, path, made.id)).id}`);
  const known = (await readEvents(app)).length;
  app.clock.move(minute);
  assert.equal((await member.call("DELETE", `/v1/tasks/${task.id}`)).status, 204);
  for (const method of ["GET", "PUT", "DELETE"]) {
    assert.equal((await member.call(method, `/v1/tasks/${task.id}`, bodyOf[method])).status, 404, method);
  }
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual([now.tasks, now.recent_activity.task, now.next_task.end_at], [
    [stays],
    null,
    stays.end_at,
  ]);
  const activity = await member.call("GET", `/v1/cases/${made.id}/activities/${task.activity_id}`);
  assert.equal(activity.body.task, null);
  assert.deepEqual((await readEvents(app)).slice(known), [
    { name: "task_deleted", body: task },
    { name: "case_updated", body: now },
  ]);
});

Deno.test("an invalid change of a task is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const outsider = await company.user({ teams: [await company.team()] });
  const foreign = (await app.company()).admin;
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id);
  const gone = await company.user({ type: "admin" });
  const left = await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${gone.id}`);
  assert.equal(left.status, 204);
  const faults: [object, string, string][] = [
    [{ type: "lunch" }, "type", "enum"],
    [{ user_id: gone.id }, "user_id", "exists"],
    [{ user_id: outsider.id }, "user_id", "exists"],
    [{ user_id: foreign.id }, "user_id", "exists"],
    [{ user_id: 999_999 }, "user_id", "exists"],
    [{ start_at: "tomorrow" }, "start_at", "format"],
    [{ end_at: "2026-03-03 08:59:59" }, "end_at", "after"],
    [{ start_at: "2026-03-03 10:00:01" }, "start_at", "before"],
    [{ start_at: "2026-03-03 12:00:00", end_at: "2026-03-03 11:00:00" }, "end_at", "after"],
    [{ note: "n".repeat(65_536) }, "note", "max"],
    [{ completed: "yes" }, "completed", "type"],
  ];
  const known = (await readEvents(app)).length;
  for (const [body, where, code] of faults) {
    const refused = await member.call("PUT", `/v1/tasks/${task.id}`, body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    const found = refused.body.errors.find((error: { path: string }) => error.path === where);
    assert.equal(found?.code, code, refused.text);
  }
  for (const who of [outsider, foreign]) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      assert.equal((await who.call(method, `/v1/tasks/${task.id}`, bodyOf[method])).status, 404, method);
    }
  }
  assert.deepEqual(inCase((await member.call("GET", `/v1/tasks/${task.id}`)).body), task);
  assert.equal((await readEvents(app)).length, known);
});

Deno.test("a task keeps an assignee who left the team until another is given", async () => {
  await using app = await startApp();
  const { company, member, team, path } = await makeScene(app);
  const leaver = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id, { user_id: leaver.id });
  const gone = `/v1/companies/${company.id}/users/${leaver.id}`;
  assert.equal((await company.admin.call("DELETE", gone)).status, 204);
  const kept = await member.call("PUT", `/v1/tasks/${task.id}`, { user_id: leaver.id, note: "Still his" });
  assert.deepEqual([kept.status, kept.body.user.id], [200, leaver.id], kept.text);
});

Deno.test("If-Match limits a change and a deletion of a task to its version", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const url = `/v1/tasks/${(await plan(member, path, made.id)).id}`;
  for (const [method, status] of [["PUT", 200], ["DELETE", 204]] as const) {
    const etag = (await member.call("GET", url)).headers.get("etag")!;
    await member.call("PUT", url, { note: `Before ${method}` });
    assert.equal((await member.call(method, url, {}, { "If-Match": etag })).status, 412);
    const now = (await member.call("GET", url)).headers.get("etag")!;
    assert.equal((await member.call(method, url, {}, { "If-Match": now })).status, status);
  }
});

Deno.test("a task is not assigned to a user who meanwhile no longer sees its case", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id);
  const leave = () =>
    company.admin.call("PUT", `/v1/companies/${company.id}/users/${colleague.id}`, { team_ids: [] });
  const reply = await callMeanwhile(app, member, "PUT", `/v1/tasks/${task.id}`, leave, {
    user_id: colleague.id,
  });
  assert.equal(reply.status, 422, await reply.text());
  assert.equal((await member.call("GET", `/v1/tasks/${task.id}`)).body.user.id, member.id);

  const another = await company.user({ teams: [team] });
  const leaves = () =>
    company.admin.call("PUT", `/v1/companies/${company.id}/users/${another.id}`, { team_ids: [] });
  const planned = await callMeanwhile(app, member, "POST", `/v1/cases/${made.id}/activities`, leaves, {
    activity_type_ids: [path.types["Call"]],
    task: { ...task, user_id: another.id, note: undefined },
  });
  assert.equal(planned.status, 422, await planned.text());
});

Deno.test("concurrent changes of a task are all applied, and of two deletions one succeeds", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id);
  const url = `/v1/tasks/${task.id}`;
  const overtaken = await callMeanwhile(
    app,
    member,
    "PUT",
    url,
    () => member.call("PUT", url, { type: "email" }),
    { note: "Both" },
  );
  assert.equal(overtaken.status, 200, await overtaken.text());
  const { body } = await member.call("GET", url);
  assert.deepEqual([body.type, body.note], ["email", "Both"]);
  assert.deepEqual((await member.call("GET", `/v1/cases/${made.id}`)).body.tasks, [inCase(body)]);
  const late = await callMeanwhile(app, member, "DELETE", url, () => member.call("DELETE", url));
  assert.equal(late.status, 404, await late.text());
  const sent = (await readEvents(app)).filter(({ name }) => name === "task_deleted");
  assert.equal(sent.length, 1);
});

Deno.test("a task without an activity is created on an open case, and shows its case and customer", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  const url = `/v1/cases/${made.id}/tasks`;
  const times = { start_at: "2026-03-03 09:00:00", end_at: "2026-03-03 10:00:00" };
  const known = (await readEvents(app)).length;
  const reply = await member.call("POST", url, {
    type: "call",
    user_id: colleague.id,
    ...times,
    note: "<b>Ask</b><script>bad()</script>",
  });
  assert.equal(reply.status, 201, reply.text);
  assert.equal(Task.strict().safeParse(reply.body).error, undefined);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  const value = (name: string) =>
    now.contact.fixed_fields.find((field: Body) => field.name === name)?.value ?? null;
  const getName = ({ fixed_fields }: Body) => fixed_fields.find((field: Body) => field.name === "name").value;
  const { id, created_at, updated_at, ...shown } = reply.body;
  assert.deepEqual(shown, {
    case_id: made.id,
    activity_id: null,
    type: "call",
    user: { id: colleague.id, name: "Ada Byron user" },
    ...times,
    note: "<b>Ask</b>",
    status: "later",
    completed_at: null,
    case: {
      id: made.id,
      case_number: now.case_number,
      status: "open",
      account: { id: now.account.id, name: getName(now.account) },
      contact: {
        id: now.contact.id,
        name: [value("first_name"), value("last_name")].filter((part) => part).join(" "),
        email: value("email"),
        phone_number: value("phone_number"),
      },
    },
  });
  assert.deepEqual([created_at, updated_at], ["2026-03-02 09:00:00", "2026-03-02 09:00:00"]);
  assert.equal((await member.call("GET", `/v1/tasks/${id}`)).text, reply.text);
  assert.deepEqual((await member.call("GET", "/v1/tasks")).body.data, [reply.body]);
  assert.deepEqual([now.tasks, now.activity_count, now.recent_activity], [[inCase(reply.body)], 0, null]);
  assert.deepEqual((await readEvents(app)).slice(known), [
    { name: "task_created", body: reply.body },
    { name: "case_updated", body: now },
  ]);
  const notices = (await colleague.call("GET", "/v1/notifications")).body.data;
  assert.deepEqual(notices.map(({ type }: Body) => type), ["task_assigned"]);

  // The caller's own by default; the user as an answer shows it stands for its id.
  const own = await member.call("POST", url, { type: "letter", ...times, user: { id: null } });
  assert.deepEqual([own.status, own.body.user.id, own.body.note], [201, member.id, null], own.text);
  const outsider = await company.user({ teams: [await company.team()] });
  const faults: [object, string, string][] = [
    [{ ...times }, "type", "required"],
    [{ type: "call", end_at: times.end_at }, "start_at", "required"],
    [{ type: "call", ...times, end_at: "2026-03-03 08:59:59" }, "end_at", "after"],
    [{ type: "call", ...times, user_id: outsider.id }, "user_id", "exists"],
  ];
  for (const [body, where, code] of faults) {
    const refused = await member.call("POST", url, body);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(refused.body.errors.map((fault: Body) => [fault.path, fault.code]), [[where, code]]);
  }
  assert.equal((await outsider.call("POST", url, { type: "call", ...times })).status, 404);

  // Tasks show the case as it is, also when an activity changes both.
  const before = (await readEvents(app)).length;
  await act(member, path, made.id, ["Sold"], { completed_task_id: own.body.id });
  const events = (await readEvents(app)).slice(before);
  const completed = events.find(({ name }) => name === "task_updated")!.body;
  assert.deepEqual((await member.call("GET", `/v1/tasks/${own.body.id}`)).body, completed);
  assert.equal(completed.case.status, "closed");
  const late = await member.call("POST", url, { type: "call", ...times });
  assert.deepEqual([late.status, late.body.code], [409, "case_state"]);
});
