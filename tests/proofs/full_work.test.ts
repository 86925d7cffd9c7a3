/** A disk that fills while letters and exports are made and imports run: calls are 503, and the work goes on once there is room. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { pause } from "../../src/platform/pause.ts";
import { StorageFull } from "../../src/platform/storage/storage.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { importFile } from "../integration/imports_world.ts";
import {
  createCampaign,
  createConsumer,
  listMessages,
  sendingCompany,
  soon,
} from "../messages/campaign_world.ts";

/** Lets the database take no page more; `empty` removes the limit. */
const fill = (app: TestApp) => app.deps.db.script("pragma max_page_count = 1");
const empty = (app: TestApp) => app.deps.db.script("pragma max_page_count = 4294967294");

/** Takes what is free inside the file, so that the next write has no room. */
async function crowd(app: TestApp): Promise<void> {
  await app.deps.db.script("create table if not exists crowd (text text)");
  await fill(app);
  for (const length of [3_000, 300, 30]) {
    const row = { sql: "insert into crowd values (?)", args: ["x".repeat(length)] };
    for (let isFull = false; !isFull;) isFull = await app.deps.db.write([row]).then(() => false, () => true);
  }
}

/** Enough letters that their rows need further pages of the file. */
const letters = 24;

async function until(is: () => boolean): Promise<void> {
  while (!is()) await pause(10);
}

async function rounds(app: TestApp, n = 3): Promise<void> {
  for (let again = 0; again < n; again++) {
    await app.idle();
    await runJobs(app.deps, app.clock.now());
    app.clock.move(120_000);
  }
  // Jobs wake writers of files that go on after them.
  await app.idle();
}

/** Nothing answered 500, and no row of work waits any more. */
function noDefects(app: TestApp): void {
  assert.deepEqual(app.log.entries.filter(({ status }) => status === 500), []);
}

Deno.test("a disk that fills while letters are made: each letter is made once there is room", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  for (let n = 0; n < letters; n++) {
    await createConsumer(admin, { first_name: "Ada", last_name: `Number ${n}` }, {
      account: { address: "Street 1", city: "Graz" },
    });
  }
  const { id } = await createCampaign(admin, {
    ...soon,
    type: "letter",
    message: { content: "<p>Dear {{contact.full_name}}</p>" },
  });
  app.clock.move(3_600_000);
  await crowd(app);
  // A run keeps its results and tries to record them, until there is room.
  const run = runJobs(app.deps, app.clock.now());
  await until(() => app.log.entries.some(({ event }) => event === "letter_delayed"));
  const waiting = await admin.call("GET", `/v1/campaigns/${id}/letters`);
  assert.equal(waiting.status, 202, waiting.text);
  const refused = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "x".repeat(200) }],
  });
  assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"]);
  await empty(app);
  await run;
  await rounds(app, 6);
  const { status, body } = await admin.call("GET", `/v1/campaigns/${id}/letters`);
  assert.deepEqual([status, body.progress], [200, { done: letters, total: letters }]);
  assert.deepEqual(
    (await listMessages(admin, id)).map((each: Body) => each.status),
    Array(letters).fill("sent"),
  );
  const [objects] = await app.sql(
    "select count(*) as n from objects where key like 'letters/%' and removed_from is null",
  );
  assert.equal(Number(objects!.n), letters);
  noDefects(app);
});

Deno.test("a disk that fills while an import runs: its rows come once there is room, each once", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = ["last_name,email"];
  for (let n = 0; n < 300; n++) rows.push(`Name ${n},p${n}@example.org`);
  const dry = await importFile(app, admin, rows.join("\n"), { dry_run: "true" });
  assert.equal(dry.status, "checked");
  const started = await admin.call("POST", `/v1/imports/${dry.id}/start`);
  assert.equal(started.status, 202, started.text);
  await crowd(app);
  await rounds(app, 2);
  const found = await admin.call("GET", `/v1/imports/${dry.id}`);
  assert.equal(found.status, 200, found.text);
  assert.equal(found.body.status, "running", found.text);
  assert.ok(found.body.counts.created < 300, found.text);
  await empty(app);
  await rounds(app, 6);
  const { body } = await admin.call("GET", `/v1/imports/${dry.id}`);
  assert.equal(body.status, "done", JSON.stringify(body));
  assert.deepEqual(body.counts, { rows: 300, created: 300, updated: 0, skipped: 0, failed: 0 });
  assert.equal((await admin.call("GET", "/v1/contacts?per_page=1")).body.pagination.total, 300);
  noDefects(app);
});

