/** Amounts are added as decimals: what triggers keep is exact, without what binary fractions add. */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { newCase, newContact } from "../sales/parts.ts";
import { act, makeScene } from "../sales/tasks_world.ts";
import { type Body, startApp } from "../support/app.ts";

Deno.test("many lines of small amounts have exact values in the case, its facts and every report", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { body: product } = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Screw" }],
  });
  const offer = (...lines: Body[]) => ({
    product_details: [{ products: lines.map((line) => ({ id: product.id, ...line })) }],
  });
  const many = (price: number, length: number) => Array.from({ length }, () => ({ quantity: 1, price }));
  const offers: [lines: Body[], value: number][] = [
    [many(0.1, 3), 0.3],
    [many(0.7, 10), 7],
    [[{ quantity: 7, price: 0.7 }], 4.9],
    [[{ quantity: 7, price: 0.7, discount: 4.9 }], 0],
    [[{ quantity: 1, price: 1000.1, discount: 1000 }], 0.1],
    [[...many(0.1, 30), ...many(0.7, 30)], 24],
    // More decimals than the currency has: sums are rounded once, at the end.
    [[{ quantity: 3, price: 0.335 }], 1.005],
  ];
  const { contact } = await newContact(member);
  for (const [lines] of offers) {
    const made = await newCase(member, path, { contact_id: contact.id });
    await act(member, path, made.id, ["Contacted"], offer(...lines));
    app.clock.move(60_000);
    // Again, later: the facts of before are taken back.
    await act(member, path, made.id, ["Call"], offer(...lines));
    await act(member, path, made.id, ["Offer"]);
  }
  const values = offers.map(([, value]) => value);
  const kept = await app.sql("select offer_value from cases order by id");
  assert.deepEqual(kept.map(({ offer_value }) => offer_value), values);
  const facts = await app.sql(
    "select f.value from facts f join cases c on c.id = f.subject where f.kind = ? and f.value <> 0 and f.weight > 0",
    factKinds.case_open,
  );
  assert.deepEqual(
    sortNumbers(new Set(facts.map(({ value }) => value))),
    sortNumbers(new Set(values.filter(Boolean))),
  );

  app.clock.move(60_000);
  const total = 37.31;
  const read = async (query: string) => (await admin.call("GET", `/v1/reports/${query}`)).body.data;
  const metrics = async (names: string) =>
    (await read(`metrics?group_by=company&indicators=${names}`)).map(({ value }: Body) => value);
  assert.deepEqual(await metrics("cases.open.value,cases.open.weighted_value"), [total, 22.38]);
  assert.equal((await read("pipeline"))[0].sum, total);
  for (const { id } of await app.sql("select id from cases order by id")) {
    await act(member, path, id as string, ["Sold"]);
  }
  const sold = "cases.open.value,cases.closed.value,products.revenue,products.sold";
  assert.deepEqual(await metrics(sold), [0, total, total, 91]);
  const amounts = await app.sql("select distinct value2 from facts where kind = ?", factKinds.product_line);
  assert.deepEqual(sortNumbers(amounts.map(({ value2 }) => value2)), [0, 0.1, 0.7, 1.005, 4.9]);
});

function sortNumbers(values: Iterable<unknown>): number[] {
  return [...values].map(Number).sort((a, b) => a - b);
}
