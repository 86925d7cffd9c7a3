/**
 * Processes that import, revert and export are killed at random places: the end is that of a run without kills.
 * `IMPORT_ROWS` and `IMPORT_KILLS` make the test larger.
 */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";
import { KilledService, type Measured, waitUntil } from "./killed.ts";
import { listFaults } from "./imports_world.ts";

const readSize = (name: string, usual: number) => Number(Deno.env.get(name) ?? usual);
const size = readSize("IMPORT_ROWS", 400);
const kills = readSize("IMPORT_KILLS", 2);
/** Milliseconds before each commit: a small import would be over before the kill. */
const pause = size < 5_000 ? 15 : 0;
const patience = 60_000 + size * 20;

const rows = [
  "external_id,first_name,last_name,email,account.external_id,account.name",
  ...Array.from({ length: size }, (_, n) => {
    const email = n % 50 === 3 ? "nonsense" : `p${n}@example.org`;
    // Each eighth row changes what another one has made.
    return `C${n % 8 === 7 ? n - 7 : n},First ${n},Last ${n},${email},A${n % 90},Firm ${n % 90}`;
  }),
].join("\n");

/** What the API answers about all customers, ids and times aside: a digest of each record. */
async function everything(admin: Actor): Promise<string[]> {
  const found: string[] = [];
  for (const path of ["accounts", "contacts"]) {
    for (let next: string | null = `/v1/${path}?per_page=100`; next !== null;) {
      const { status, body, text }: { status: number; body: Body; text: string } = await admin.call(
        "GET",
        next,
      );
      assert.equal(status, 200, text);
      for (const record of body.data) found.push(`${path} ${JSON.stringify(record, withoutIds)}`);
      next = body.pagination.urls.next?.replace(/^https?:\/\/[^/]+/, "") ?? null;
    }
  }
  return found.sort();
}

function withoutIds(key: string, value: unknown): unknown {
  return key === "id" || key === "executor" || key === "user" || /_at$|(?<!external)_id$/.test(key)
    ? undefined
    : value;
}

interface Run {
  readonly app: TestApp;
  readonly service: KilledService;
  readonly admin: Actor;
}

/** Sends the call, and kills the service each time the work has reached another random place. */
async function runKilled(
  { app, service, admin }: Run,
  begin: () => Promise<string>,
  { table, status, reached, places }: {
    readonly table: "imports" | "exports";
    readonly status: string;
    /** SQL: how far it is. */
    readonly reached: string;
    /** The places at which the service is killed. */
    readonly places: readonly number[];
  },
): Promise<Body> {
  const id = await begin();
  const state = async () =>
    (await app.sql(`select status, ${reached} as place from ${table} where id = ?`, id))[0]!;
  let hits = 0;
  for (const place of places) {
    await waitUntil(async () => {
      const now = await state();
      return now.status === status || Number(now.place) >= place;
    }, patience);
    // Anywhere in the step that follows.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    await service.kill();
    if ((await state()).status !== status) hits++;
    await service.start();
  }
  assert.ok(hits > places.length / 2, `only ${hits} of ${places.length} kills came while it ran`);
  await waitUntil(async () => (await state()).status === status, patience);
  return (await service.call(admin, "GET", `/v1/${table}/${id}`)).body;
}

/** Random places among the first part of the rows, in their order. */
function drawPlaces(most: number): number[] {
  return Array.from({ length: kills }, () => Math.floor(Math.random() * most * 0.9)).sort((a, b) => a - b);
}

const sendTo = async ({ service, admin }: Run) => {
  const form = {
    entity: "contacts",
    match: "external_id",
    file: makeFile("c.csv", new TextEncoder().encode(rows)),
  };
  const made = await service.call(admin, "POST", "/v1/imports", await makeMultipart(form));
  assert.equal(made.status, 201, made.text);
  return made.body.id as string;
};

async function first({ admin }: TestCompany): Promise<void> {
  for (const n of [1, 2, 3]) {
    const fixed_fields = [{ name: "name", value: `Before ${n}` }];
    const { status, text } = await admin.call("POST", "/v1/accounts", { external_id: `A${n}`, fixed_fields });
    assert.equal(status, 201, text);
  }
}

