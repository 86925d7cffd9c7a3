import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { readImpact } from "../customers/deletion_world.ts";
import { newCase, readEvents } from "./parts.ts";
import { act, inCase, makeScene, plan } from "./tasks_world.ts";

const minute = 60_000;

const reportEntry = async (by: Actor, caseId: string, body: object) => {
  const reply = await by.call("POST", `/v1/cases/${caseId}/timeline`, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body as Body;
};

/** All entries, in pages of the size. */
async function walk(by: Actor, caseId: string, size: number): Promise<Body[]> {
  const found: Body[] = [];
  let next: string | null = `/v1/cases/${caseId}/timeline?per_page=${size}`;
  for (let page = 1; next; page++) {
    assert.ok(page <= 100, "the walk does not end");
    const { body, status, text } = await by.call("GET", next.replace(/^http:\/\/[^/]+/, ""));
    assert.equal(status, 200, text);
    found.push(...body.data);
    next = body.pagination.urls.next;
    if (next === null) assert.equal(body.pagination.total, found.length);
  }
  return found;
}

Deno.test("the timeline merges activities, tasks, notes, changes of status and events, newest first, as records", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const visit = await reportEntry(member, made.id, {
    type: "visit",
    title: "Looked at the van",
    content: "<b>Twice</b><script>bad()</script>",
    occurred_at: "2026-02-27T10:00:00+01:00",
  });
  assert.deepEqual(visit, {
    id: visit.id,
    case_id: made.id,
    type: "visit",
    title: "Looked at the van",
    content: "<b>Twice</b>",
    user: { id: member.id, name: "Ada Byron user" },
    occurred_at: "2026-02-27 09:00:00",
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  app.clock.move(minute);
  const task = await plan(member, path, made.id);
  app.clock.move(minute);
  const { body: note } = await member.call("POST", "/v1/notes", { note: "Called", case_id: made.id });
  app.clock.move(minute);
  const sold = await act(member, path, made.id, ["Sold"], { completed_task_id: task.id });
  app.clock.move(minute);
  const bare = await reportEntry(member, made.id, { title: "Paid" });
  assert.deepEqual([bare.type, bare.content, bare.occurred_at], [null, null, "2026-03-02 09:04:00"]);

  const timeline = await walk(member, made.id, 15);
  assert.deepEqual(timeline.map(({ type, id, occurred_at }) => [type, id, occurred_at]), [
    ["timeline_event", bare.id, "2026-03-02 09:04:00"],
    ["status_change", timeline[1]!.id, "2026-03-02 09:03:00"],
    ["activity", sold.id, "2026-03-02 09:03:00"],
    ["note", note.id, "2026-03-02 09:02:00"],
    ["task", task.id, "2026-03-02 09:01:00"],
    ["activity", task.activity_id, "2026-03-02 09:01:00"],
    ["timeline_event", visit.id, "2026-02-27 09:00:00"],
  ]);
  const data = timeline.map((entry) => entry.data);
  const get = async (path: string) => (await member.call("GET", path)).body;
  assert.deepEqual([data[0], data[6]], [bare, visit]);
  assert.deepEqual(data[1], {
    id: timeline[1]!.id,
    case_id: made.id,
    from: "open",
    to: "closed",
    reason: null,
    user: { id: member.id, name: "Ada Byron user" },
    created_at: "2026-03-02 09:03:00",
  });
  assert.deepEqual(data[2], sold);
  assert.deepEqual(data[3], await get(`/v1/notes/${note.id}`));
  assert.deepEqual(data[4], inCase(await get(`/v1/tasks/${task.id}`)));
  assert.equal(data[4].status, "completed");
  assert.deepEqual(data[5], await get(`/v1/cases/${made.id}/activities/${task.activity_id}`));
});

Deno.test("pages of any size return each entry once, also entries of the same second", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  for (let second = 0; second < 3; second++) {
    for (let n = 0; n < 2; n++) {
      await plan(member, path, made.id);
      await member.call("POST", "/v1/notes", { note: `Note ${n}`, case_id: made.id });
      await reportEntry(member, made.id, { title: `Visit ${n}` });
    }
    for (const name of ["Sold", "Reopened"]) await act(member, path, made.id, [name]);
    app.clock.move(1000);
  }
  // Entries of another case do not appear.
  const other = await newCase(member, path);
  await reportEntry(member, other.id, { title: "Elsewhere" });
  const whole = await walk(member, made.id, 100);
  assert.equal(whole.length, 3 * (2 * 4 + 2 * 2));
  assert.equal(new Set(whole.map(({ type, id }) => `${type} ${id}`)).size, whole.length);
  const times = whole.map(({ occurred_at }) => occurred_at);
  assert.deepEqual(times, times.toSorted().toReversed());
  for (const size of [1, 2, 3, 5, 7, 11]) {
    assert.deepEqual(await walk(member, made.id, size), whole, `${size}`);
  }
  const { body: third } = await member.call("GET", `/v1/cases/${made.id}/timeline?per_page=5&page=3`);
  assert.deepEqual(third.data, whole.slice(10, 15));
});

Deno.test("concurrent changes neither hide nor repeat an entry between pages", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const tasks: Body[] = [];
  for (let n = 0; n < 6; n++) {
    tasks.push(await plan(member, path, made.id));
    app.clock.move(1000);
  }
  const before = (await walk(member, made.id, 100)).map(({ id }) => id);
  const met: string[] = [];
  let next: string | null = `/v1/cases/${made.id}/timeline?per_page=3`;
  for (let page = 0; next; page++) {
    const { body } = await member.call("GET", next.replace(/^http:\/\/[^/]+/, ""));
    met.push(...body.data.map(({ id }: Body) => id));
    next = body.pagination.urls.next;
    await reportEntry(member, made.id, { title: `Meanwhile ${page}` });
    // A postponed task keeps its place: entries sort by creation.
    const later = { start_at: `2027-01-0${1 + page} 09:00:00`, end_at: "2027-02-01 09:00:00" };
    assert.equal((await member.call("PUT", `/v1/tasks/${tasks[page]!.id}`, later)).status, 200);
  }
  assert.deepEqual(met, before);
});

