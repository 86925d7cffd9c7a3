import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { createRecord, notesWorld } from "../sales/notes_world.ts";

const minute = 60_000;

async function write(from: Actor, message: string, notify: object) {
  const reply = await from.call("POST", "/v1/notifications", { message, notify });
  assert.deepEqual([reply.status, reply.body], [202, { queued: true }], reply.text);
}

async function list(of: Actor, query = "") {
  const reply = await of.call("GET", `/v1/notifications?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

const codes = (body: { errors: { path: string; code: string }[] }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`);

Deno.test("a notification shows type, data, text, HTML, and whether and when it was read", async () => {
  await using app = await startApp();
  const { member, friend, customer } = await notesWorld(app);
  const { case_id } = await customer();
  await createRecord(member, "/v1/notes", { note: "Look", case_id, notify: { users: [friend.id] } });
  app.clock.move(minute);
  const { data: [shown], pagination } = await list(friend);
  assert.deepEqual(shown, {
    id: shown.id,
    type: "note",
    data: {
      user: { id: member.id, first_name: "Ada", last_name: "Byron user", profile_picture: null },
      case: { id: case_id, case_number: 1, relations_path_name: "Cars" },
    },
    message: "Ada Byron user mentioned you in a note on case 1 (Cars).",
    message_formatted: "<b>Ada Byron user</b> mentioned you in a note on case <b>1</b> (<b>Cars</b>).",
    read: false,
    read_at: null,
    created_at: "2026-03-02 09:00:00",
  });
  assert.deepEqual(pagination, {
    total: 1,
    page: 1,
    per_page: 15,
    urls: { previous: null, next: null },
    unread: 1,
  });
  assert.equal((await friend.call("PUT", `/v1/notifications/${shown.id}/read`)).status, 204);
  const { data: [after], pagination: counted } = await list(friend);
  assert.deepEqual(after, { ...shown, read: true, read_at: "2026-03-02 09:01:00" });
  assert.equal(counted.unread, 0);
});

Deno.test("a notification keeps the data of deleted records and shows the sender's current name", async () => {
  await using app = await startApp();
  const { company, admin, member, friend, customer } = await notesWorld(app);
  const { case_id, account_id } = await customer();
  await createRecord(member, "/v1/notes", { note: "Look", case_id, notify: { users: [friend.id] } });
  const renamed = { first_name: "Grace", last_name: "Hopper" };
  const path = `/v1/companies/${company.id}/users/${member.id}`;
  assert.equal((await admin.call("PUT", path, renamed)).status, 200);
  await app.deps.db.write([
    { sql: "update users set profile_picture = 'pictures/new.png' where id = ?", args: [member.id] },
  ]);
  const pictured = (await list(friend)).data[0].data.user;
  assert.deepEqual(pictured, { id: member.id, ...renamed, profile_picture: `${app.url}/pictures/new.png` });
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account_id}`)).status, 204);
  assert.equal((await admin.call("DELETE", path)).status, 204);
  const { data: [shown] } = await list(friend);
  assert.deepEqual(shown.data, {
    user: { id: member.id, ...renamed, profile_picture: null },
    case: { id: case_id, case_number: 1, relations_path_name: "Cars" },
  });
});

Deno.test("users see and read only their own notifications", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [one, two] = [await company.user(), await company.user()];
  await write(company.admin, "For one", { users: [one.id] });
  const { data: [{ id }] } = await list(one);
  for (const other of [two, company.admin]) {
    assert.deepEqual((await list(other)).data, []);
    assert.equal((await other.call("PUT", `/v1/notifications/${id}/read`)).status, 404);
    assert.equal((await other.call("PUT", "/v1/notifications/read")).status, 204);
  }
  assert.equal((await list(one)).pagination.unread, 1);
});

Deno.test("a message reaches the named users and all members of the named teams once, including the sender", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const [sender, member, other, apart] = [
    await company.user({ teams: [team] }),
    await company.user({ teams: [team] }),
    await company.user(),
    await company.user(),
  ];
  await write(sender, "Ten <b>o'clock</b>", { users: [member.id, other.id], teams: [team, team] });
  for (const each of [sender, member, other]) {
    const { data, pagination } = await list(each);
    assert.equal(pagination.total, 1);
    assert.deepEqual([data[0].type, data[0].message, data[0].message_formatted], [
      "custom",
      "Ten <b>o'clock</b>",
      "Ten &#60;b&#62;o&#39;clock&#60;/b&#62;",
    ]);
    assert.deepEqual(Object.keys(data[0].data), ["user"]);
    assert.equal(data[0].data.user.id, sender.id);
  }
  assert.equal((await list(apart)).pagination.total, 0);
});

Deno.test("a message has 1 to 512 characters and names existing users or teams of the company", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const gone = await company.user();
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}/users/${gone.id}`)).status, 204);
  const other = await app.company("Other");
  const theirs = await other.team();
  const notify = { users: [admin.id] };
  const faults: [object, string[]][] = [
    [{ notify }, ["message required"]],
    [{ message: "", notify }, ["message min"]],
    [{ message: "  ", notify }, ["message min"]],
    [{ message: "x".repeat(513), notify }, ["message max"]],
    [{ message: "x" }, ["notify required"]],
    [{ message: "x", notify: {} }, ["notify.users required", "notify.teams required"]],
    [{ message: "x", notify: { users: [], teams: null } }, [
      "notify.users required",
      "notify.teams required",
    ]],
    [{ message: "x", notify: { users: ["a"] } }, ["notify.users[0] type"]],
    [{ message: "x", notify: { users: [admin.id, gone.id, other.admin.id], teams: [theirs] } }, [
      "notify.users[1] exists",
      "notify.users[2] exists",
      "notify.teams[0] exists",
    ]],
  ];
  for (const [body, expected] of faults) {
    const refused = await admin.call("POST", "/v1/notifications", body);
    assert.deepEqual([refused.status, codes(refused.body)], [422, expected], JSON.stringify(body));
  }
  assert.deepEqual(await app.sql("select 1 from notifications"), []);
  await write(admin, "x".repeat(512), { users: null, teams: [await company.team()] });
});

