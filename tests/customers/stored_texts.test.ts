import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { listFaults, newField } from "./fields_world.ts";

Deno.test("a record takes back the texts that it has, also those that a younger rule refuses", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const field = await newField(admin, { label: "Remark" });
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada" }],
    custom_fields: [{ name: "remark", value: "old" }],
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: [{ name: "last_name", value: "Lovelace" }, { name: "phone_number", value: "030 1" }],
  });
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Estate" }],
  });
  const custom = JSON.stringify({ [field.id]: "two\nlines" });
  await app.deps.db.write([
    sql`update accounts set name = ${"Ada\nLtd"}, custom = ${custom}`,
    sql`update contacts set last_name = ${"Love\nlace"}, phone_number = 'on request'`,
    sql`update products set name = ${"Es\ntate"}`,
  ]);
  const records: [string, string][] = [
    [`/v1/accounts/${account.body.id}`, "name"],
    [`/v1/accounts/${account.body.id}/contacts/${contact.body.id}`, "last_name"],
    [`/v1/products/${product.body.id}`, "name"],
  ];
  for (const [path, name] of records) {
    const { fixed_fields, custom_fields } = (await admin.call("GET", path)).body;
    const put = await admin.call("PUT", path, { fixed_fields, custom_fields });
    assert.ok(put.status < 300, `${path}: ${JSON.stringify(put.body)}`);
    assert.deepEqual(put.body.fixed_fields, fixed_fields);
    assert.deepEqual(put.body.custom_fields, custom_fields);
    const other = await admin.call("PUT", path, { fixed_fields: [{ name, value: "An\nother" }] });
    assert.deepEqual(listFaults(other), [["fixed_fields[0].value", "format"]]);
  }
});
