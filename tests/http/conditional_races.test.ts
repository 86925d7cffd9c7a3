/** If-Match when the record changes between the read and the write of the same call. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newContact } from "../sales/parts.ts";

const makeNamed = (value: string) => ({ fixed_fields: [{ name: "name", value }] });

/** Creates a record of each kind. Returns its path and a change of it. */
const records: Record<string, (by: Actor) => Promise<[path: string, change: object]>> = {
  account: async (by) => [`/v1/accounts/${(await newContact(by)).account.id}`, makeNamed("Looms")],
  contact: async (by) => {
    const { account, contact } = await newContact(by);
    return [`/v1/accounts/${account.id}/contacts/${contact.id}`, { external_id: contact.id }];
  },
  product: async (
    by,
  ) => [`/v1/products/${(await post(by, "/v1/products", makeNamed("Van"))).id}`, makeNamed("Lorry")],
  category: async (by) => {
    const { id } = await post(by, "/v1/products/categories", { name: "Vans" });
    return [`/v1/products/categories/${id}`, { name: "Lorries" }];
  },
  note: async (by) => {
    const { account, contact } = await newContact(by);
    const body = { note: "Rich", account_id: account.id, contact_id: contact.id };
    return [`/v1/notes/${(await post(by, "/v1/notes", body)).id}`, { note: "Poor" }];
  },
  "saved filter": async (by) => {
    const { id } = await post(by, "/v1/accounts/filters", { name: "All", filter: [] });
    return [`/v1/accounts/filters/${id}`, { name: "None" }];
  },
  field: async (by) => {
    const { id } = await post(by, "/v1/fields/account", { label: "Fuel", type: "text" });
    return [`/v1/fields/account/${id}`, { label: "Energy" }];
  },
  option: async (by) => {
    const field = await post(by, "/v1/fields/account", { label: "Fuel", type: "single_choice" });
    const options = `/v1/fields/account/${field.id}/options`;
    return [`${options}/${(await post(by, options, { value: "Gas" })).id}`, { value: "Diesel" }];
  },
};

async function post(by: Actor, path: string, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

for (const [kind, make] of Object.entries(records)) {
  Deno.test(`of a change and a deletion with If-Match neither meets a version of the ${kind} that it does not name`, async () => {
    await using app = await startApp();
    const { admin } = await app.company();
    for (const method of ["PUT", "DELETE"]) {
      const [path, change] = await make(admin);
      // A call without changes returns the ETag, also of records without a GET.
      const { headers } = await admin.call("PUT", path, {});
      const tag = { "If-Match": headers.get("etag")! };
      const overtake = async () => {
        assert.ok((await admin.call("PUT", path, change)).status < 300);
      };
      const body = method === "PUT" ? change : undefined;
      const late = await callMeanwhile(app, admin, method, path, overtake, body, "after the read", tag);
      assert.equal(late.status, 412, method);
      await late.body?.cancel();
      const after = await admin.call("PUT", path, change);
      assert.ok(after.status < 300, "it is still there");
    }
  });
}
