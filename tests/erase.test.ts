import assert from "node:assert/strict";
import { getTableName } from "drizzle-orm";
import { indexTexts } from "../src/customers/texts/index_texts.ts";
import { companyErasureWork, listErasedTables } from "../src/erase.ts";
import { runStaged } from "../src/staged/run.ts";
import { rollUpFacts } from "../src/insight/rollups/run.ts";
import type { Database, Result } from "../src/platform/database/database.ts";
import { tables as declared } from "../src/schema.ts";
import { escalateDue } from "../src/sales/leads/escalate.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { processorTime } from "./support/processor_time.ts";
import { fill } from "./sweep/place.ts";
import { countTables } from "./sweep/sweep.ts";

const minute = 60_000;

/** Tables without a company, or whose rows expire. */
const ownerless: Readonly<Record<string, string>> = {
  caller_changes: "one number",
  ageing: "one number",
  attempts: "failed attempts by hash, kept for an hour at most",
  mails: "mails to an address, which expire",
  mail_rate: "one row of the installation",
  fact_moments: "one row, the moment of the running batch",
  game_reach: "one number",
  fact_rollup_reach: "one number",
  objects: "keys in the storage, deleted after their objects",
  feed_epochs: "one row of the installation",
  holds: "one row of the installation",
  key_checks: "a sealed value that identifies the key",
  leases: "names of processes, kept for seconds",
  accounts_trigrams_stale: "row counts, deleted with their rows",
  contacts_trigrams_stale: "row counts, deleted with their rows",
};

async function contents(app: TestApp) {
  const found = await countTables(app);
  for (const name of Object.keys(ownerless)) delete found[name];
  return found;
}

Deno.test("a deleted company is erased from every table, its neighbour keeps every row", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const neighbour = await fill(app);
  // Creating the other company moves the clock, so first run everything that is due here.
  app.clock.move(366 * 24 * 60 * minute);
  await escalateDue(app.deps, app.clock.now());
  await rollUpFacts(app.deps);
  const before = await contents(app);
  const company = await fill(app);
  // One record of every kind, and one idempotency key.
  await company.world.admin.call("POST", "/v1/groups", { name: "Kept" }, { "Idempotency-Key": "key" });
  // Answers of a client without a company are kept by user.
  await app.deps.db.write([{
    sql:
      "insert into idempotency_keys (client_id, user_id, key, fingerprint, status, body, expires_at) select " +
      "client_id, ?, 'kept', '', 200, '{}', 9e15 from applications where company_id is null",
    args: [company.world.admin.id],
  }]);
  await app.idle();
  await rollUpFacts(app.deps);
  // Some of its texts are indexed and some still wait.
  await indexTexts(app.deps, { until: performance.now() + 60_000, rows: 1000 });
  const retitle = "update contacts set title = 'Head of ' || coalesce(title, '') where company_id = ?";
  await app.deps.db.write([{ sql: retitle, args: [company.ids.company_id] }]);
  assert.notDeepEqual(await countTexts(app, company.ids.company_id), [0, 0, 0, 0]);
  const full = await contents(app);
  const grown = Object.keys(full).filter((table) => full[table]! > (before[table] ?? 0));
  for (
    const table of [
      "companies",
      "users",
      "leads",
      "cases",
      "accounts",
      "outbox",
      "idempotency_keys",
      "totals",
      "fact_rollups",
    ]
  ) {
    assert.ok(grown.includes(table), table);
  }
  assert.equal(
    (await company.world.admin.call("DELETE", `/v1/companies/${company.ids.company_id}`)).status,
    204,
  );
  assert.ok(await runStaged(app.deps, app.clock.now() + minute, [companyErasureWork]) > 30);
  // The token of the trusted client belongs to no company.
  const clients = { applications: 1, access_tokens: 1 };
  for (const [table, n] of Object.entries(clients)) before[table]! += n;
  assert.deepEqual(await contents(app), before);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
  const { ids, world } = neighbour;
  for (const path of [`cases/${ids.case_id}`, `leads/${ids.lead_id}`, `contacts/${ids.contact_id}`, "me"]) {
    assert.equal((await world.admin.call("GET", `/v1/${path}`)).status, 200, path);
  }
  for (
    const table of ["accounts_search", "contacts_search", "cases_search", "users_search", "teams_search"]
  ) {
    const words = `"c${company.ids.company_id}z"*`;
    assert.deepEqual(await app.sql(`select rowid from ${table} where ${table} match ?`, words), [], table);
  }
  assert.deepEqual(await countTexts(app, company.ids.company_id), [0, 0, 0, 0]);
});

/** Counts the company's indexed and waiting texts. */
async function countTexts(app: TestApp, companyId: number): Promise<number[]> {
  const tables = [
    "contacts_trigrams_docsize",
    "accounts_trigrams_docsize",
    "contacts_trigrams_stale",
    "accounts_trigrams_stale",
  ];
  const found = await Promise.all(tables.map((table) => {
    const [column, bits] = table.endsWith("stale") ? ["key", 39] : ["id", 40];
    return app.sql(`select count(*) as n from ${table} where ${column} >> ${bits} = ?`, companyId);
  }));
  return found.map(([row]) => Number(row!.n));
}

Deno.test("every table is erased from, except those without a company", () => {
  const tables = declared.map(getTableName);
  const erased = listErasedTables();
  assert.deepEqual(tables.filter((name) => !erased.has(name)).sort(), Object.keys(ownerless).sort());
});

