import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { createAccount, createContact, make, selectNames, type Written } from "../customers/filters_world.ts";
import { put } from "./leads_states.ts";
import { makeSales } from "./leads_world.ts";

const known = { account: undefined, contact: undefined };

Deno.test("a lead counts for its original contact and account, and for those of its acceptance once accepted", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer } = sales;
  const firm = await createAccount(admin, "Firm", { team_id: dealer });
  const ada = await createContact(admin, firm.id, "Ada");
  const bob = await createContact(admin, firm.id, "Bob");
  const lead = await sales.lead({ ...known, account_id: firm.id, contact_id: ada.id, interest: "VÄN" });
  const by = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  assert.equal(await by(["lead.status", "eq", "assigned"]), "Ada");
  assert.equal(await by(["lead.contact_id", "eq", ada.id]), "Ada");
  assert.equal(await selectNames(admin, "accounts", ["lead.account_id", "eq", firm.id]), "Firm");
  assert.equal(await by(["lead.status", "neq", "assigned"]), "Bob");
  const accepted = await put(sales, "member", lead.id, "/accept", { contact_id: bob.id });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(await by(["lead.status", "eq", "accepted"]), "Bob");
  assert.equal(await by(["lead.case_id", "eq", accepted.body.case_id]), "Bob");
  assert.equal(await by(["lead.acceptions.team_id", "eq", dealer]), "Bob");
  assert.equal(await by(["lead.status", "exists", false]), "Ada");
});

Deno.test("filters find leads by type, source, interest, team, transitions and dates", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer } = sales;
  const type = await sales.leadType({ name: "PROBEFÄHRT" });
  const firm = await createAccount(admin, "Firm", { team_id: dealer });
  const [ada, bob] = [await createContact(admin, firm.id, "Ada"), await createContact(admin, firm.id, "Bob")];
  const of = (contact_id: string) => ({ ...known, account_id: firm.id, contact_id });
  await sales.lead({
    ...of(ada.id),
    lead_type_id: type,
    lead_source: "Größe",
    interest: "ÄPFEL",
    expires_at: "2026-03-05 00:00:00",
  });
  const rejected = await sales.lead(of(bob.id));
  await put(sales, "member", rejected.id, "/reject", { rejection_reason: "Far" });
  const both: [string, string, unknown, string][] = [
    ["lead_type", "eq", "probefährt", "Ada"],
    ["lead_type", "sw", "Test", "Bob"],
    ["lead_type_id", "eq", type, "Ada"],
    ["lead_source", "eq", "GRÖßE", "Ada"],
    ["lead_source", "neq", "GRÖßE", "Bob"],
    ["lead_source", "ct", "SITE", "Bob"],
    ["interest", "sw", "äp", "Ada"],
    ["interest", "exists", false, "Bob"],
    ["status", "in", ["REJECTED"], "Bob"],
    ["team_id", "eq", dealer, "Ada Bob"],
    ["team_id", "gt", dealer, ""],
    ["assignments.team_id", "eq", dealer, "Ada Bob"],
    ["rejections.team_id", "eq", dealer, "Bob"],
    ["rejections.team_id", "neq", dealer, "Ada"],
    ["acceptions.team_id", "exists", false, "Ada Bob"],
    ["created_at", "eq", "NOW", "Ada Bob"],
    ["updated_at", "lte", "NOW", "Ada Bob"],
    ["expires_at", "gt", "NOW+1d", "Ada"],
    ["expires_at", "exists", false, "Bob"],
  ];
  for (const [field, operator, value, names] of both) {
    const found = await selectNames(admin, "contacts", [`lead.${field}`, operator, value]);
    assert.equal(found, names, `${field} ${operator} ${value}`);
  }
  const changed = await put(sales, "admin", rejected.id, "", { interest: "Öl" });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(await selectNames(admin, "contacts", ["lead.interest", "eq", "öl"]), "Bob");
  // Conditions in one list hold for the same lead.
  const two: Written[] = [["lead.interest", "eq", "öl"], ["lead.lead_source", "eq", "größe"]];
  assert.equal(await selectNames(admin, "accounts", ...two), "");
  assert.equal(await selectNames(admin, "accounts", two[0]!, { and: [two[1]!] }), "Firm");
  // An expired lead is not found.
  app.clock.move(4 * 86_400_000);
  assert.equal(await selectNames(admin, "contacts", ["lead.lead_source", "eq", "größe"]), "");
});

