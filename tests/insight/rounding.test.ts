/** Figures are rounded. */
import assert from "node:assert/strict";
import { newCase } from "../sales/parts.ts";
import { act, scene } from "../sales/tasks_world.ts";
import { type Body, startApp } from "../support/app.ts";

Deno.test("large figures are rounded to what happened, half a cent up", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await scene(app);
  const fixed_fields = [{ name: "name", value: "Screw" }];
  const { body: { id } } = await admin.call("POST", "/v1/products", { fixed_fields });
  const closed = async (...products: Body[]) => {
    const made = await newCase(member, path);
    const product_details = [{ products: products.map((line) => ({ id, ...line })) }];
    await act(member, path, made.id, ["Offer"], { product_details });
    await act(member, path, made.id, ["Sold"]);
    const asked = "group_by=company&indicators=products.sold,products.revenue";
    const { body } = await admin.call("GET", `/v1/reports/metrics?${asked}`);
    return body.data.map(({ value }: Body) => value);
  };
  assert.deepEqual(await closed({ quantity: 1, price: 1.005 }), [1, 1.01]);
  const many = { quantity: 1e9, price: 0 };
  assert.deepEqual(await closed(many, many, many), [3_000_000_001, 1.01]);
  const dear = { quantity: 1, price: 9_999_999_999_998 };
  assert.deepEqual(await closed(dear), [3_000_000_002, 9_999_999_999_999.01]);
});
