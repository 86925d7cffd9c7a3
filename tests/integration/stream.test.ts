/** The event feed as a stream, over HTTP. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { nameFields } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { readBlocks, readStreamEvents, type Sent } from "../support/event_stream.ts";

const path = "/v1/events/stream";

async function open(
  app: TestApp,
  by: Actor,
  query = "",
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> {
  return await fetch(`${app.url}${path}?${query}`, {
    method,
    headers: { Authorization: `Bearer ${by.token}`, ...headers },
  });
}

async function take(events: AsyncGenerator<Sent>, n: number): Promise<Sent[]> {
  const taken: Sent[] = [];
  for (let k = 0; k < n; k++) taken.push((await events.next()).value as Sent);
  return taken;
}

async function createAccount(by: Actor, name: string, more: object = {}): Promise<Body> {
  const reply = await by.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name }), ...more });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Writes to the database as another process does. */
function beside(app: TestApp, sql: string, ...args: (string | number)[]): void {
  const db = new DatabaseSync(app.file);
  db.prepare(sql).run(...args);
  db.close();
}

Deno.test("a stream begins at once, gives the items of the feed, and those that happen as they do", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await createAccount(admin, "Ada Ltd");
  const response = await open(app, admin);
  assert.deepEqual(
    ["content-type", "cache-control", "x-accel-buffering", "content-encoding"].map((name) =>
      response.headers.get(name)
    ),
    ["text/event-stream; charset=utf-8", "no-store", "no", null],
  );
  const blocks = readBlocks(response);
  assert.equal((await blocks.next()).value, "retry: 2000\n\n");
  const { data } = (await admin.call("GET", "/v1/events")).body;
  const first = (await blocks.next()).value as string;
  const [id, item, ...rest] = first.split("\n");
  assert.equal(id, `id: ${data[0].cursor}`);
  assert.deepEqual(JSON.parse(item!.slice("data: ".length)), data[0]);
  assert.deepEqual(rest, ["", ""]);
  const begun = performance.now();
  const second = await createAccount(admin, "Ben Ltd");
  assert.match((await blocks.next()).value as string, new RegExp(second.id));
  assert.ok(performance.now() - begun < 500);
  await blocks.return(undefined);
  await until(() => app.deps.eventReaders.size === 0);
});

Deno.test("a stream that was cut continues behind the last event rather than where the address says", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = ["Ada", "Ben", "Cleo", "Dan"];
  for (const name of names) await createAccount(admin, `${name} Ltd`);
  const seen: string[] = [];
  let last: string | null = null;
  for (let cut = 0; cut < 4; cut++) {
    const headers: Record<string, string> = last === null ? {} : { "Last-Event-ID": last };
    const events = readStreamEvents(await open(app, admin, last === null ? "" : "after=now", headers));
    const [event] = await take(events, 1);
    last = event!.id;
    seen.push(event!.data.data.fixed_fields.find(({ name }: Body) => name === "name").value);
    await events.return(undefined);
  }
  assert.deepEqual(seen, names.map((name) => `${name} Ltd`));
});

Deno.test("what a stream does not take is refused before it begins", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const reader = await company.user();
  assert.equal((await open(app, reader)).status, 403);
  assert.equal((await fetch(`${app.url}${path}`)).status, 401);
  const faults: [string, Record<string, string>, string][] = [
    ["types=x", {}, "query.types"],
    ["entity_id=x", {}, "query.entity_type"],
    ["after=x", {}, "query.after"],
    ["after=now", { "Last-Event-ID": "x" }, "query.after"],
    ["after=now", { "Last-Event-ID": "now" }, "query.after"],
  ];
  for (const [query, headers, at] of faults) {
    const response = await open(app, admin, query, headers);
    assert.equal(response.status, 422);
    assert.equal((await response.json()).errors[0].path, at);
  }
  assert.equal(app.deps.eventReaders.size, 0);
});

Deno.test("HEAD of a stream has its headers and leaves nothing open", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const response = await open(app, admin, "", {}, "HEAD");
  assert.deepEqual([response.status, await response.text()], [200, ""]);
  assert.match(response.headers.get("content-type")!, /^text\/event-stream/);
  assert.equal(app.deps.eventReaders.size, 0);
});

