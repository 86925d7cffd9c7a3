/** The event feed over HTTP. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { removeOldDeliveries } from "../../src/delivery/webhooks/expire.ts";
import { beginFeedEpoch } from "../../src/db/feed_epoch.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";

const path = "/v1/events";
const day = 24 * 3_600_000;

async function read(by: Actor, query = "", status = 200): Promise<Body> {
  const reply = await by.call("GET", `${path}?${query}`);
  assert.equal(reply.status, status, reply.text);
  return reply.body;
}

const account = (name: string, more: object = {}) => ({ fixed_fields: nameFields({ name }), ...more });

async function create(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function put(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("PUT", path, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Writes to the database as another process does. */
function beside(app: TestApp, sql: string, ...args: (string | number)[]): void {
  const db = new DatabaseSync(app.file);
  db.prepare(sql).run(...args);
  db.close();
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("the feed gives every event once, in order, with the record as GET answered", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = await create(admin, "/v1/accounts", account("Ada Ltd"));
  const after = await put(admin, `/v1/accounts/${first.id}`, { external_id: "a" });
  assert.equal((await admin.call("DELETE", `/v1/accounts/${first.id}`)).status, 204);
  const reply = await admin.call("GET", `${path}?entity_type=account`);
  assert.equal(reply.headers.get("cache-control"), "no-store");
  const { data, more, next } = reply.body;
  assert.equal(more, false);
  assert.deepEqual(Object.keys(data[0]), [
    "id",
    "cursor",
    "event",
    "entity_type",
    "entity_id",
    "sequence",
    "executor_id",
    "created_at",
    "visible",
    "data",
  ]);
  assert.deepEqual(data.map((item: Body) => [item.event, item.entity_id, item.sequence, item.executor_id]), [
    ["account_created", first.id, 1, admin.id],
    ["account_updated", first.id, 2, admin.id],
    ["account_deleted", first.id, 3, admin.id],
  ]);
  assert.deepEqual(data[0].data, first);
  assert.deepEqual(data[1].data, after);
  assert.deepEqual(data[2].data, after);
  assert.ok(data.every((item: Body) => item.visible));
  assert.equal(next, data[2].cursor);
  assert.deepEqual((await read(admin, `after=${next}`)).data, []);
  const pages: string[] = [];
  for (let at = data[0].cursor, page; !page || page.more; at = page.next) {
    page = await read(admin, `after=${at}&limit=1`);
    pages.push(...page.data.map((item: Body) => item.event));
  }
  assert.deepEqual(pages, ["account_updated", "account_deleted"]);
  const head = await fetch(`${app.url}${path}`, {
    method: "HEAD",
    headers: { Authorization: `Bearer ${admin.token}` },
  });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

Deno.test("filters select, and the cursor moves on behind what they pass over", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const one = await create(admin, "/v1/accounts", account("Ada Ltd"));
  await create(admin, `/v1/accounts/${one.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const other = await create(admin, "/v1/accounts", account("Ben Ltd"));
  const names = async (query: string) =>
    (await read(admin, query)).data.map((item: Body) => [item.event, item.entity_id]);
  assert.deepEqual(await names("types=account_created"), [["account_created", one.id], [
    "account_created",
    other.id,
  ]]);
  assert.deepEqual(await names(`entity_type=account&entity_id=${other.id}`), [["account_created", other.id]]);
  assert.deepEqual(await names("entity_type=account&entity_id=none"), []);
  assert.deepEqual(
    await names("types=account_updated,contact_created&types=note_created").then((all) => all.length),
    1,
  );
  const { data, next } = await read(admin, "types=contact_created");
  assert.notEqual(next, data[0].cursor);
  assert.deepEqual((await read(admin, `after=${next}`)).data, []);
  const now = await read(admin, "after=now");
  assert.deepEqual([now.data, now.more], [[], false]);
  await create(admin, "/v1/accounts", account("Cleo Ltd"));
  assert.equal((await read(admin, `after=${now.next}`)).data.length, 1);
});

Deno.test("what the feed does not take is refused with the field and the rule", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const neighbour = await app.company("Other");
  const { next } = await read(neighbour.admin);
  const { next: own } = await read(admin);
  const changed = `${own.slice(0, -1)}${own.endsWith("A") ? "B" : "A"}`;
  const faults: [string, string, string][] = [
    ["types=account_make", "query.types", "enum"],
    ["types=webhook_test", "query.types", "enum"],
    ["entity_type=accounts", "query.entity_type", "enum"],
    ["entity_id=x", "query.entity_type", "required"],
    ["limit=0", "query.limit", "min"],
    ["limit=501", "query.limit", "max"],
    ["limit=x", "query.limit", "type"],
    ["wait=26", "query.wait", "max"],
    ["wait=-1", "query.wait", "min"],
    ["wait=1.5", "query.wait", "type"],
    ["after=", "query.after", "format"],
    ["after=x", "query.after", "format"],
    [`after=${next}`, "query.after", "format"],
    [`after=${changed}`, "query.after", "format"],
    [`after=${own}=`, "query.after", "format"],
    [`after=${"A".repeat(5000)}`, "query.after", "format"],
  ];
  for (const [query, at, code] of faults) {
    const { errors } = await read(admin, query, 422);
    assert.deepEqual([errors[0].path, errors[0].code], [at, code], query);
  }
});

Deno.test("the feed needs a right, which is judged at each call", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  assert.match((await read(user, "", 403)).detail, /webhooks\.manage/);
  await read(await company.user({ rights: ["webhooks.manage"] }));
});

Deno.test("a reader sees what the lists show now, by the team after the event, and a leaving once", async () => {
  await using app = await startApp();
  const { company, admin, dealer, agency, lead } = await makeSales(app);
  const other = await company.team({ name: "Other", team_type: "dealer" });
  const reader = await company.user({ teams: [dealer], rights: ["webhooks.manage"] });
  const agent = await company.user({ teams: [agency], rights: ["webhooks.manage", "agency"] });
  const { next } = await read(reader, "after=now");
  const readSeen = async (by: Actor) =>
    (await read(by, `after=${next}`)).data.map((
      item: Body,
    ) => [item.event, item.visible, item.data?.id ?? null]);
  const shared = await create(admin, "/v1/accounts", account("Shared", { team_id: null }));
  const own = await create(admin, "/v1/accounts", account("Own", { team_id: dealer }));
  const hidden = await create(admin, "/v1/accounts", account("Hidden", { team_id: other }));
  await put(admin, `/v1/accounts/${own.id}`, { team_id: other });
  await put(admin, `/v1/accounts/${own.id}`, { external_id: "later" });
  await put(admin, `/v1/accounts/${hidden.id}`, { team_id: dealer });
  const waiting = await lead({ team_id: null });
  const taken = await lead({ team_id: dealer, agency_team_id: other });
  assert.deepEqual(await readSeen(reader), [
    ["account_created", true, shared.id],
    ["account_created", true, own.id],
    ["account_updated", false, null],
    ["account_updated", true, hidden.id],
    ["lead_created", true, taken.id],
    ["lead_assigned", true, taken.id],
  ]);
  assert.deepEqual(await readSeen(agent), [["account_created", true, shared.id], [
    "lead_created",
    true,
    waiting.id,
  ]]);
  assert.equal((await readSeen(admin)).length, 9);
});

Deno.test("custom fields that the reader does not see now are cut, deleted ones for all", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const reader = await company.user({ teams: [team], rights: ["webhooks.manage"] });
  const field = async (name: string, more: object = {}) =>
    await create(admin, "/v1/fields/account", { label: name, type: "text", ...more });
  const [all, theirs, gone] = [
    await field("all"),
    await field("theirs", { team_id: await company.team({ name: "Other" }) }),
    await field("gone"),
  ];
  const before = (await read(reader)).visibility;
  await create(admin, "/v1/accounts", {
    fixed_fields: nameFields({ name: 'A "custom_fields":[{"id":"x"}] Ltd' }),
    custom_fields: [all, theirs, gone].map(({ id }) => ({ id, value: 'one, {"two"}' })),
  });
  assert.equal((await admin.call("DELETE", `/v1/fields/account/${gone.id}`)).status, 204);
  const readFields = async (by: Actor) =>
    (await read(by, "types=account_created")).data.at(-1).data.custom_fields.map(({ id }: Body) => id);
  assert.deepEqual(await readFields(admin), [all.id, theirs.id]);
  assert.deepEqual(await readFields(reader), [all.id]);
  assert.notEqual((await read(reader)).visibility, before);
});

Deno.test("the mark of what a reader sees changes with teams, type and fields, and not with other things", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team({ name: "Other" })];
  const reader = await company.user({ teams: [team], rights: ["webhooks.manage"] });
  const mark = async () => (await read(reader)).visibility;
  const first = await mark();
  await create(admin, "/v1/accounts", account("Ada Ltd"));
  await put(admin, `/v1/companies/${company.id}/users/${reader.id}`, { first_name: "Ada" });
  assert.equal(await mark(), first);
  await put(admin, `/v1/companies/${company.id}/users/${reader.id}`, { team_ids: [team, other] });
  const second = await mark();
  assert.notEqual(second, first);
  await put(admin, `/v1/companies/${company.id}/users/${reader.id}`, { team_ids: [team] });
  assert.equal(await mark(), first);
});

Deno.test("a cursor behind which events are removed is 410 with the oldest good one, others stay good", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  await create(admin, "/v1/accounts", account("Ada Ltd"));
  await create(admin, "/v1/accounts", account("Ben Ltd"));
  const [first, second] = (await read(admin)).data;
  app.clock.move(31 * day);
  await removeOldDeliveries(app.deps, app.clock.now());
  assert.deepEqual(await app.sql("select id from outbox"), []);
  const fresh = await company.user({ type: "admin" });
  const refused = await read(fresh, `after=${first.cursor}`, 410);
  assert.equal(refused.code, "cursor_expired");
  assert.deepEqual((await read(fresh, `after=${second.cursor}`)).data, []);
  await create(fresh, "/v1/accounts", account("Cleo Ltd"));
  assert.equal((await read(fresh, `after=${refused.oldest}`)).data.length, 1);
  assert.equal((await read(fresh)).data.length, 1);

  await app.deps.db.write([beginFeedEpoch(app.clock.now())]);
  const restored = await read(fresh, `after=${second.cursor}`, 410);
  assert.equal((await read(fresh, `after=${restored.oldest}`)).data.length, 1);
});

Deno.test("a call that waits is answered by the next commit that concerns it, and by no other", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team({ name: "Other" })];
  const reader = await company.user({ teams: [team], rights: ["webhooks.manage"] });
  const { next } = await read(reader, "after=now");
  const begun = performance.now();
  const waiting = read(reader, `after=${next}&wait=20`);
  await until(() => app.deps.eventReaders.size === 1);
  await create(admin, "/v1/accounts", account("Hidden", { team_id: other }));
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(app.deps.eventReaders.size, 1);
  const own = await create(admin, "/v1/accounts", account("Own", { team_id: team }));
  const { data } = await waiting;
  assert.deepEqual(data.map((item: Body) => item.entity_id), [own.id]);
  assert.ok(performance.now() - begun < 5_000);
  assert.equal(app.deps.eventReaders.size, 0);
  const empty = await read(reader, "after=now&wait=1");
  assert.deepEqual([empty.data, empty.more], [[], false]);
});

Deno.test("a commit of another process wakes a call that waits", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const waiting = read(admin, "after=now&wait=20");
  await until(() => app.deps.eventReaders.size === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const begun = performance.now();
  beside(
    app,
    "insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, body, created_at) " +
      "values ('01939c5e-7d3a-7c3f-8a55-0a4be5a1a060', ?, 'team_created', 'team', '7', 1, '{}', '2026-03-02 09:00:00')",
    id,
  );
  assert.equal((await waiting).data[0].event, "team_created");
  assert.ok(performance.now() - begun < 500);
});

Deno.test("a caller who loses the right or the token while waiting is refused", async () => {
  await using app = await startApp();
  const company = await app.company();
  const reader = await company.user({ rights: ["webhooks.manage"] });
  const waiting = reader.call("GET", `${path}?after=now&wait=1`);
  await until(() => app.deps.eventReaders.size === 1);
  beside(app, "delete from user_roles where user_id = ?", reader.id);
  assert.equal((await waiting).status, 403);
  const again = await company.user({ rights: ["webhooks.manage"] });
  const second = again.call("GET", `${path}?after=now&wait=1`);
  await until(() => app.deps.eventReaders.size === 1);
  beside(app, "delete from access_tokens where user_id = ?", again.id);
  assert.equal((await second).status, 401);
});

Deno.test("the eleventh waiting call of one user is 429, and beyond half of the connections all are 503", async () => {
  await using app = await startApp({ MAX_CONNECTIONS: "26" });
  const company = await app.company();
  const { admin } = company;
  const other = await company.user({ rights: ["webhooks.manage"] });
  const waiting = Array.from({ length: 10 }, () => read(admin, "after=now&wait=3"));
  await until(() => app.deps.eventReaders.size === 10);
  const refused = await admin.call("GET", `${path}?after=now&wait=3`);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await read(admin, "after=now");
  const others = [1, 2, 3].map(() => read(other, "after=now&wait=3"));
  await until(() => app.deps.eventReaders.size === 13);
  const full = await other.call("GET", `${path}?after=now&wait=3`);
  assert.equal(full.status, 503);
  assert.ok(Number(full.headers.get("retry-after")) > 0);
  app.deps.eventReaders.stop();
  await Promise.all([...waiting, ...others]);
  assert.equal(app.deps.eventReaders.size, 0);
});

Deno.test("a call of a batch does not wait", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const begun = performance.now();
  const reply = await admin.call("POST", "/v1/batch", {
    requests: [{ method: "GET", path: `${path}?after=now&wait=20` }],
  });
  assert.equal(reply.body.responses[0].status, 200);
  assert.ok(performance.now() - begun < 5_000);
});

Deno.test("a page passes over ten thousand events at most, and a large one ends early", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const insert =
    "insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, team_id, body, " +
    "created_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
    "select 'e' || ? || i, ?, 'account_created', 'account', 'a' || i, 1, ?, ?, '2026-03-02 09:00:00' from n";
  await app.deps.db.write([{ sql: insert, args: [12_000, "h", id, 987_654, "{}"] }]);
  const reader = await company.user({ rights: ["webhooks.manage"] });
  const page = await read(reader);
  assert.deepEqual([page.data.length, page.more], [0, true]);
  const rest = await read(reader, `after=${page.next}`);
  assert.deepEqual([rest.data.length, rest.more], [0, false]);
  const large = JSON.stringify({ text: "x".repeat(3_000_000) });
  await app.deps.db.write([{ sql: insert, args: [4, "l", id, null, large] }]);
  const short = await read(admin, `after=${rest.next}`);
  assert.deepEqual([short.data.length, short.more], [2, true]);
  const end = await read(admin, `after=${short.next}`);
  assert.deepEqual([end.data.length, end.more], [2, false]);
});