Deno.test("a timeline event sends its event in the same commit, also on closed cases, and does not change the case", async () => {
  await using app = await startApp();
  const { member, path } = await makeScene(app);
  const made = await newCase(member, path);
  await act(member, path, made.id, ["Sold"]);
  const before = await member.call("GET", `/v1/cases/${made.id}`);
  const known = (await readEvents(app)).length;
  app.clock.move(minute);
  const event = await reportEntry(member, made.id, { title: "Came for a service" });
  assert.deepEqual((await readEvents(app)).slice(known), [{ name: "timeline_event_created", body: event }]);
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).text, before.text);
});

Deno.test("an event is not sent for a case that moves to another team meanwhile", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const away = await company.team();
  const move = () =>
    app.deps.db.write([{ sql: "update cases set team_id = ? where id = ?", args: [away, made.id] }]);
  const reply = await callMeanwhile(app, member, "POST", `/v1/cases/${made.id}/timeline`, move, {
    title: "Visit",
  });
  assert.equal(reply.status, 404, await reply.text());
  assert.deepEqual(await app.sql("select id from timeline_events"), []);
});

Deno.test("an invalid event is rejected with field and rule; 404 for users who do not see the case", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const made = await newCase(member, path);
  const url = `/v1/cases/${made.id}/timeline`;
  const faults: [object, string, string][] = [
    [{}, "title", "required"],
    [{ title: " " }, "title", "min"],
    [{ title: "t".repeat(256) }, "title", "max"],
    [{ title: "Visit", type: "t".repeat(61) }, "type", "max"],
    [{ title: "Visit", content: "c".repeat(65_536) }, "content", "max"],
    [{ title: "Visit", occurred_at: "2026-02-30 00:00:00" }, "occurred_at", "format"],
  ];
  for (const [body, where, code] of faults) {
    const refused = await member.call("POST", url, body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    assert.deepEqual(refused.body.errors.map((error: Body) => [error.path, error.code]), [[where, code]]);
  }
  assert.deepEqual(await walk(member, made.id, 5), []);
  const outsider = await company.user({ teams: [await company.team()] });
  for (const who of [outsider, (await app.company()).admin]) {
    assert.equal((await who.call("GET", url)).status, 404);
    assert.equal((await who.call("POST", url, { title: "Visit" })).status, 404);
  }
  const place = (cursor: unknown) => btoa(JSON.stringify(cursor)).replaceAll("=", "");
  const key = "2026-03-02 09:00:00";
  for (const last of ["", "9 x", "0 x", "3 x", `5 ${made.id}`, "3 1e5", 7]) {
    const refused = await member.call("GET", `${url}?after=${place(["-occurred_at", key, last])}`);
    assert.equal(refused.status, 422, String(last));
    assert.equal(refused.body.errors[0].path, "query.after");
  }
  assert.equal(
    (await member.call("GET", `${url}?after=${place(["-occurred_at", 7, `0 ${made.id}`])}`)).status,
    422,
  );
});

Deno.test("deleting an account deletes the timelines of its cases, as its delete-impact lists", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const [gone, stays] = [await newCase(member, path), await newCase(member, path)];
  for (const { id } of [gone, gone, stays]) await reportEntry(member, id, { title: "Visit" });
  const account = `/v1/accounts/${gone.account.id}`;
  const { deletes } = await readImpact(company.admin, account);
  assert.deepEqual(deletes.find(({ type }: Body) => type === "timeline_event"), {
    type: "timeline_event",
    amount: 2,
  });
  assert.equal((await company.admin.call("DELETE", account)).status, 204);
  assert.deepEqual(await app.sql("select distinct case_id from timeline_events"), [{ case_id: stays.id }]);
});
