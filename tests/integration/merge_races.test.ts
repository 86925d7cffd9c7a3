/** Merges beside other calls, and the undo of many merges of customers with everything. */
import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { movedColumns } from "../../src/integration/merges/moved_columns.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import {
  attachFile,
  createCustomer,
  createRecord,
  type Customer,
  readAnswer,
  readEverything,
} from "./merges_world.ts";

/** The seed of the merges that are undone. */
const merges = Number(Deno.env.get("MERGE_SEED") ?? 7);

/** The rows that name the record, by table and column. */
async function naming(app: TestApp, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const [table, columns] of Object.entries(movedColumns)) {
    for (const column of columns) {
      const [row] = await app.sql(`select count(*) as n from ${table} where ${column} = ?`, id);
      if (Number(row!.n) > 0) found.push(`${row!.n} ${table}.${column}`);
    }
  }
  return found;
}

Deno.test("two merges at once, and merges beside other calls, leave nothing that names a record that went", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const ends = async (of: Customer, calls: readonly Promise<{ status: number; text: string }>[]) => {
    const replies = await Promise.all(calls);
    for (const { status, text } of replies) assert.ok([200, 201, 204, 404, 412, 422].includes(status), text);
    const there = await admin.call("GET", `/v1/accounts/${of.account.id}`);
    if (there.status === 404) assert.deepEqual(await naming(app, of.account.id), []);
    return replies.map(({ status }) => status);
  };
  const merge = (into: Body, from: Body) =>
    admin.call("POST", `/v1/accounts/${into.id}/merge`, { from_id: from.id });
  for (let round = 0; round < 3; round++) {
    const [a, b, c] = [
      await createCustomer(place, `Alpha${round}`, { people: 1 }),
      await createCustomer(place, `Beta${round}`, { people: 1 }),
      await createCustomer(place, `Gamma${round}`, { people: 1 }),
    ];
    const crossing = await ends(a, [merge(a.account, b.account), merge(b.account, a.account)]);
    assert.equal(crossing.filter((status) => status === 200).length, 1);
    const [kept, gone] = crossing[0] === 200 ? [a, b] : [b, a];
    assert.deepEqual(await naming(app, gone.account.id), []);
    const person = gone.contacts[0];
    const of = (path: string) => `/v1/accounts/${kept.account.id}/contacts/${person.id}${path}`;
    await ends(kept, [
      merge(c.account, kept.account),
      admin.call("PUT", `/v1/accounts/${kept.account.id}`, { fixed_fields: nameFields({ city: "Oslo" }) }),
      admin.call("PUT", of(""), { fixed_fields: nameFields({ title: "Dr" }) }),
      admin.call("POST", "/v1/cases", {
        contact_id: person.id,
        relations_path_id: place.path,
        team_id: place.dealer,
      }),
      admin.call("POST", "/v1/notes", {
        note: "Meanwhile",
        contact_id: person.id,
        account_id: kept.account.id,
      }),
      admin.call("POST", `/v1/accounts/${kept.account.id}/contacts`, {
        fixed_fields: nameFields({ last_name: "New" }),
      }),
      place.lead({
        account_id: kept.account.id,
        contact_id: person.id,
        account: undefined,
        contact: undefined,
      })
        .then(() => ({ status: 200, text: "" }), () => ({ status: 404, text: "" })),
    ]);
    const other = kept.contacts[0];
    const contacts = await Promise.all([
      admin.call("POST", `/v1/contacts/${person.id}/merge`, { from_id: other.id }),
      admin.call("POST", `/v1/contacts/${c.contacts[0].id}/merge`, { from_id: other.id }),
    ]);
    assert.deepEqual(contacts.map(({ status }) => status).toSorted(), [200, 422]);
    assert.deepEqual(await naming(app, other.id), []);
  }
});

/** What happened, which a merge and its undo add to, and rows that say what is to be indexed. */
const happened = /^(\w+_stale|caller_changes|event_sequences|facts|merges|outbox|sqlite_sequence)$/;
/** Times of changes, and numbers that each write or each new row counts on. */
const counted = ["seq", "updated_at", "version"];

/** What the tables have. It knows nothing of what the API shows. Facts are summed: one that is taken back counts -1. */
async function readStored(app: TestApp): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const keep = async (name: string, sql: string) => {
    const rows = await app.sql(sql);
    found[name] = rows.map((row) =>
      JSON.stringify(row, (key, value) => counted.includes(key) ? undefined : value)
    ).sort();
  };
  const tables = await app.sql("select name from sqlite_master where type = 'table' order by name");
  for (const name of tables.map((table) => String(table.name))) {
    if (happened.test(name) || name.includes("_search")) continue;
    await keep(name, `select * from "${name}"${name === "totals" ? " where kind <> 'merges'" : ""}`);
  }
  const of = "company_id, kind, at, user_id, zone, team_id, dim_id, subject, flags, value, value2";
  await keep(
    "facts",
    `select ${of}, sum(weight) as weight from facts group by ${of} having sum(weight) <> 0`,
  );
  return found;
}

Deno.test("many merges, undone backwards, leave all as it was", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  let seed = merges;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  const businesses: Customer[] = [];
  for (const name of ["Alpha", "Beta", "Gamma"]) {
    businesses.push(await createCustomer(place, name, { people: 1 + random(2) }));
    await attachFile(app, admin, company.id, `accounts/${businesses.at(-1)!.account.id}`);
  }
  for (const name of ["Delta", "Epsilon"]) await createCustomer(place, name, { b2c: true, people: 1 });
  // A file that several have, and a campaign's messages.
  const shared = await attachFile(app, admin, company.id, `accounts/${businesses[0]!.account.id}`);
  for (const { account } of businesses.slice(1)) {
    await admin.call("POST", `/v1/accounts/${account.id}/files`, { file_ids: [shared] });
  }
  const set = await admin.call("PUT", `/v1/companies/${company.id}/settings`, {
    default_account_id: businesses[1]!.account.id,
  });
  assert.equal(set.status, 200, set.text);
  const settings = async () =>
    (await readAnswer(admin, `/v1/companies/${company.id}/settings`)).default_account_id;
  await app.idle();
  const before = [await readEverything(admin), await settings()];
  const rows = await readStored(app);
  const undos: string[] = [];
  for (let n = 0; n < 5; n++) {
    const list = random(2) === 0 ? "accounts" : "contacts";
    const all = (await readAnswer(admin, `/v1/${list}?sort=created_at&per_page=100`)).data;
    const b2c = random(3) === 0;
    const data = all.filter((each: Body) => each.b2c === b2c);
    if (data.length < 2) continue;
    const into = random(data.length);
    const from = (into + 1 + random(data.length - 1)) % data.length;
    const take = { external_id: random(2) === 0 ? "other" : "this" };
    const body = { from_id: data[from].id, take };
    undos.push((await createRecord(admin, `/v1/${list}/${data[into].id}/merge`, body, 200)).merge_id);
    assert.deepEqual(await naming(app, data[from].id), []);
  }
  assert.ok(undos.length > 2);
  for (const id of undos.toReversed()) {
    assert.deepEqual((await createRecord(admin, `/v1/merges/${id}/undo`, {}, 200)).kept, []);
  }
  assert.deepEqual([await readEverything(admin), await settings()], before);
  assert.deepEqual(await app.sql("select count(*) as n from merge_rows"), [{ n: 0 }]);
  for (const [table, now] of Object.entries(await readStored(app))) assert.deepEqual(now, rows[table], table);
});
