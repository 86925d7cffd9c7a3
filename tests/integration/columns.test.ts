/** The columns that an import can set, with the custom fields that the caller sees. */
import { simplifyName } from "../../src/core/text.ts";
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { describeColumns, findColumn } from "../../src/integration/columns/catalogue.ts";
import { readCompanyFields } from "../../src/fields/field_sets.ts";
import { proposeMapping } from "../../src/integration/reading/headers.ts";

async function columns(by: Actor, entity: string): Promise<Body[]> {
  const reply = await by.call("GET", `/v1/imports/fields/${entity}`);
  assert.equal(reply.status, 200);
  return reply.body.data;
}

const account = ["name", "address", "zip_code", "city", "state_region", "country", "vat", "website"];
const contact = ["salutation", "first_name", "last_name", "email", "phone_number", "title"];
const behind = (prefix: string, names: string[]) => names.map((name) => prefix + name);

Deno.test("the columns of a file are listed", async (t) => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const team = await company.team();
  const importer = await company.user({ teams: [team], rights: ["imports.manage"] });
  const exporter = await company.user({ teams: [team], rights: ["reports.export"] });
  const member = await company.user({ teams: [team] });

  await t.step("without custom fields they are those of each kind of record", async () => {
    const of = async (entity: string) => (await columns(importer, entity)).map(({ name }) => name);
    assert.deepEqual(await of("accounts"), ["external_id", "b2c", ...account, "created_at"]);
    const consents = behind("consent.", ["call", "email", "letter", "sms"]);
    assert.deepEqual(await of("contacts"), [
      "external_id",
      "b2c",
      ...contact,
      "full_name",
      ...consents,
      "account.external_id",
      ...behind("account.", account),
      "created_at",
    ]);
    assert.deepEqual(await of("products"), [
      "name",
      "list_price",
      "purchase_price",
      "type",
      "tax",
      "category",
    ]);
    assert.deepEqual(await of("leads"), [
      "lead_type",
      "lead_source",
      "interest",
      "external_weight",
      "b2c",
      "lead_data.<key>",
      ...behind("account.", account),
      ...behind("contact.", [...contact, "full_name", ...consents.slice(0, 3)]),
      "created_at",
    ]);
  });

  await t.step(
    "custom fields stand by their names, and behind custom. where another has the name",
    async () => {
      const add = async (owner: string, more: object) => {
        const made = await admin.call("POST", `/v1/fields/${owner}`, { type: "numeric", ...more });
        assert.equal(made.status, 201);
      };
      const other = await company.team();
      await add("account", { label: "External ID", type: "text" });
      await add("account", { label: "Seats", team_id: other });
      await add("product", { label: "Category" });
      await add("contact", { label: "B2C", type: "boolean" });
      const found = await columns(admin, "accounts");
      const ids = found.filter(({ name }) => name.endsWith("external_id"));
      assert.deepEqual(ids.map(({ name, label }) => [name, label]), [
        ["external_id", "External id"],
        ["custom.external_id", "External ID"],
      ]);
      assert.deepEqual(found.at(-2), { name: "seats", label: "Seats", type: "numeric", required: false });
      assert.ok((await columns(importer, "accounts")).every(({ name }) => name !== "seats"));
      assert.deepEqual((await columns(admin, "products")).slice(-2).map(({ name }) => name), [
        "custom.category",
        "category",
      ]);
      const contacts = (await columns(admin, "contacts")).map(({ name }) => name);
      assert.equal(contacts.indexOf("custom.b2c"), contacts.indexOf("account.external_id") - 1);
      assert.ok((await columns(admin, "leads")).some(({ name }) => name === "account.external_id"));
    },
  );

  await t.step("a record's name is required, of records beside it nothing is", async () => {
    const listRequired = async (entity: string) =>
      (await columns(admin, entity)).filter((each) => each.required).map(({ name }) => name);
    assert.deepEqual(await listRequired("accounts"), ["name"]);
    assert.deepEqual(await listRequired("contacts"), []);
    assert.deepEqual(await listRequired("products"), ["name"]);
    assert.deepEqual(await listRequired("leads"), ["lead_type", "lead_source"]);
  });

  await t.step("imports.manage or reports.export opens them, for kinds that are imported", async () => {
    assert.equal((await exporter.call("GET", "/v1/imports/fields/leads")).status, 200);
    assert.equal((await importer.call("GET", "/v1/imports/fields/cases")).status, 404);
    assert.equal((await member.call("GET", "/v1/imports/fields/leads")).status, 403);
    assert.equal((await member.call("GET", "/v1/imports/fields/cases")).status, 403);
  });
});

Deno.test("each key of lead_data has a column, and headers find columns by name or label", () => {
  const viewer = { userType: "admin", teamIds: [], groupIds: [], activeTeamId: null } as const;
  const leads = describeColumns("leads", readCompanyFields(null, viewer).seen);
  assert.deepEqual(findColumn(leads, "lead_data.Extras")?.source, {
    kind: "lead_data",
    of: "self",
    key: "Extras",
  });
  for (const name of ["lead_data.", "lead_data.<key>", "lead_data", "nothing", ""]) {
    assert.equal(findColumn(leads, name), null, name);
  }
  assert.equal(simplifyName("Zip-Code"), "zipcode");
  assert.deepEqual(
    proposeMapping(["Lead Type", "Contact: E-mail", "ACCOUNT.ZIP CODE", "account: zip code", "Else"], leads),
    {
      "Lead Type": "lead_type",
      "Contact: E-mail": "contact.email",
      "ACCOUNT.ZIP CODE": "account.zip_code",
      "account: zip code": null,
      "Else": null,
    },
  );
});