Deno.test("deleted leads match only where the filter names their deletion", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer } = sales;
  const firm = await createAccount(admin, "Firm", { team_id: dealer });
  const ada = await createContact(admin, firm.id, "Ada");
  const lead = await sales.lead({ ...known, account_id: firm.id, contact_id: ada.id });
  const by = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  const live: Written = ["lead.status", "eq", "assigned"];
  assert.equal(await by(["lead.deleted_at", "exists", true]), "");
  assert.equal(await by(["lead.deleted_at", "exists", false]), "Ada");
  assert.equal((await admin.call("DELETE", `/v1/leads/${lead.id}`)).status, 204);
  assert.equal(await by(live), "");
  assert.equal(await by(["lead.status", "neq", "assigned"]), "Ada");
  assert.equal(await by(live, ["lead.deleted_at", "lte", "NOW"]), "Ada");
  assert.equal(await by(["lead.deleted_at", "exists", false]), "");
});

Deno.test("a lead counts for users who see it: its team, its agency, and admins", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, company } = sales;
  const firm = await createAccount(admin, "Firm", { team_id: null });
  const ada = await createContact(admin, firm.id, "Ada");
  await sales.lead({ ...known, account_id: firm.id, contact_id: ada.id });
  const stranger = await company.user({ teams: [await company.team()] });
  const others = await company.user({ teams: [await company.team()], rights: ["agency"] });
  for (
    const [actor, seen] of [[admin, true], [sales.member, true], [sales.agent, true], [stranger, false], [
      others,
      false,
    ]] as const
  ) {
    assert.equal(await selectNames(actor, "contacts", ["lead.status", "eq", "assigned"]), seen ? "Ada" : "");
    assert.equal(
      await selectNames(actor, "contacts", ["lead.created_at", "exists", false]),
      seen ? "" : "Ada",
    );
  }
});

Deno.test("filters find product details by name, comment, quantity and date of the same product", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  const firm = await createAccount(admin, "Firm");
  const [ada] = [await createContact(admin, firm.id, "Ada"), await createContact(admin, firm.id, "Bob")];
  const made = await admin.call("POST", "/v1/cases", {
    contact_id: ada.id,
    relations_path_id: sales.path,
    user_id: admin.id,
  });
  const { body: path } = await admin.call("GET", `/v1/relations-paths/${sales.path}`);
  const activity = await admin.call("POST", `/v1/cases/${made.body.id}/activities`, {
    activity_type_ids: [path.activity_types.milestones[0].id],
  });
  const category = await make(admin, "/v1/products/categories", { name: "Oils" });
  const oil = await make(admin, "/v1/products", {
    category: { id: [category.id] },
    fixed_fields: [{ name: "name", value: "ÖL" }],
  });
  const products = [
    { id: "p1", name: "Van", quantity: 2, comment: null },
    { id: oil.id, name: "ÖL", quantity: 5, comment: "Fast", folded: { name: "öl" } },
  ];
  await app.deps.db.write([{
    sql: "update activities set product_details = ? where id = ?",
    args: [JSON.stringify([{ id: "d", products }]), activity.body.id],
  }]);
  const by = (...nodes: Written[]) => selectNames(admin, "contacts", ...nodes);
  const field = (name: string, operator: string, value: unknown): Written => [
    `product_detail.product.${name}`,
    operator,
    value,
  ];
  assert.equal(await by(field("name", "eq", "VAN")), "Ada");
  assert.equal(await by(field("name", "eq", "Öl")), "Ada");
  assert.equal(await by(field("name", "eq", "van"), field("quantity", "gt", 2)), "");
  assert.equal(await by(field("name", "eq", "öl"), field("quantity", "gt", 2)), "Ada");
  assert.equal(await by(field("name", "neq", "van")), "Bob");
  assert.equal(await by(field("comment", "ct", "AS")), "Ada");
  assert.equal(await by(field("created_at", "eq", "NOW")), "Ada");
  assert.equal(await selectNames(admin, "accounts", field("quantity", "in", [2])), "Firm");
  assert.equal(await by(field("category", "eq", category.id)), "Ada");
  assert.equal(await by(field("category", "eq", category.id), field("name", "eq", "van")), "");
  assert.equal(await by(field("category", "exists", false)), "Bob");
});