Deno.test("a stream ends when the right ends, and shows nothing that happens later", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const reader = await company.user({ rights: ["webhooks.manage"] });
  const events = readStreamEvents(await open(app, reader));
  await createAccount(admin, "Ada Ltd", { team_id: null });
  await take(events, 1);
  beside(app, "delete from user_roles where user_id = ?", reader.id);
  await createAccount(admin, "Ben Ltd", { team_id: null });
  const begun = performance.now();
  assert.deepEqual(await events.next(), { value: undefined, done: true });
  assert.ok(performance.now() - begun < 5_000);
  assert.equal((await open(app, reader)).status, 403);
});

Deno.test("a quiet stream ends within five seconds of its token", async () => {
  await using app = await startApp();
  const company = await app.company();
  const reader = await company.user({ rights: ["webhooks.manage"] });
  const events = readStreamEvents(await open(app, reader));
  await until(() => app.deps.eventReaders.size === 1);
  beside(app, "delete from access_tokens where user_id = ?", reader.id);
  const begun = performance.now();
  assert.equal((await events.next()).done, true);
  assert.ok(performance.now() - begun < 5_000);
  assert.equal((await open(app, reader)).status, 401);
});

Deno.test("streams end when the service stops", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const streams = await Promise.all([1, 2, 3].map(() => open(app, admin)));
  app.deps.eventReaders.stop();
  for (const stream of streams) assert.match(await stream.text(), /^retry: 2000\n\n$/);
  assert.equal(app.deps.eventReaders.size, 0);
});

Deno.test("a reader that reads nothing holds few events in memory, and does not hold up another", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const body = JSON.stringify({ text: "x".repeat(100_000) });
  const insert =
    "insert into outbox (id, company_id, event_name, entity_type, entity_id, sequence, body, created_at) " +
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) " +
    "select 'e' || i, ?, 'account_created', 'account', 'a' || i, 1, ?, '2026-03-02 09:00:00' from n";
  await app.deps.db.write([{ sql: insert, args: [id, body] }]);
  let reads = 0;
  const { read } = app.deps.db;
  app.deps.db.read = (statements) => {
    if (statements.some(({ sql }) => sql.includes("octet_length"))) reads++;
    return read.call(app.deps.db, statements);
  };
  const slow = await open(app, admin);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = reads;
  assert.ok(before < 40, `${before} reads`);
  const events = readStreamEvents(await open(app, admin));
  assert.equal((await take(events, 300)).at(-1)!.data.entity_id, "a300");
  await events.return(undefined);
  await slow.body!.cancel();
  await until(() => app.deps.eventReaders.size === 0);
});

Deno.test("a stream shows nothing of a team that its reader has left meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, left] = [await company.team(), await company.team({ name: "Left" })];
  const reader = await company.user({ teams: [team, left], rights: ["webhooks.manage"] });
  const events = readStreamEvents(await open(app, reader, "entity_type=account"));
  await createAccount(admin, "Before", { team_id: left });
  assert.equal((await take(events, 1))[0]!.data.data.fixed_fields[0].value, "Before");
  const put = await admin.call("PUT", `/v1/companies/${company.id}/users/${reader.id}`, { team_ids: [team] });
  assert.equal(put.status, 200, put.text);
  await createAccount(admin, "Hidden", { team_id: left });
  const own = await createAccount(admin, "Own", { team_id: team });
  assert.equal((await take(events, 1))[0]!.data.entity_id, own.id);
  await events.return(undefined);
});

Deno.test("a stream shows what happens in a team that its reader has joined meanwhile", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, joined] = [await company.team(), await company.team({ name: "Joined" })];
  const reader = await company.user({ teams: [team], rights: ["webhooks.manage"] });
  const events = readStreamEvents(await open(app, reader, "entity_type=account"));
  await createAccount(admin, "Before", { team_id: team });
  await take(events, 1);
  const put = await admin.call("PUT", `/v1/companies/${company.id}/users/${reader.id}`, {
    team_ids: [team, joined],
  });
  assert.equal(put.status, 200, put.text);
  const first = await createAccount(admin, "First", { team_id: joined });
  await createAccount(admin, "Second", { team_id: team });
  assert.equal((await take(events, 1))[0]!.data.entity_id, first.id);
  await events.return(undefined);
});
