/** `ct` over the texts of accounts and contacts, which an index finds. */
import assert from "node:assert/strict";
import { mostStale } from "../../src/filters/trigram_index.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { nameValues } from "./fields_world.ts";
import { createAccount, createContact, selectNames, type Written } from "./filters_world.ts";
import { selectRows } from "../support/rows.ts";
import { countIndexed, indexAll } from "./texts_world.ts";

const berg = (kind: "b2b" | "b2c"): Written => [`${kind}_contact.fixed_fields.last_name`, "ct", "BERG"];

Deno.test("ct selects the same rows and total for every caller, however many rows the index has yet", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const { db } = app.deps;
  const [one, other] = [await crm.team(), await crm.team()];
  const [here, there] = [await crm.user({ teams: [one] }), await crm.user({ teams: [other] })];
  const firm = await createAccount(admin, "Firm", { team_id: one });
  const shared = await createAccount(admin, "Shared");
  const home = await createAccount(admin, null, { team_id: one, b2c: true });
  const people: Body[] = [];
  for (const name of ["Bergmann", "Sommer", "VANDENBERG"]) {
    people.push(await createContact(admin, firm.id, name));
  }
  await createContact(admin, shared.id, "Ödberg");
  await createContact(admin, home.id, "Berg");
  const stranger = await app.company();
  await createContact(stranger.admin, (await createAccount(stranger.admin, "Else")).id, "Bergstranger");

  const all = async () => [
    await selectNames(admin, "contacts", berg("b2b")),
    await selectNames(here, "contacts", berg("b2b")),
    await selectNames(there, "contacts", berg("b2b")),
    await selectNames(here, "contacts", berg("b2c")),
    await selectNames(there, "contacts", berg("b2c")),
  ];
  /** Checks the results before and after the waiting rows are indexed. */
  const always = async (...expected: string[]) => {
    assert.notEqual((await countIndexed(db, "contacts"))[1], 0);
    assert.deepEqual(await all(), expected);
    await indexAll(db);
    assert.equal((await countIndexed(db, "contacts"))[1], 0);
    assert.deepEqual(await all(), expected);
  };
  const team = "Bergmann VANDENBERG Ödberg";
  await always(team, team, "Ödberg", "Berg", "");

  const renamed = { fixed_fields: nameValues({ last_name: "Ødbergen" }) };
  assert.equal(
    (await admin.call("PUT", `/v1/accounts/${firm.id}/contacts/${people[1]!.id}`, renamed)).status,
    200,
  );
  const gone = { fixed_fields: nameValues({ last_name: "Sommer" }) };
  assert.equal(
    (await admin.call("PUT", `/v1/accounts/${firm.id}/contacts/${people[0]!.id}`, gone)).status,
    200,
  );
  await always("VANDENBERG Ödberg Ødbergen", "VANDENBERG Ödberg Ødbergen", "Ödberg", "Berg", "");

  assert.equal((await admin.call("PUT", `/v1/accounts/${firm.id}`, { team_id: other })).status, 200);
  await always("VANDENBERG Ödberg Ødbergen", "Ödberg", "VANDENBERG Ödberg Ødbergen", "Berg", "");

  assert.equal((await admin.call("DELETE", `/v1/accounts/${firm.id}/contacts/${people[2]!.id}`)).status, 204);
  await createContact(admin, firm.id, "Bergerac");
  await always("Bergerac Ödberg Ødbergen", "Ödberg", "Bergerac Ödberg Ødbergen", "Berg", "");
});

