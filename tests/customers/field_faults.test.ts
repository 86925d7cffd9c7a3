import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";

const makeFields = (fields: Readonly<Record<string, unknown>>) => ({
  fixed_fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
});

const faults = (reply: { body: Body }) => reply.body.errors.map(({ path, code }: Body) => `${path} ${code}`);

Deno.test("white space alone is no name: of an account, a contact or a product it is missing, and elsewhere clears", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call(
    "POST",
    "/v1/accounts",
    makeFields({ name: "Acme", city: "Bonn" }),
  );
  const contacts = `/v1/accounts/${account.id}/contacts`;
  const { body: contact } = await admin.call("POST", contacts, makeFields({ last_name: "Byron" }));
  const { body: product } = await admin.call("POST", "/v1/products", makeFields({ name: "Van" }));
  for (
    const [method, path, name] of [
      ["POST", "/v1/accounts", "name"],
      ["PUT", `/v1/accounts/${account.id}`, "name"],
      ["POST", contacts, "last_name"],
      ["PUT", `${contacts}/${contact.id}`, "last_name"],
      ["POST", "/v1/products", "name"],
      ["PUT", `/v1/products/${product.id}`, "name"],
    ] as const
  ) {
    for (const blank of ["", " \t\n", "\u00a0\u2003", null]) {
      const refused = await admin.call(method, path, makeFields({ [name]: blank }));
      assert.deepEqual([refused.status, faults(refused)], [422, ["fixed_fields required"]], path);
    }
  }
  const cleared = await admin.call("PUT", `/v1/accounts/${account.id}`, makeFields({ city: "  " }));
  assert.equal(cleared.body.fixed_fields.find(({ name }: Body) => name === "city").value, null);
  const { body: consumer } = await admin.call("POST", "/v1/accounts", {
    b2c: true,
    ...makeFields({ name: " " }),
  });
  await admin.call("POST", `/v1/accounts/${consumer.id}/contacts`, makeFields({ last_name: "King" }));
  const { body: shown } = await admin.call("GET", `/v1/accounts/${consumer.id}`);
  assert.equal(shown.fixed_fields[0].value, "King");
});

Deno.test("a wrong name is reported once, and not also as missing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call("POST", "/v1/accounts", makeFields({ name: "Acme" }));
  for (
    const [path, name] of [
      ["/v1/accounts", "name"],
      [`/v1/accounts/${account.id}/contacts`, "email"],
      ["/v1/products", "name"],
    ] as const
  ) {
    const refused = await admin.call("POST", path, makeFields({ [name]: 5 }));
    assert.deepEqual(faults(refused), ["fixed_fields[0].value type"], path);
  }
});

Deno.test("a missing name is reported beside the faults of other fields, but not beside a name that is not known", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: account } = await admin.call("POST", "/v1/accounts", makeFields({ name: "Acme" }));
  for (
    const [path, name] of [
      ["/v1/accounts", "city"],
      [`/v1/accounts/${account.id}/contacts`, "title"],
      ["/v1/products", "type"],
    ] as const
  ) {
    const refused = await admin.call("POST", path, makeFields({ [name]: 5 }));
    assert.deepEqual(faults(refused).map((fault: string) => fault.split(" ")[0]), [
      "fixed_fields[0].value",
      "fixed_fields",
    ], path);
    const unknown = await admin.call("POST", path, makeFields({ nmae: "Acme" }));
    assert.deepEqual(faults(unknown), ["fixed_fields[0].name unknown_field"], path);
  }
});

Deno.test("an option is deleted as If-Match names it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: field } = await admin.call("POST", "/v1/fields/account", {
    label: "Fuel",
    type: "single_choice",
  });
  const options = `/v1/fields/account/${field.id}/options`;
  const made = await admin.call("POST", options, { value: "Diesel" });
  const path = `${options}/${made.body.id}`;
  const changed = await admin.call("PUT", path, { value: "Petrol" });
  const remove = async (etag: string | null) =>
    (await admin.call("DELETE", path, undefined, { "If-Match": etag! })).status;
  assert.equal(await remove(made.headers.get("etag")), 412);
  assert.equal((await admin.call("GET", `/v1/fields/account/${field.id}`)).body.options.length, 1);
  assert.equal(await remove(changed.headers.get("etag")), 204);
});

Deno.test("a custom value that may not be given is named by its place, in what a lead carries, too", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin } = sales;
  for (const owner of ["account", "contact"]) {
    const field = { label: "Code", type: "text", is_read_only: true };
    assert.equal((await admin.call("POST", `/v1/fields/${owner}`, field)).status, 201);
  }
  const custom_fields = [{ name: "code", value: "x" }];
  const refused = await admin.call("POST", "/v1/leads", {
    ...sales.body(),
    account: { ...makeFields({ name: "Acme" }), custom_fields },
    contact: { ...makeFields({ last_name: "Byron" }), custom_fields },
  });
  assert.deepEqual(faults(refused), [
    "account.custom_fields[0].value not_editable",
    "contact.custom_fields[0].value not_editable",
  ]);
});
