import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { nameValues, newField } from "./fields_world.ts";
import {
  createAccount,
  createContact,
  expandFilter,
  make,
  selectNames,
  type Written,
} from "./filters_world.ts";

async function readTotal(actor: Actor, kind: "accounts" | "contacts", ...nodes: Written[]): Promise<number> {
  const { status, text, body } = await actor.call("POST", `/v1/${kind}/filter?per_page=1`, {
    filter: expandFilter(nodes),
  });
  assert.equal(status, 200, text);
  assert.equal(body.data.length, Math.min(1, body.pagination.total));
  return body.pagination.total;
}

Deno.test("the total by a choice counts the caller's teams and the requested kind, also after records move", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const [one, other] = [await crm.team(), await crm.team()];
  const [here, there] = [await crm.user({ teams: [one] }), await crm.user({ teams: [other] })];
  const colour = { label: "Colour", type: "multiple_choice" };
  const { options } = await newField(admin, colour, ["Red", "Blue"], "contact");
  const [red, blue] = [options.Red!, options.Blue!];
  const both = nameValues({ colour: [red, blue] });
  const firm = await createAccount(admin, "Firm", { team_id: one });
  await createContact(admin, firm.id, "Ada", { custom_fields: both });
  await createContact(admin, firm.id, "Bob", { custom_fields: nameValues({ colour: [red] }) });
  const home = await createAccount(admin, null, { team_id: one, b2c: true });
  await createContact(admin, home.id, "Cid", { custom_fields: both });
  const totals = async (actor: Actor) => [
    await readTotal(actor, "contacts", ["b2b_contact.custom_fields.colour", "eq", red]),
    await readTotal(actor, "contacts", ["b2b_contact.custom_fields.colour", "in", [red, blue]]),
    await readTotal(actor, "contacts", ["b2c_contact.custom_fields.colour", "eq", blue]),
  ];
  assert.deepEqual(await totals(admin), [2, 2, 1]);
  assert.deepEqual(await totals(here), [2, 2, 1]);
  assert.deepEqual(await totals(there), [0, 0, 0]);
  assert.equal((await admin.call("PUT", `/v1/accounts/${firm.id}`, { team_id: other })).status, 200);
  assert.deepEqual(await totals(here), [0, 0, 1]);
  assert.deepEqual(await totals(there), [2, 2, 0]);
  assert.deepEqual(await totals(admin), [2, 2, 1]);
});

Deno.test("the total by a choice of accounts excludes accounts in removal", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const field = await newField(admin, { label: "Size", type: "numeric" });
  for (const name of ["A", "B"]) await createAccount(admin, name, { custom_fields: nameValues({ size: 3 }) });
  const condition: Written = [`account.custom_fields.id.${field.id}`, "eq", 3];
  assert.equal(await readTotal(admin, "accounts", condition), 2);
  const stamp = "2026-01-01 00:00:00";
  await runChange(
    app,
    `insert into staged_work (kind, subject, company_id, created_at) select 'account_removal', id, ${id}, '${stamp}' from accounts where name = 'A'`,
  );
  assert.equal(await readTotal(admin, "accounts", condition), 1);
});

Deno.test("a completed milestone counts for the current contact and account of its case, and for users who see the case", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const [one, other] = [await crm.team(), await crm.team()];
  const member = await crm.user({ teams: [one] });
  const path = await newPath(admin);
  const milestone = path.types.Offer!;
  const firm = await createAccount(admin, "Firm");
  const people: Body[] = [];
  for (const name of ["Ada", "Bob"]) people.push(await createContact(admin, firm.id, name));
  const made = await newCase(admin, path, { contact_id: people[0]!.id, team_id: one });
  await make(admin, `/v1/cases/${made.id}/activities`, { activity_type_ids: [milestone] });
  const done: Written = ["case.milestones.id", "eq", milestone];
  const names = (actor: Actor) => selectNames(actor, "contacts", done);
  assert.deepEqual([await names(admin), await names(member)], ["Ada", "Ada"]);
  assert.equal(await selectNames(admin, "accounts", done), "Firm");
  await runChange(app, `update cases set contact_id = '${people[1]!.id}'`);
  assert.deepEqual([await names(admin), await names(member)], ["Bob", "Bob"]);
  await runChange(app, `update cases set team_id = ${other}`);
  assert.deepEqual([await names(admin), await names(member)], ["Bob", ""]);
});

async function runChange(app: Awaited<ReturnType<typeof startApp>>, sql: string): Promise<void> {
  await app.deps.db.write([{ sql, args: [] }]);
}