Deno.test("parts of texts are found together, with other conditions, in groups, in related records, and with quotes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows: [string, string, string, string | null][] = [
    ["North", "Ann", "Berg", "Head"],
    ["North", "Joanna", "Bergmann", null],
    ["South", "Bert", "Vandenberg", "Head"],
    ["South", "Ann", 'O"Be"rg', "Lead"],
  ];
  const firms = new Map<string, string>();
  for (const name of ["North", "South"]) firms.set(name, (await createAccount(admin, `${name} Works`)).id);
  for (const [firm, first_name, name, title] of rows) {
    const fixed = { first_name, ...(title === null ? {} : { title }) };
    await createContact(admin, firms.get(firm)!, name, { fixed });
  }
  const of = (name: string) => `b2b_contact.fixed_fields.${name}`;
  const [last, first]: Written[] = [[of("last_name"), "ct", "berg"], [of("first_name"), "ct", "ann"]];
  const people = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  const firmsWith = (...nodes: Written[]) => selectNames(admin, "accounts", ...nodes);
  for (const state of ["waiting", "indexed"]) {
    if (state === "indexed") await indexAll(app.deps.db);
    assert.equal(await people(last!, first!), "Berg Bergmann", state);
    assert.equal(await people(last!, [of("title"), "exists", true]), "Berg Vandenberg", state);
    assert.equal(await people(last!, [of("first_name"), "sw", "jo"]), "Bergmann", state);
    assert.equal(
      await people({ or: [[of("last_name"), "ct", "mann"], [of("title"), "ct", "lead"]] }),
      'Bergmann O"Be"rg',
    );
    assert.equal(await people({ and: [last!, first!] }, [of("title"), "nct", "ead"]), "Bergmann", state);
    assert.equal(await people([of("last_name"), "ct", '"be"r']), 'O"Be"rg', state);
    assert.equal(await people([of("last_name"), "ct", "be"]), 'Berg Bergmann O"Be"rg Vandenberg', state);
    assert.equal(await people([of("last_name"), "nct", "ber"]), 'O"Be"rg', state);
    assert.equal(await people(["b2b_account.fixed_fields.name", "ct", "uth w"], first!), 'O"Be"rg', state);
    assert.equal(await firmsWith([of("last_name"), "ct", "gman"]), "North Works", state);
    assert.equal(await firmsWith(last!), "North Works South Works", state);
    assert.equal(
      await firmsWith(["b2b_account.fixed_fields.name", "ct", "works"], first!),
      "North Works South Works",
    );
    assert.equal(
      await firmsWith(["b2b_account.fixed_fields.name", "ct", "south"], first!),
      "South Works",
      state,
    );
  }
});

Deno.test("indexed rows are found by the index alone; if too many rows wait, the company's rows are read", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { db } = app.deps;
  const firm = await createAccount(crm.admin, "Firm");
  await createContact(crm.admin, firm.id, "Berg");
  await createContact(crm.admin, firm.id, "Bergmann");
  await indexAll(db);
  const total = (actor: Actor) => selectNames(actor, "contacts", berg("b2b"));
  assert.equal(await total(crm.admin), "Berg Bergmann");
  await db.write([{
    sql:
      "delete from contacts_trigrams where rowid >> 1 & 549755813887 = (select seq from contacts where last_name = 'Berg')",
    args: [],
  }]);
  assert.equal(await total(crm.admin), "Bergmann");
  const member = await crm.user({ teams: [await crm.team()] });
  assert.equal(await total(member), "Bergmann");
  await db.write([{
    sql:
      "with recursive n(i) as (select 1 union all select i + 1 from n where i <= ?) insert into contacts_trigrams_stale " +
      "select ? << 39 | (i + 1000) from n",
    args: [mostStale, crm.id],
  }]);
  assert.equal(
    (await selectRows(db, "select count(*) as n from contacts_trigrams_stale"))[0]!.n,
    mostStale + 1,
  );
  assert.equal(await total(crm.admin), "Berg Bergmann");
  assert.equal(await total(member), "Berg Bergmann");
  // With one stale row less, each stale row is checked.
  await db.write([{
    sql: "delete from contacts_trigrams_stale where key = (select max(key) from contacts_trigrams_stale)",
    args: [],
  }]);
  assert.equal(await total(crm.admin), "Bergmann");
});
