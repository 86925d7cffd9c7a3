import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import {
  askFilter,
  createAccount,
  createContact,
  expandFilter,
  listRefused,
  selectNames,
} from "./filters_world.ts";

Deno.test("text is compared without regard to case, letters beyond ASCII too, by every operator of texts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await createAccount(admin, "Ada Ltd");
  for (const name of ["Müller", "Muller", "ÖLMÜLLER", "Byron"]) await createContact(admin, id, name);
  const by = (operator: string, value: unknown) =>
    selectNames(admin, "contacts", ["b2b_contact.fixed_fields.last_name", operator, value]);
  assert.equal(await by("eq", "mÜLLER"), "Müller");
  assert.equal(await by("eq", "MULLER"), "Muller");
  assert.equal(await by("neq", "müller"), "Byron Muller ÖLMÜLLER");
  assert.equal(await by("sw", "MÜ"), "Müller");
  assert.equal(await by("sw", "öl"), "ÖLMÜLLER");
  assert.equal(await by("sw", "m"), "Muller Müller");
  assert.equal(await by("sw", ""), "Byron Muller Müller ÖLMÜLLER");
  assert.equal(await by("ew", "ÜLLER"), "Müller ÖLMÜLLER");
  assert.equal(await by("ew", "xxxbyron"), "");
  assert.equal(await by("ew", ""), "Byron Muller Müller ÖLMÜLLER");
  assert.equal(await by("ct", "LMü"), "ÖLMÜLLER");
  assert.equal(await by("ct", ""), "Byron Muller Müller ÖLMÜLLER");
  assert.equal(await by("nct", "üll"), "Byron Muller");
  assert.equal(await by("in", ["BYRON", "müller", "none"]), "Byron Müller");
  assert.equal(await by("in", []), "");
  assert.equal(await by("nin", ["BYRON", "müller"]), "Muller ÖLMÜLLER");
  assert.equal(await by("nin", []), "Byron Muller Müller ÖLMÜLLER");
  assert.equal(await by("exists", true), "Byron Muller Müller ÖLMÜLLER");
  assert.equal(await by("exists", false), "");
});

Deno.test("neq, nct and nin also match records without a value, and exists matches those with one", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await createAccount(admin, "Ada Ltd");
  await createContact(admin, id, "With", { fixed: { title: "Countess" } });
  await createContact(admin, id, "Without");
  const by = (operator: string, value: unknown) =>
    selectNames(admin, "contacts", ["b2b_contact.fixed_fields.title", operator, value]);
  assert.equal(await by("neq", "Doctor"), "With Without");
  assert.equal(await by("neq", "countess"), "Without");
  assert.equal(await by("nct", "oun"), "Without");
  assert.equal(await by("nin", ["COUNTESS"]), "Without");
  assert.equal(await by("exists", true), "With");
  assert.equal(await by("exists", false), "Without");
  assert.equal(await by("sw", ""), "With");
});

Deno.test("a condition of businesses or consumers never matches the other kind, negated or not; account. and contact. match both", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const business = await createAccount(admin, "Firm", { fixed: { city: "Bern" } });
  await createAccount(admin, "Empty");
  const consumer = await createAccount(admin, "Private", { b2c: true });
  await createContact(admin, business.id, "Byron");
  await createContact(admin, consumer.id, "King");
  const contacts = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "contacts", [field, operator, value]);
  const accounts = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "accounts", [field, operator, value]);
  assert.equal(await contacts("b2b_contact.fixed_fields.last_name", "neq", "x"), "Byron");
  assert.equal(await contacts("b2c_contact.fixed_fields.last_name", "neq", "x"), "King");
  assert.equal(await contacts("b2c_contact.fixed_fields.last_name", "sw", "b"), "");
  assert.equal(await contacts("b2b_account.fixed_fields.city", "exists", false), "");
  assert.equal(await contacts("b2c_account.fixed_fields.city", "exists", false), "King");
  assert.equal(await contacts("account.fixed_fields.city", "neq", "x"), "Byron King");
  assert.equal(await contacts("contact.status", "eq", "lead"), "Byron King");
  assert.equal(await accounts("b2b_account.fixed_fields.name", "neq", "x"), "Empty Firm");
  assert.equal(await accounts("b2b_contact.fixed_fields.last_name", "neq", "x"), "Empty Firm");
  assert.equal(await accounts("b2c_contact.fixed_fields.last_name", "neq", "x"), "Private");
  assert.equal(await accounts("contact.status", "neq", "customer"), "Empty Firm Private");
  assert.equal(await accounts("account.fixed_fields.name", "exists", true), "Empty Firm Private");
});

