import assert from "node:assert/strict";
import { type Body, startApp, type TestApp } from "../support/app.ts";
import { makeSales, type World } from "../sales/leads_world.ts";
import { newContact, readEvents } from "../sales/parts.ts";
import { deleteAt, listAmounts, makePath, readImpact } from "./deletion_world.ts";

/**
 * Creates a customer of the dealer, and accepts a lead for its contact. Returns the paths of the lead and its
 * case too.
 */
async function acceptLead(sales: World) {
  const { account, contact } = await newContact(sales.admin, {}, { team_id: sales.dealer });
  const lead = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
  });
  const reply = await sales.member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  assert.deepEqual([reply.status, reply.body.account_id], [200, account.id], reply.text);
  return { account, contact, lead: `/v1/leads/${lead.id}`, its_case: `/v1/cases/${reply.body.case_id}` };
}

/**
 * Returns the names of the events of a call. Checks that each update carries the body that GET now returns.
 */
async function eventsOfCall(app: TestApp, sales: World, what: () => Promise<void>): Promise<string[]> {
  const known = (await readEvents(app)).length;
  await what();
  const events = (await readEvents(app)).slice(known);
  for (const { name, body } of events.filter(({ name }) => name.endsWith("_updated"))) {
    const now = await sales.admin.call("GET", `/v1/${name.slice(0, -"_updated".length)}s/${body.id}`);
    assert.deepEqual(now.body, body, name);
  }
  return events.map(({ name }) => name);
}

Deno.test("a lead stays without a case when the contact of its case is deleted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, contact, lead, its_case } = await acceptLead(sales);
  for (const which of ["contact", "account"] as const) {
    const other = await newContact(admin, {}, { team_id: sales.dealer });
    const given = which === "contact" ? its_case : (await acceptLead(sales)).its_case;
    const its_lead = `/v1/leads/${(await admin.call("GET", given)).body.lead.id}`;
    assert.equal((await admin.call("PUT", given, { contact_id: other.contact.id })).status, 200);
    app.clock.move(60_000);
    const path = which === "contact" ? makePath(other.account, other.contact) : makePath(other.account);
    assert.deepEqual(
      listAmounts(await readImpact(admin, path)),
      which === "contact" ? ["1 case"] : ["1 case", "1 contact"],
    );
    const names = await eventsOfCall(app, sales, () => deleteAt(admin, path));
    assert.deepEqual(names.slice(0, 3), ["lead_updated", "case_deleted", "contact_deleted"]);
    const { status, body } = await admin.call("GET", its_lead);
    assert.deepEqual([status, body.status, body.case_id], [200, "accepted", null]);
    assert.deepEqual(body.acceptions.map(({ case_id }: Body) => case_id), [null]);
  }
  const { body } = await admin.call("GET", lead);
  assert.deepEqual([body.account.id, body.contact.id], [account.id, contact.id]);
  // Deleting the lead's own contact deletes the lead.
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(account, contact))), ["1 lead"]);
  await deleteAt(admin, makePath(account, contact));
  assert.equal((await admin.call("GET", lead)).status, 404);
});

Deno.test("a lead of a moved contact stays when its former account is deleted, and counts for the new one", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, contact, lead, its_case } = await acceptLead(sales);
  const there = await newContact(admin, {}, { team_id: sales.dealer });
  assert.equal(
    (await admin.call("PUT", makePath(account, contact), { account_id: there.account.id })).status,
    200,
  );
  app.clock.move(60_000);
  // The case stayed with the former account.
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(account))), ["1 case"]);
  const names = await eventsOfCall(app, sales, () => deleteAt(admin, makePath(account)));
  assert.deepEqual(names, ["lead_updated", "case_deleted", "account_deleted"]);
  assert.equal((await admin.call("GET", its_case)).status, 404);
  const { body } = await admin.call("GET", lead);
  assert.deepEqual(
    [body.account_id, body.account.id, body.contact.id, body.case_id, body.original_account],
    [there.account.id, there.account.id, contact.id, null, null],
  );
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(there.account, contact))), ["1 lead"]);
});

Deno.test("a waiting lead of a moved contact stays when the former account is deleted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, contact } = await newContact(admin);
  const there = await newContact(admin);
  const { id } = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
  });
  assert.equal(
    (await admin.call("PUT", makePath(account, contact), { account_id: there.account.id })).status,
    200,
  );
  app.clock.move(60_000);
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(account))), []);
  const names = await eventsOfCall(app, sales, () => deleteAt(admin, makePath(account)));
  assert.deepEqual(names, ["lead_updated", "account_deleted"]);
  const { body } = await admin.call("GET", `/v1/leads/${id}`);
  assert.deepEqual([body.original_account, body.contact_id], [null, contact.id]);
});

Deno.test("a note on a case of another customer stays with the case and no longer names the deleted contact", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const { account, its_case } = await acceptLead(sales);
  const other = await newContact(admin, {}, { team_id: sales.dealer });
  const case_id = its_case.split("/").at(-1);
  const note = async (more: object) => {
    const reply = await admin.call("POST", "/v1/notes", { note: "Met", ...more });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const named = { contact_id: other.contact.id, account_id: other.account.id };
  const stays = await note({ case_id, ...named });
  const goes = await note(named);
  app.clock.move(60_000);
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(other.account, other.contact))), ["1 note"]);
  const names = await eventsOfCall(app, sales, () => deleteAt(admin, makePath(other.account, other.contact)));
  assert.deepEqual(names, ["note_deleted", "note_updated", "contact_deleted"]);
  assert.equal((await admin.call("GET", `/v1/notes/${goes.id}`)).status, 404);
  const { body } = await admin.call("GET", `/v1/notes/${stays.id}`);
  assert.deepEqual([body.case_id, body.contact_id, body.account_id], [case_id, null, null]);
  assert.deepEqual(listAmounts(await readImpact(admin, makePath(account))), [
    "1 case",
    "1 contact",
    "1 lead",
    "1 note",
  ]);
});
