import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { type Actor, startApp } from "../support/app.ts";
import { runCommand } from "../support/process.ts";
import {
  askFilter,
  type Condition,
  createAccount,
  createContact,
  expandFilter,
  selectNames,
  type Written,
} from "./filters_world.ts";
import { indexAll } from "./texts_world.ts";

const last = "b2b_contact.fixed_fields.last_name";

Deno.test("the most costly filters and searches take bounded time and memory", async () => {
  const { code, stdout, stderr } = await runCommand(["run", "-A", "tests/customers/filters_cost.ts"], {}, {
    timeoutMs: 60_000,
  });
  assert.equal(code, 0, stderr);
  const { answers, longest, largest, grown } = JSON.parse(stdout.trim().split("\n").at(-1)!);
  assert.ok(Object.keys(answers).length > 10);
  for (const [name, status] of Object.entries(answers)) {
    assert.ok(status === 200 || status === 503, `${name} ${status}`);
  }
  // A filter without a deadline ran for minutes.
  assert.ok(longest < 10_000, `${longest} ms`);
  assert.ok(largest < 64, `${largest} MiB`);
  assert.ok(grown < 192, `${grown} MiB`);
});

Deno.test("a list that takes too long is answered 503 with Retry-After, and the next one is answered", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const firm = await createAccount(admin, "Firm");
  for (let n = 0; n < 5; n++) await createContact(admin, firm.id, `Name${n}`);
  const db = openFile(app.file, { deadline: 10 });
  // A read behind this one waits longer than the deadline, like a slow read of its own.
  const counting = "with recursive up(n) as (select 1 union all select n + 1 from up where n < 2000000) " +
    "select count(*) as n from up";
  const busy = () =>
    (["few", "scan"] as const).map((effort) =>
      db.readOnThread([{ sql: counting, args: [] }], { effort, company: Number(crm.id) }).catch(() => null)
    );
  const served = createApp({ ...app.deps, db });
  const call = (path: string, body?: unknown) =>
    served.fetch(
      new Request(`${app.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "Authorization": `Bearer ${admin.token}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const filter = expandFilter([[last, "nct", "zzz"]]);
  const late = [
    () => call("/v1/contacts/filter", { filter }),
    () => call("/v1/contacts?search=name"),
    () => call(`/v1/companies/${crm.id}/users?search=name`),
    () => call("/v1/contacts?page=99999999"),
    () => call("/v1/cases?page=99999999"),
  ];
  for (const each of late) {
    let reply: Response;
    let tries = 0;
    // On a busy machine the thread may be free before the call gets there.
    do {
      const before = busy();
      reply = await each();
      await Promise.all(before);
    } while (reply.status === 200 && ++tries < 10);
    const { code } = await reply.json();
    assert.deepEqual([reply.status, code, reply.headers.get("retry-after")], [503, "unavailable", "5"]);
  }
  const short = await call("/v1/contacts");
  assert.deepEqual([short.status, (await short.json()).pagination.total], [200, 5]);
  assert.equal((await askFilter(admin, "contacts", filter)).status, 200);
  await db.close();
});

Deno.test("a text that is asked for by a few of its parts is found as it stands, indexed or not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Firm");
  const long = "the-quick-brown-fox-jumps-over-the-lazy-dog";
  // The same parts in another order; a letter less; the whole with more around it.
  const names = [
    long,
    [...long].reverse().join(""),
    long.slice(0, -1),
    `An-${long}s!`,
    `${long.slice(0, 21)}x${long.slice(21)}`,
  ];
  for (const name of names) {
    await createContact(admin, firm.id, name, { fixed: { email: `${name.length}@long.example` } });
  }
  const whole = `${long} ${`An-${long}s!`}`.split(" ").sort();
  const check = async () => {
    const findIds = async (...conditions: Written[]) =>
      (await selectNames(admin, "contacts", ...conditions)).split(" ");
    const findSorted = async (...conditions: Written[]) => (await findIds(...conditions)).sort();
    assert.deepEqual(await findSorted([last, "ct", long]), whole);
    assert.deepEqual(await findSorted([last, "ct", long.toUpperCase()]), whole);
    assert.deepEqual(await findIds([last, "ct", `${long}s`]), `An-${long}s!`.split(" "));
    // More texts than one lookup in the index takes.
    const parts = Array.from({ length: 32 }, (_, n): Condition => [last, "ct", long.slice(n, n + 12)]);
    assert.deepEqual(await findSorted(...parts), whole);
    assert.deepEqual(
      await findSorted(...parts, ["b2b_contact.fixed_fields.email", "ct", "@long.example"]),
      whole,
    );
    assert.equal(await selectNames(admin, "contacts", ...parts, [last, "ct", "zebra"]), "");
    assert.deepEqual(await findSorted({ or: parts }), await findSorted({ or: parts.slice(0, 31) }));
    assert.deepEqual(
      await findSorted({ or: [[last, "ct", long], [last, "ct", "no such text at all"]] }),
      whole,
    );
  };
  await check();
  await indexAll(app.deps.db);
  await check();
});

Deno.test("a search has at most 255 characters, a list of a query at most 500 values, of UUIDs 250", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  for (const path of ["accounts", "contacts", "cases", "notes", `companies/${company.id}/users`]) {
    assert.equal((await admin.call("GET", `/v1/${path}?search=${"x".repeat(255)}`)).status, 200);
    assert.deepEqual(await faults(admin, `/v1/${path}?search=${"x".repeat(256)}`), ["query.search max"]);
  }
  const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1).join(",");
  const uuids = (count: number) =>
    Array.from({ length: count }, (_, n) => `01939c5e-7d3a-7c3f-8a55-${String(n).padStart(12, "0")}`).join(
      ",",
    );
  const lists: [string, string, typeof ids, number][] = [
    ["accounts", "users", ids, 500],
    ["accounts", "groups", ids, 500],
    ["accounts", "created_with_lead_types", uuids, 250],
    ["accounts", "created_with_lead_sources", ids, 500],
    ["contacts", "teams", ids, 500],
    ["cases", "users", ids, 500],
    ["cases", "teams", ids, 500],
    ["cases", "milestone_ids", uuids, 250],
    ["cases", "lead_sources", ids, 500],
    ["leads", "lead_sources", ids, 500],
    ["leads", "teams", ids, 500],
    ["tasks", "case_ids", uuids, 250],
    ["tasks", "users", ids, 500],
    [`companies/${company.id}/users`, "ids", ids, 500],
    ["notes", "account_ids", uuids, 250],
  ];
  for (const [path, name, values, most] of lists) {
    const { status } = await admin.call("GET", `/v1/${path}?${name}=${values(most)}`);
    assert.equal(status, 200, `${path} ${name}`);
    assert.deepEqual(await faults(admin, `/v1/${path}?${name}=${values(most + 1)}`), [`query.${name} max`]);
    const more = `${name}=${values(most)}&${name}[]=${values(1)}`;
    assert.deepEqual(await faults(admin, `/v1/${path}?${more}`), [`query.${name} max`]);
  }
});

async function faults(actor: Actor, path: string): Promise<string[]> {
  const { status, body, text } = await actor.call("GET", path);
  assert.equal(status, 422, text);
  return body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
}
