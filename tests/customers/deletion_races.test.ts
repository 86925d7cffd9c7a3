import assert from "node:assert/strict";
import { companyErasureWork } from "../../src/erase.ts";
import { runStaged } from "../../src/staged/run.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newCase, newContact, newPath, readEvents } from "../sales/parts.ts";
import { copy } from "./deletion_world.ts";
import { nameValues, newField } from "./fields_world.ts";

const count = async (app: TestApp, table: string) =>
  (await app.sql(`select count(*) as n from ${table}`))[0]!.n as number;

Deno.test("a large account disappears at once, and its records follow in bounded steps with events, also after a restart", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const path = await newPath(admin);
  const one = await newCase(admin, path, { team_id: null });
  const [account, contact] = [one.account.id, one.contact.id];
  await admin.call("PUT", `/v1/accounts/${account}`, { external_id: "erp-1" });
  await newField(admin, { label: "Pet" }, [], "contact");
  const kept = { custom_fields: nameValues({ pet: "cat" }) };
  assert.equal((await admin.call("PUT", `/v1/accounts/${account}/contacts/${contact}`, kept)).status, 200);
  const lead = await sales.lead({ account: undefined, account_id: account });
  await copy(app, "contacts", `x.id = '${contact}'`, { id: "x.id || i" }, 450);
  await copy(app, "cases", `x.id = '${one.id}'`, {
    id: "x.id || i",
    contact_id: "x.contact_id || i",
    case_number: "x.case_number + i",
  }, 120);
  const moves = await copyLeads(app, lead.id, 60);
  const reported = (await admin.call("GET", `/v1/accounts/${account}/delete-impact`)).body;
  const expected = { case: 121, contact: 451, lead: 61 };
  assert.deepEqual(reported.deletes, Object.entries(expected).map(([type, amount]) => ({ type, amount })));
  assert.equal(moves, 61);

  const known = (await readEvents(app)).length;
  const sizes: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const results = await write.call(app.deps.db, statements);
    const deleted = results.filter((_, index) => statements[index]!.sql.startsWith("delete from"));
    sizes.push(deleted.reduce((sum, { changes }) => sum + changes, 0));
    return results;
  };
  // The process ends after the deletion: nothing follows in the background.
  const { run } = app.deps.background;
  app.deps.background.run = () => {};
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account}`)).status, 204);
  app.deps.background.run = run;
  assert.deepEqual((await readEvents(app)).slice(known).map(({ name }) => name), ["account_deleted"]);

  // The account is gone for every user, on every path, and from the counts.
  for (const who of [admin, member]) {
    for (const path of ["", "/contacts", `/contacts/${contact}`]) {
      assert.equal((await who.call("GET", `/v1/accounts/${account}${path}`)).status, 404, path);
    }
    for (const query of ["", "?search=engines", "?start_at=2026-01-01%2000:00:00"]) {
      const { body } = await who.call("GET", `/v1/accounts${query}`);
      assert.deepEqual([body.data.length, body.pagination.total], [0, 0], query);
    }
  }
  assert.equal((await admin.call("DELETE", `/v1/accounts/${account}`)).status, 404);
  assert.equal((await admin.call("GET", `/v1/contacts/${contact}`)).status, 404);
  // Nothing new is made for it.
  const body = { fixed_fields: nameValues({ last_name: "Byron" }) };
  assert.equal((await admin.call("POST", `/v1/accounts/${account}/contacts`, body)).status, 404);
  const refusedCase = await admin.call("POST", "/v1/cases", {
    contact_id: contact,
    relations_path_id: path.id,
  });
  const refusedLead = await admin.call(
    "POST",
    "/v1/leads",
    sales.body({ account: undefined, account_id: account }),
  );
  const settings = `/v1/companies/${sales.company.id}/settings`;
  const refusedDefault = await admin.call("PUT", settings, { default_account_id: account });
  const fresh = await sales.lead();
  const refusedAccept = await member.call("PUT", `/v1/leads/${fresh.id}/accept`, { account_id: account });
  for (const refused of [refusedCase, refusedLead, refusedDefault, refusedAccept]) {
    assert.deepEqual([refused.status, refused.body.errors?.[0].code], [422, "exists"], refused.text);
  }
  const again = await admin.call("PUT", "/v1/accounts/by-external-id/erp-1", {
    fixed_fields: nameValues({ name: "New" }),
  });
  assert.equal(again.status, 201, "its external id is free");

  sizes.length = 0;
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  assert.ok(sizes.filter((size) => size > 0).length >= 5 && Math.max(...sizes) <= 320, `${sizes}`);
  const names = (await readEvents(app)).slice(known).map(({ name }) => name);
  const deleted = names.filter((name) => name.endsWith("_deleted"));
  const by = Object.fromEntries(
    Object.entries(Object.groupBy(deleted, (name) => name)).map(([name, all]) => [name, all!.length]),
  );
  assert.deepEqual(by, { account_deleted: 1, lead_deleted: 61, case_deleted: 121, contact_deleted: 451 });
  const contacts = (await readEvents(app)).filter(({ name }) => name === "contact_deleted");
  assert.deepEqual(new Set(contacts.map(({ body }) => body.custom_fields[0]?.value)), new Set(["cat"]));
  const gone = { contacts: 0, cases: 0, staged_work: 0, cases_search: 0, custom_values: 0 };
  const left = { accounts: 1, leads: 1, ...gone };
  for (const [table, n] of Object.entries(left)) assert.equal(await count(app, table), n, table);
  for (const list of ["accounts", "contacts", "cases", "leads"]) {
    const { body } = await admin.call("GET", `/v1/${list}`);
    assert.equal(body.pagination.total, body.data.length, list);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

/** Copies a lead with its transitions. Returns the number of all transitions afterwards. */
async function copyLeads(app: TestApp, id: string, times: number): Promise<number> {
  await copy(app, "leads", `x.id = '${id}'`, { id: "x.id || i" }, times);
  await copy(
    app,
    "lead_transitions",
    `x.lead_id = '${id}'`,
    { id: "null", lead_id: "x.lead_id || i" },
    times,
  );
  return await count(app, "lead_transitions");
}

Deno.test("a contact, case or lead created during the deletion of its account is deleted with it or refused", async (t) => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const path = await newPath(admin);
  type Made = { account: Body; contact: Body };
  const lead = ({ account }: Made, more: object = {}) =>
    sales.body({ account: undefined, account_id: account.id, ...more });
  const races: [string, "account" | "contact", (made: Made) => [string, object]][] = [
    ["contacts", "account", ({ account }) => [
      `/v1/accounts/${account.id}/contacts`,
      { fixed_fields: nameValues({ last_name: "B" }) },
    ]],
    [
      "cases",
      "account",
      ({ contact }) => ["/v1/cases", { contact_id: contact.id, relations_path_id: path.id }],
    ],
    [
      "cases",
      "contact",
      ({ contact }) => ["/v1/cases", { contact_id: contact.id, relations_path_id: path.id }],
    ],
    ["leads", "account", (made) => ["/v1/leads", lead(made)]],
    [
      "leads",
      "contact",
      (made) => ["/v1/leads", lead(made, { contact: undefined, contact_id: made.contact.id })],
    ],
  ];
  for (const [table, what, request] of races) {
    const start = async () => {
      const made = await newContact(admin);
      const account = `/v1/accounts/${made.account.id}`;
      const target = what === "account" ? account : `${account}/contacts/${made.contact.id}`;
      const after = await count(app, table) - (table === "contacts" ? 1 : 0);
      return { target, made: request(made), after };
    };
    await t.step(`${table}, made before the ${what} is deleted`, async () => {
      const { target, made: [at, body], after } = await start();
      const reply = await callMeanwhile(app, admin, "DELETE", target, async () => {
        const between = await admin.call("POST", at, body);
        assert.equal(between.status, 201, between.text);
      });
      assert.equal(reply.status, 204);
      assert.equal(await count(app, table), after);
      assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
    });
    await t.step(`${table}, made after the ${what} is deleted`, async () => {
      const { target, made: [at, body], after } = await start();
      const reply = await callMeanwhile(app, admin, "POST", at, async () => {
        assert.equal((await admin.call("DELETE", target)).status, 204);
      }, body);
      assert.equal(reply.status, table === "contacts" ? 404 : 422);
      await reply.body?.cancel();
      assert.equal(await count(app, table), after);
    });
  }
});

Deno.test("the default account is never deleted, and a deleted account never becomes the default", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const settings = `/v1/companies/${company.id}/settings`;
  const { account: one } = await newContact(admin);
  const choose = (id: string) => admin.call("PUT", settings, { default_account_id: id });
  const late = await callMeanwhile(app, admin, "DELETE", `/v1/accounts/${one.id}`, () => choose(one.id));
  assert.deepEqual([late.status, (await late.json()).code], [409, "delete_blocked"]);
  assert.equal((await admin.call("GET", `/v1/accounts/${one.id}`)).status, 200);
  const { account: other } = await newContact(admin);
  const deletion = () => admin.call("DELETE", `/v1/accounts/${other.id}`);
  const chosen = await callMeanwhile(app, admin, "PUT", settings, deletion, { default_account_id: other.id });
  assert.deepEqual([chosen.status, (await chosen.json()).errors[0].code], [422, "exists"]);
});

Deno.test("of two simultaneous deletions, one sends the events and the other is 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { account, contact } = await newContact(admin);
  for (const path of [`/v1/accounts/${account.id}/contacts/${contact.id}`, `/v1/accounts/${account.id}`]) {
    const known = (await readEvents(app)).length;
    const second = await callMeanwhile(app, admin, "DELETE", path, () => admin.call("DELETE", path));
    assert.equal(second.status, 404);
    await second.body?.cancel();
    assert.equal((await readEvents(app)).length, known + 1);
  }
});

Deno.test("the remains of a deleted account are erased with its company and are not reassigned with its team", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const company = await app.company();
  const { admin } = company;
  const [team, successor] = [await company.team(), await company.team()];
  const path = await newPath(admin);
  const one = await newCase(admin, path, { team_id: team });
  await admin.call("PUT", `/v1/accounts/${one.account.id}`, { team_id: team });
  await copy(app, "contacts", `x.id = '${one.contact.id}'`, { id: "x.id || i" }, 250);
  const { run } = app.deps.background;
  app.deps.background.run = () => {};
  assert.equal((await admin.call("DELETE", `/v1/accounts/${one.account.id}`)).status, 204);
  assert.equal(await count(app, "staged_work"), 1);
  for (const who of [admin, await company.user({ teams: [team] }), await company.user()]) {
    assert.deepEqual((await who.call("GET", "/v1/accounts")).body.pagination.total, 0);
  }
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}?assign_to=${successor}`)).status, 204);
  app.deps.background.run = run;
  const accounts = (await readEvents(app)).filter(({ name }) => name.startsWith("account_")).map(({ name }) =>
    name
  );
  assert.deepEqual(accounts.at(-1), "account_deleted");
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + 60_000, [companyErasureWork]);
  for (const table of ["staged_work", "accounts", "contacts", "cases", "companies"]) {
    assert.equal(await count(app, table), 0, table);
  }
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
});