Deno.test(`an import, its revert and an export end the same with ${kills} kills each as without`, async () => {
  await using app = await startApp();
  await using service = new KilledService(app, pause);
  const [one, two] = [await app.company(), await app.company("Other")];
  for (const each of [one, two]) await first(each);
  const before = await everything(one.admin);
  await service.start();
  const idle = await service.measured();
  const smoothRun = { app, service, admin: two.admin };
  const began = performance.now();
  const smoothId = await sendTo(smoothRun);
  const most = { idle: idle.memory, memory: 0, longest: 0 };
  const note = ({ memory, longest }: Measured) => {
    most.memory = Math.max(most.memory, memory);
    most.longest = Math.max(most.longest, longest);
  };
  await waitUntil(
    async () => {
      note(await service.measured());
      return (await two.admin.call("GET", `/v1/imports/${smoothId}`)).body.status === "done";
    },
    patience,
    250,
  );
  const seconds = (performance.now() - began) / 1_000;
  const smooth = (await two.admin.call("GET", `/v1/imports/${smoothId}`)).body;
  const above = Math.round((most.memory - most.idle) / 1_048_576);
  const longestMs = most.longest.toFixed(0);
  console.log(
    `${size} rows in ${seconds.toFixed(1)} s, ${above} MiB above idle, longest commit ${longestMs} ms`,
  );

  const run = { app, service, admin: one.admin };
  const done = await runKilled(run, () => sendTo(run), {
    table: "imports",
    status: "done",
    reached: "coalesce(place, 0)",
    places: drawPlaces(size),
  });
  assert.deepEqual(done.counts, smooth.counts);
  assert.ok(done.counts.failed > 0 && done.counts.updated > 0);
  assert.deepEqual(await listFaults(one.admin, done.id), await listFaults(two.admin, smooth.id));
  const whole = await everything(two.admin);
  assert.deepEqual(await everything(one.admin), whole);

  const columns = ["external_id", "last_name", "email", "account.external_id"];
  const beginExport = (admin: Actor) => async () => {
    const made = await service.call(admin, "POST", "/v1/exports", { entity: "contacts", columns });
    assert.equal(made.status, 201, made.text);
    return made.body.id as string;
  };
  const downloadText = async (admin: Actor, { file_id }: Body) => {
    const moved = await service.call(admin, "GET", `/v1/files/${file_id}/download`);
    const { pathname, search } = new URL(moved.headers.get("location")!, app.url);
    const { status, text } = await service.call(admin, "GET", pathname + search);
    assert.equal(status, 200, text);
    return text;
  };
  const written = { table: "exports", status: "done", reached: "attempts", places: [1, 2] } as const;
  const gotten = await runKilled(run, beginExport(one.admin), written);
  const lines = (await downloadText(one.admin, gotten)).split("\r\n");
  const listed = (await app.sql("select external_id from contacts where company_id = ?", one.id))
    .map(({ external_id }) => external_id);
  assert.deepEqual(
    lines.slice(1, -1).map((line) => line.split(",")[0]!.replaceAll(`"`, "")).sort(),
    listed.sort(),
  );

  const [contact] = (await one.admin.call("GET", "/v1/contacts?per_page=1&search=Last")).body.data;
  const path = `/v1/accounts/${contact.account.id}/contacts/${contact.id}`;
  const fixed_fields = [{ name: "first_name", value: "Somebody" }];
  assert.equal((await one.admin.call("PUT", path, { fixed_fields })).status, 200);
  const revert = async () => {
    const { status, text } = await service.call(one.admin, "POST", `/v1/imports/${done.id}/revert`);
    assert.ok(status === 200 || status === 202, text);
    return done.id;
  };
  const restored = ["deleted", "restored", "kept"].map((name) => `coalesce(reverted ->> '${name}', 0)`).join(
    " + ",
  );
  await runKilled(run, revert, {
    table: "imports",
    status: "reverted",
    reached: restored,
    places: drawPlaces(size * 0.8),
  });
  const kept = (await one.admin.call("GET", `/v1/imports/${done.id}/kept`)).body.data;
  assert.ok(
    kept.some(({ id, reason }: Body) => id === contact.id && reason === "changed"),
    JSON.stringify(kept),
  );
  for (const { id } of kept.filter(({ entity }: Body) => entity === "contacts")) assert.equal(id, contact.id);
  assert.equal((await one.admin.call("DELETE", path)).status, 204);
  const account = (await one.admin.call("GET", `/v1/accounts/${contact.account.id}`)).body;
  if (kept.some(({ id }: Body) => id === account.id)) {
    assert.equal((await one.admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  }
  assert.deepEqual(await everything(one.admin), before);
});