const people = 60;

/** Asks for an export of records and one of figures. Returns where they are read. */
async function askForFiles(admin: Actor): Promise<string[]> {
  const records = await admin.call("POST", "/v1/exports", { entity: "contacts", columns: ["last_name"] });
  assert.equal(records.status, 201, records.text);
  const figures = await admin.call("GET", "/v1/reports/export?indicators=accounts.b2c.created&group_by=user");
  assert.equal(figures.status, 200, figures.text);
  return [`/v1/exports/${records.body.id}`, `/v1/reports/export/${figures.body.export_id}`];
}

async function statuses(admin: Actor, paths: readonly string[]): Promise<string[]> {
  return await Promise.all(paths.map(async (path) => (await admin.call("GET", path)).body.status));
}

/** Each export has its file, whole, and the storage nothing else. */
async function filesAreThere(app: TestApp, admin: Actor, paths: readonly string[]): Promise<void> {
  assert.deepEqual(await statuses(admin, paths), ["done", "done"]);
  const { file_id } = (await admin.call("GET", paths[0]!)).body;
  const { download_token } = (await admin.call("GET", `/v1/files/${file_id}`)).body;
  const text = await (await fetch(`${app.url}/v1/files/download/${download_token}`)).text();
  assert.equal(text.split("\r\n").filter((line) => line.includes("Number")).length, people);
  assert.equal((await admin.call("GET", "/v1/files")).body.pagination.total, paths.length);
  const kept = await app.sql("select key from objects where removed_from is null");
  assert.equal(kept.length, paths.length, JSON.stringify(kept));
}

/** Lets the storage take no object; returns what gives its room back. */
function fillStorage({ deps: { storage } }: TestApp): () => void {
  const { put, putStream } = storage;
  const full = new StorageFull("the folder: ENOSPC");
  storage.put = () => Promise.reject(full);
  storage.putStream = async (_key, chunks) => {
    for await (const _ of chunks) throw full;
  };
  return () => void Object.assign(storage, { put, putStream });
}

Deno.test("a storage that is full while files of exports are written: each is there once there is room", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (let n = 0; n < people; n++) await createConsumer(admin, { last_name: `Number ${n}` });
  const giveRoom = fillStorage(app);
  const paths = await askForFiles(admin);
  // For two hours.
  await rounds(app, 60);
  assert.deepEqual(await statuses(admin, paths), ["pending", "pending"]);
  giveRoom();
  await rounds(app, 6);
  await filesAreThere(app, admin, paths);
  noDefects(app);
});

Deno.test("exports wait for a storage that is away for nearly two days, and fail with a reason after them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await createConsumer(admin, { last_name: "Ada" });
  const giveRoom = fillStorage(app);
  const paths = await askForFiles(admin);
  for (let hours = 0; hours < 47; hours++) {
    await rounds(app, 1);
    app.clock.move(58 * 60_000);
  }
  assert.deepEqual(await statuses(admin, paths), ["pending", "pending"]);
  app.clock.move(3_600_000);
  await rounds(app, 12);
  assert.deepEqual(await statuses(admin, paths), ["failed", "failed"]);
  const { error } = (await admin.call("GET", paths[1]!)).body;
  assert.equal(error.code, "unavailable");
  assert.deepEqual(await app.sql("select failure from exports"), [{ failure: "unavailable" }]);
  giveRoom();
  noDefects(app);
});

Deno.test("a disk that fills while files of exports are written: each is there once there is room", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (let n = 0; n < people; n++) await createConsumer(admin, { last_name: `Number ${n}` });
  const { put, putStream } = app.deps.storage;
  const { promise: crowded, resolve } = Promise.withResolvers<void>();
  app.deps.storage.put = (...given) => crowded.then(() => put(...given));
  app.deps.storage.putStream = (...given) => crowded.then(() => putStream(...given));
  const paths = await askForFiles(admin);
  await crowd(app);
  resolve();
  const refused = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "x".repeat(200) }],
  });
  assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"]);
  // What has no room is tried again and again.
  const isDelayed = (path: string) =>
    app.log.entries.some((one) => one.event === "export_delayed" && path.endsWith(String(one.export)));
  for (const path of paths) {
    while (!isDelayed(path) && (await admin.call("GET", path)).body.status !== "done") await pause(10);
  }
  await empty(app);
  await rounds(app, 6);
  await filesAreThere(app, admin, paths);
  noDefects(app);
});
