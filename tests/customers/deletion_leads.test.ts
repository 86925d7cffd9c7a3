import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newContact, newPath, readEvents } from "../sales/parts.ts";
import { deleteAt, listAmounts, makePath, readImpact } from "./deletion_world.ts";
import { nameValues } from "./fields_world.ts";

Deno.test("a lead accepted for another customer stays, and neither it nor its case names the deleted customer", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  // The dealer does not see these records, so it gets records of its own.
  const { account, contact } = await newContact(admin, {}, { team_id: sales.agency });
  const lead = await sales.lead({
    account: undefined,
    account_id: account.id,
    contact: undefined,
    contact_id: contact.id,
  });
  const { body: before } = await member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
  assert.notEqual(before.account_id, account.id);
  assert.equal(before.original_contact.id, contact.id);
  const reported = await readImpact(admin, makePath(account));
  assert.deepEqual(listAmounts(reported), ["1 contact"]);
  for (
    const [path, names] of [
      [makePath(account, contact), ["lead_updated", "case_updated", "contact_deleted"]],
      [makePath(account), ["lead_updated", "case_updated", "account_deleted"]],
    ] as const
  ) {
    app.clock.move(60_000);
    const known = (await readEvents(app)).length;
    await deleteAt(admin, path);
    const events = (await readEvents(app)).slice(known);
    assert.deepEqual(events.map(({ name }) => name), names);
    for (const { name, body } of events.slice(0, 2)) {
      const now = await admin.call("GET", `/v1/${name === "lead_updated" ? "leads" : "cases"}/${body.id}`);
      assert.deepEqual(now.body, body, name);
    }
    const { body: after } = await admin.call("GET", `/v1/leads/${lead.id}`);
    assert.equal(after.original_contact, null);
    assert.equal(after.original_account?.id ?? null, path === makePath(account) ? null : account.id);
    assert.deepEqual([after.status, after.account_id], ["accepted", before.account_id]);
  }
});

Deno.test("a lead accepted for a deleted contact is deleted too, and a colleague's case shows the lead before it", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const { account, contact } = await newContact(admin, {}, { team_id: sales.dealer });
  const accept = async (contact_id: string) => {
    const lead = await sales.lead();
    const reply = await member.call("PUT", `/v1/leads/${lead.id}/accept`, {
      account_id: account.id,
      contact_id,
    });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const { body: other } = await admin.call("POST", `${makePath(account)}/contacts`, {
    fixed_fields: nameValues({ last_name: "Byron" }),
  });
  const first = await accept(other.id);
  const second = await accept(contact.id);
  assert.equal(second.case_id, first.case_id);
  const readLeadId = async () =>
    (await admin.call("GET", `/v1/cases/${first.case_id}`)).body.lead?.id ?? null;
  assert.equal(await readLeadId(), second.id);
  const known = (await readEvents(app)).length;
  await deleteAt(admin, makePath(account, contact));
  assert.equal(await readLeadId(), first.id);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.map(({ name }) => name), ["case_updated", "lead_deleted", "contact_deleted"]);
  assert.deepEqual(events[0]!.body, (await admin.call("GET", `/v1/cases/${first.case_id}`)).body);
  // The case belongs to the other contact: deleting that contact deletes the case and the lead.
  await deleteAt(admin, makePath(account, other));
  assert.deepEqual(await readLeadId(), null);
  assert.equal((await admin.call("GET", "/v1/leads")).body.pagination.total, 0);
});

Deno.test("a case of a moved contact is deleted with its own account or with the contact", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  for (const which of ["account", "contact", "new account"]) {
    const { account, contact } = await newContact(admin);
    const { body: there } = await admin.call("POST", "/v1/accounts", {
      fixed_fields: nameValues({ name: "There" }),
    });
    const { body: its } = await admin.call("POST", "/v1/cases", {
      contact_id: contact.id,
      relations_path_id: path.id,
    });
    await admin.call("PUT", makePath(account, contact), { account_id: there.id });
    const path_of = {
      account: makePath(account),
      contact: makePath(there, contact),
      "new account": makePath(there),
    }[which]!;
    assert.ok(listAmounts(await readImpact(admin, path_of)).includes("1 case"), which);
    await deleteAt(admin, path_of);
    assert.equal((await admin.call("GET", `/v1/cases/${its.id}`)).status, 404, which);
    const stays = which === "account" ? makePath(there, contact) : makePath(account);
    assert.equal((await admin.call("GET", stays)).status, 200, which);
  }
});