Deno.test("the list is newest first and pages without gaps; show=unread omits read ones and counts the rest", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const reader = await company.user();
  const notify = { users: [reader.id] };
  for (let i = 1; i <= 8; i++) await write(admin, `Message ${i}`, notify);
  const messages = ({ data }: { data: { message: string }[] }) => data.map(({ message }) => message.slice(8));
  const all = await list(reader);
  assert.deepEqual(messages(all), ["8", "7", "6", "5", "4", "3", "2", "1"]);
  for (const { id, message } of all.data) {
    if (/[357]$/.test(message)) await reader.call("PUT", `/v1/notifications/${id}/read`);
  }
  const first = await list(reader, "show=unread&per_page=2");
  assert.deepEqual([messages(first), first.pagination.total, first.pagination.unread], [["8", "6"], 5, 5]);
  await write(admin, "Message 9", notify);
  const next = async (of: typeof first) =>
    (await reader.call("GET", of.pagination.urls.next.replace(app.url, ""))).body;
  const second = await next(first);
  assert.deepEqual([messages(second), second.pagination.total], [["4", "2"], 6]);
  const third = await next(second);
  assert.deepEqual([messages(third), third.pagination.urls.next], [["1"], null]);
  assert.deepEqual(messages(await list(reader, "per_page=3&page=2")), ["6", "5", "4"]);
  assert.deepEqual((await list(reader, "per_page=3")).pagination.unread, 6);
  const refused = await reader.call("GET", "/v1/notifications?show=all");
  assert.deepEqual([refused.status, codes(refused.body)], [422, ["query.show enum"]]);
});

Deno.test("a notification keeps the time of its first reading, single or together", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const notify = { users: [admin.id] };
  const times = async () =>
    (await list(admin)).data.map(({ read_at }: { read_at: string | null }) => read_at);
  const readAll = async () => assert.equal((await admin.call("PUT", "/v1/notifications/read")).status, 204);
  await readAll();
  await write(admin, "One", notify);
  await write(admin, "Two", notify);
  const { data: [two, one] } = await list(admin);
  const read = async ({ id }: { id: string }) =>
    assert.equal((await admin.call("PUT", `/v1/notifications/${id}/read`)).status, 204);
  await read(one);
  app.clock.move(minute);
  await read(one);
  await readAll();
  const first = ["2026-03-02 09:01:00", "2026-03-02 09:00:00"];
  assert.deepEqual(await times(), first);
  app.clock.move(minute);
  await read(one);
  await read(two);
  await readAll();
  await write(admin, "Three", notify);
  assert.deepEqual(await times(), [null, ...first]);
  app.clock.move(minute);
  await readAll();
  assert.deepEqual(await times(), ["2026-03-02 09:03:00", ...first]);
  assert.deepEqual(await app.sql("select unread from notification_counts"), [{ unread: 0 }]);
});

Deno.test("the unread count is exact after any sequence of messages and readings", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [one, two] = [await company.user(), await company.user()];
  const people = [one, two];
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom("write", "write", "read", "read", "all", "unread", "unread"),
      who: fc.integer({ min: 0, max: 1 }),
      which: fc.nat(20),
    }),
    { minLength: 5, maxLength: 25 },
  );
  const unread = new Map<number, Set<string>>(people.map(({ id }) => [id, new Set()]));
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      for (const { what, who, which } of history) {
        const person = people[who]!;
        const mine = unread.get(person.id)!;
        if (what === "write") {
          await write(person, "Hello", { users: people.slice(0, 1 + which % 2).map(({ id }) => id) });
          for (const each of people.slice(0, 1 + which % 2)) {
            unread.get(each.id)!.add((await list(each, "per_page=1")).data[0].id);
          }
        } else if (what === "all") {
          await person.call("PUT", "/v1/notifications/read");
          mine.clear();
        } else {
          const { data } = await list(person, "per_page=20");
          const chosen = data[which % Math.max(1, data.length)];
          if (!chosen) continue;
          const made = await person.call("PUT", `/v1/notifications/${chosen.id}/${what}`);
          assert.equal(made.status, 204, made.text);
          if (what === "read") mine.delete(chosen.id);
          else mine.add(chosen.id);
          const again = (await list(person, "per_page=20")).data.find(({ id }: Body) => id === chosen.id);
          assert.deepEqual([again.read, again.read_at === null], [what === "read", what === "unread"]);
        }
      }
      for (const person of people) {
        const { data, pagination } = await list(person, "show=unread&per_page=100");
        const mine = unread.get(person.id)!;
        assert.deepEqual(data.map(({ id }: { id: string }) => id).sort(), [...mine].sort());
        assert.deepEqual([pagination.total, pagination.unread], [mine.size, mine.size]);
      }
    }),
    { numRuns: 12 },
  );
});