Deno.test("a live company is not erased, nor a deleted one while other processes can have its callers cached", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { id, admin } = await app.company();
  assert.equal(await runStaged(app.deps, app.clock.now() + minute, [companyErasureWork]), 0);
  await admin.call("DELETE", `/v1/companies/${id}`);
  assert.equal(await runStaged(app.deps, app.clock.now() + minute - 1000, [companyErasureWork]), 0);
  assert.ok(await runStaged(app.deps, app.clock.now() + minute, [companyErasureWork]) > 0);
  assert.deepEqual(await app.sql("select id from companies where id = ?", id), []);
});

Deno.test("a large company is erased in steps of 200 rows at most, over several runs", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { id, admin } = await app.company();
  // A run makes 500 steps at most.
  const [sequences, accounts] = [96_000, 8_000];
  const group = await admin.call("POST", "/v1/groups", { name: "Of all" });
  await app.deps.db.write([{
    sql: "insert into event_sequences (company_id, entity_type, entity_id, last) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select ?, 'x', i, 1 from n",
    args: [sequences, id],
  }, {
    sql:
      "insert into accounts (id, company_id, name_key, name_words, last_activity_at, created_at, updated_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) " +
      "select 'account-' || i, ?, '', '', '', '', '' from n",
    args: [accounts, id],
  }]);
  assert.equal(group.status, 201);
  await admin.call("DELETE", `/v1/companies/${id}`);
  const steps: number[] = [];
  const db: Database = {
    ...app.deps.db,
    kind: app.deps.db.kind,
    read: (statements) => app.deps.db.read(statements),
    write: async (statements) => {
      const results = await app.deps.db.write(statements);
      steps.push(...results.map(({ changes }) => changes));
      return results;
    },
  };
  let runs = 0;
  while (await runStaged({ ...app.deps, db }, app.clock.now() + minute, [companyErasureWork]) > 0) runs++;
  assert.ok(runs > 1, `${runs} runs`);
  assert.ok(Math.max(...steps) <= 200);
  assert.deepEqual(await app.sql("select id from companies where id = ?", id), []);
  assert.deepEqual(await app.sql("select count(*) as n from event_sequences"), [{ n: 0 }]);
});

Deno.test("a step of erasing removes 32 MiB of texts at most", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { world, ids } = await fill(app);
  await app.deps.db.write([{
    sql: `insert into correspondences (id, company_id, case_id, type, direction, status, content, created_at,
        updated_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
      select 'e' || i, x.company_id, x.case_id, 'email', 'in', 'received', iif(i % 2, hex(zeroblob(500000)), 'Hi'),
        '', '' from n cross join (select * from correspondences where company_id = ? limit 1) x`,
    args: [ids.company_id],
  }]);
  const bytes = async () => {
    const [row] = await app.sql(
      "select coalesce(sum(octet_length(content)), 0) as bytes from correspondences where company_id = ?",
      ids.company_id,
    );
    return Number(row!.bytes);
  };
  assert.equal((await world.admin.call("DELETE", `/v1/companies/${ids.company_id}`)).status, 204);
  let [before, most, steps] = [await bytes(), 0, 0];
  const db: Database = {
    ...app.deps.db,
    async write(statements) {
      const results = await app.deps.db.write(statements);
      const after = await bytes();
      most = Math.max(most, before - after);
      if (after < before) steps++;
      before = after;
      return results;
    },
  };
  while (await runStaged({ ...app.deps, db }, app.clock.now() + minute, [companyErasureWork]) > 0);
  assert.equal(before, 0);
  assert.ok(most <= 32 * 1024 * 1024 && steps >= 5, `${most} bytes at once, ${steps} steps`);
});

Deno.test("a step of erasing holds the write lock for well under 100 ms, for rows of any size", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { world, ids } = await fill(app);
  const copies = async (table: string, n: number, set: Record<string, string>) => {
    const columns =
      (await app.sql(`select name from pragma_table_info('${table}') where name not in ('seq', 'position')`))
        .map(({ name }) => String(name));
    const picked = columns.map((name) => set[name] ?? `x.${name}`);
    await app.deps.db.write([{
      sql:
        `insert into ${table} (${columns}) with recursive n(i) as (select 1 union all select i + 1 from n ` +
        `where i < ${n}) select ${picked} from n cross join (select * from ${table} limit 1) x`,
      args: [],
    }]);
  };
  const id = "x.id || i";
  const words =
    "select seq, hex(randomblob(8)) || ' ' || hex(randomblob(8)) || ' ' || hex(randomblob(8)) from";
  await copies("accounts", 3000, { id, external_id: "null" });
  await copies("contacts", 3000, { id, b2c: "0", external_id: "null" });
  await copies("cases", 3000, { id, case_number: "x.case_number + 1000 + i" });
  await copies("leads", 3000, { id });
  await copies("outbox", 3000, { id, body: "hex(randomblob(4000))" });
  for (const table of ["accounts", "contacts", "cases"]) {
    await app.deps.db.write([{
      sql: `insert or replace into ${table}_search (rowid, words) ${words} ${table}`,
      args: [],
    }]);
  }
  const reply = await world.admin.call("DELETE", `/v1/companies/${ids.company_id}`);
  assert.equal(reply.status, 204, reply.text);
  const times: number[] = [];
  const db: Database = {
    ...app.deps.db,
    async write(statements) {
      let results: Result[] = [];
      // A busy machine hardly changes the processor time.
      times.push(await processorTime(async () => results = await app.deps.db.write(statements)));
      return results;
    },
  };
  while (await runStaged({ ...app.deps, db }, app.clock.now() + minute, [companyErasureWork]) > 0);
  assert.deepEqual(await app.sql("select id from companies where id = ?", ids.company_id), []);
  times.sort((one, other) => one - other);
  assert.ok(times.length > 75, `${times.length} steps`);
  const slow = times[Math.floor(times.length * 0.9)]!;
  assert.ok(slow < 50, `nine of ten steps take up to ${slow} ms`);
});