Deno.test("fields of contacts without a kind mean consumers, and the answer marks them as deprecated", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const business = await createAccount(admin, "Firm");
  const consumer = await createAccount(admin, "Private", { b2c: true });
  await createContact(admin, business.id, "Byron");
  await createContact(admin, consumer.id, "King");
  assert.equal(
    await selectNames(admin, "contacts", ["contact.fixed_fields.last_name", "exists", true]),
    "King",
  );
  assert.equal(
    await selectNames(admin, "accounts", ["contact.fixed_fields.last_name", "neq", "x"]),
    "Private",
  );
  const readDeprecation = async (field: string) =>
    (await askFilter(admin, "contacts", expandFilter([[field, "exists", true]]))).headers.get("deprecation");
  assert.match(await readDeprecation("contact.fixed_fields.last_name") ?? "", /^@\d+$/);
  assert.equal(await readDeprecation("b2c_contact.fixed_fields.last_name"), null);
  assert.equal(await readDeprecation("contact.status"), null);
});

Deno.test("fields are addressed by name or id, and compare by their type", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await createAccount(admin, "Firm", { fixed: { country: "DE", city: "Ulm" } });
  await createAccount(admin, "Bare");
  const by = (field: string, operator: string, value: unknown) =>
    selectNames(admin, "accounts", [field, operator, value]);
  assert.equal(await by("account.fixed_fields.id.4", "eq", "ulm"), "Firm");
  assert.equal(await by("account.fixed_fields.country", "eq", "DE"), "Firm");
  assert.equal(await by("account.fixed_fields.country", "in", ["DE", "FR"]), "Firm");
  assert.equal(await by("account.fixed_fields.country", "nin", ["DE", "FR"]), "Bare");
  assert.equal(await by("account.fixed_fields.country", "exists", false), "Bare");
  const country = "account.fixed_fields.country";
  assert.deepEqual(await listRefused(admin, expandFilter([[country, "eq", "XX"]]), "accounts"), [
    "filter[0].value enum",
  ]);
  assert.deepEqual(await listRefused(admin, expandFilter([[country, "sw", "D"]]), "accounts"), [
    "filter[0].operator operator",
  ]);
});

Deno.test("each fixed text of accounts and contacts is compared without regard to case, letters beyond ASCII too", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const texts = {
    accounts: ["name", "address", "zip_code", "city", "state_region", "vat", "website"],
    contacts: ["salutation", "first_name", "last_name", "phone_number", "title"],
  };
  const writeText = (name: string, text: string) =>
    name === "website" ? `https://example.org/${text}` : name === "phone_number" ? `${text} 1` : text;
  const values = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, writeText(name, `ÖL-${name}`)]));
  const { id } = await createAccount(admin, null, { fixed: values(texts.accounts) });
  await createContact(admin, id, "ÖL-last_name", { fixed: values(texts.contacts) });
  for (const [kind, owner] of [["accounts", "account"], ["contacts", "b2b_contact"]] as const) {
    for (const name of texts[kind]) {
      const value = writeText(name, `öl-${name.toUpperCase()}`);
      const found = await selectNames(admin, kind, [`${owner}.fixed_fields.${name}`, "eq", value]);
      assert.equal(found, kind === "accounts" ? "ÖL-name" : "ÖL-last_name", name);
    }
  }
});

Deno.test("the beginning and end of a text count whole characters, also beyond 16 bits", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await createAccount(admin, "Ada Ltd");
  for (const name of ["a😀", "b😁", "c\ud7ffz", "c\ue000"]) await createContact(admin, id, name);
  const by = (operator: string, value: string) =>
    selectNames(admin, "contacts", ["b2b_contact.fixed_fields.last_name", operator, value]);
  assert.equal(await by("ew", "😀"), "a😀");
  assert.equal(await by("ew", "A😀"), "a😀");
  assert.equal(await by("sw", "b😁"), "b😁");
  assert.equal(await by("sw", "c\ud7ff"), "c\ud7ffz");
});

Deno.test("a consumer's account without a name is filtered by its contact's name, which it shows", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const consumer = await createAccount(admin, null, { b2c: true });
  const name: (value: string) => Promise<string> = (value) =>
    selectNames(admin, "accounts", ["b2c_account.fixed_fields.name", "eq", value]);
  assert.equal(await name("bÜRON"), "");
  const made = await createContact(admin, consumer.id, "Büron");
  assert.equal(await name("bÜRON"), "Büron");
  await admin.call("PUT", `/v1/accounts/${consumer.id}/contacts/${made.id}`, {
    fixed_fields: [{ name: "last_name", value: "King" }],
  });
  assert.equal(await name("king"), "King");
  assert.equal(await name("büron"), "");
});

Deno.test("a filter sees every change of a record", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Größe");
  const change = (value: string | null) =>
    admin.call("PUT", `/v1/accounts/${firm.id}`, { fixed_fields: [{ name: "city", value }] });
  const city = (value: string) => selectNames(admin, "accounts", ["account.fixed_fields.city", "eq", value]);
  await change("KÖLN");
  assert.equal(await city("köln"), "Größe");
  await change("Koeln");
  assert.equal(await city("köln"), "");
  assert.equal(await city("KOELN"), "Größe");
  await change(null);
  assert.equal(await city("koeln"), "");
  assert.equal(await selectNames(admin, "accounts", ["account.fixed_fields.city", "exists", false]), "Größe");
});
