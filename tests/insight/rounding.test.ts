/** Figures are rounded. */
import assert from "node:assert/strict";
import { newCase } from "../sales/parts.ts";
import { act, makeScene } from "../sales/tasks_world.ts";
import { type Body, startApp } from "../support/app.ts";

Deno.test("large figures are rounded to what happened, half a cent up", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const fixed_fields = [{ name: "name", value: "Screw" }];
  const { body: { id } } = await admin.call("POST", "/v1/products", { fixed_fields });
  const closeCase = async (...products: Body[]) => {
    const made = await newCase(member, path);
    const product_details = [{ products: products.map((line) => ({ id, ...line })) }];
    await act(member, path, made.id, ["Offer"], { product_details });
    await act(member, path, made.id, ["Sold"]);
    const asked = "group_by=company&indicators=products.sold,products.revenue";
    const { body } = await admin.call("GET", `/v1/reports/metrics?${asked}`);
    return body.data.map(({ value }: Body) => value);
  };
  assert.deepEqual(await closeCase({ quantity: 1, price: 1.005 }), [1, 1.01]);
  const many = { quantity: 1e9, price: 0 };
  assert.deepEqual(await closeCase(many, many, many), [3_000_000_001, 1.01]);
  const dear = { quantity: 1, price: 9_999_999_999_998 };
  assert.deepEqual(await closeCase(dear), [3_000_000_002, 9_999_999_999_999.01]);
});

Deno.test("in mode simple every value in money is 0, as soon as the mode is; numbers stay", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const { admin } = company;
  const fixed_fields = [{ name: "name", value: "Screw" }];
  const { body: { id } } = await admin.call("POST", "/v1/products", {
    fixed_fields,
  });
  for (const last of ["Sold", null]) {
    const made = await newCase(member, path);
    const product_details = [{ products: [{ id, quantity: 2, price: 3 }] }];
    await act(member, path, made.id, ["Offer"], { product_details });
    if (last) await act(member, path, made.id, [last]);
  }
  const figures = async (mode: string) => {
    const changed = await admin.call(
      "PUT",
      `/v1/companies/${company.id}/settings`,
      { product: { mode } },
    );
    assert.equal(changed.status, 200, changed.text);
    const asked = "group_by=company&indicators=products.sold,products.revenue";
    const read = async (path: string) => (await admin.call("GET", path)).body.data;
    return [
      ...(await read(`/v1/reports/metrics?${asked}`)).map(({ value }: Body) => value),
      ...(await read("/v1/reports/pipeline")).map((
        { value, sum }: Body,
      ) => [value, sum]),
      ...(await read(`/v1/reports/pipeline/${path.id}`)).map(({ sum }: Body) => sum).filter((sum: number) =>
        sum > 0
      ),
    ];
  };
  assert.deepEqual(await figures("simple"), [2, 0, [1, 0]]);
  assert.deepEqual((await figures("advanced")).slice(0, 3), [2, 6, [1, 6]]);
});
