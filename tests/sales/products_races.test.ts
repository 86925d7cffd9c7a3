import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { nameFields } from "./leads_world.ts";
import { createRecord } from "./notes_world.ts";

const van = { fixed_fields: nameFields({ name: "Van" }) };

Deno.test("a product cannot name a category or product that is deleted meanwhile, and shows the present category", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const category = await createRecord(admin, "/v1/products/categories", { name: "Vans" });
  const inside = { ...van, category: { id: [category.id] } };
  const path = `/v1/products/categories/${category.id}`;
  const renamed = await callMeanwhile(app, admin, "POST", "/v1/products", async () => {
    assert.equal((await admin.call("PUT", path, { name: "Lorries" })).status, 200);
  }, inside);
  assert.equal((await renamed.json()).category.name, "Lorries");
  const refused = await callMeanwhile(app, admin, "POST", "/v1/products", async () => {
    assert.equal((await admin.call("DELETE", path)).status, 204);
  }, inside);
  assert.equal((await refused.json()).errors[0].path, "category.id[0]");
  const tyres = await createRecord(admin, "/v1/products", van);
  const alone = await callMeanwhile(app, admin, "POST", "/v1/products", async () => {
    assert.equal((await admin.call("DELETE", `/v1/products/${tyres.id}`)).status, 204);
  }, { ...van, related_product_ids: [tyres.id] });
  assert.equal((await alone.json()).errors[0].path, "related_product_ids[0]");
});

Deno.test("no product names a category or product once it is deleted, and no rows remain", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const category = await createRecord(admin, "/v1/products/categories", { name: "Vans" });
  const gone = await callMeanwhile(
    app,
    admin,
    "DELETE",
    `/v1/products/categories/${category.id}`,
    async () => {
      await createRecord(admin, "/v1/products", { ...van, category: { id: [category.id] } });
    },
  );
  assert.equal(gone.status, 204);
  const tyres = await createRecord(admin, "/v1/products", van);
  const deleted = await callMeanwhile(app, admin, "DELETE", `/v1/products/${tyres.id}`, async () => {
    await createRecord(admin, "/v1/products", { ...van, related_product_ids: [tyres.id] });
  });
  assert.equal(deleted.status, 204);
  const { data } = (await admin.call("GET", "/v1/products")).body;
  assert.equal(data.length, 2);
  for (const product of data) assert.deepEqual([product.categories, product.related_product_ids], [[], []]);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("two concurrent changes of a product are both applied", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await createRecord(admin, "/v1/products", van);
  const price = { fixed_fields: nameFields({ list_price: 5 }) };
  const changed = await callMeanwhile(app, admin, "PUT", `/v1/products/${id}`, async () => {
    assert.equal(
      (await admin.call("PUT", `/v1/products/${id}`, { fixed_fields: nameFields({ tax: 19 }) })).status,
      200,
    );
  }, price);
  const values = (await changed.json()).fixed_fields.map(({ value }: { value: unknown }) => value);
  assert.deepEqual(values, ["Van", 5, null, null, 19]);
});

Deno.test("a created or changed product shows its categories as they are then", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const categories = [];
  for (const name of ["Vans", "Used"]) {
    categories.push(await createRecord(admin, "/v1/products/categories", { name }));
  }
  const [vans, used] = categories as [{ id: number }, { id: number }];
  const { id } = await createRecord(admin, "/v1/products", { ...van, category: { id: [vans.id] } });
  const rename = (category: { id: number }, name: string) => async () => {
    const path = `/v1/products/categories/${category.id}`;
    assert.equal((await admin.call("PUT", path, { name })).status, 200);
  };
  const names = async (reply: Response) =>
    (await reply.json()).categories.map(({ name }: { name: string }) => name);
  const one = await callMeanwhile(app, admin, "PUT", `/v1/products/${id}`, rename(vans, "Lorries"), {
    fixed_fields: [{ name: "name", value: "Truck" }],
  });
  assert.deepEqual(await names(one), ["Lorries"]);
  const both = { ...van, category: { id: [vans.id, used.id] } };
  const several = await callMeanwhile(app, admin, "POST", "/v1/products", rename(used, "Second-hand"), both);
  assert.deepEqual(await names(several), ["Lorries", "Second-hand"]);
});
