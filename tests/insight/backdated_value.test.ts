/**
 * The value of an open case counts from its offer on, even if its status or chance is backdated to before the
 * offer.
 */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { newCase } from "../sales/parts.ts";
import { act, makeScene } from "../sales/tasks_world.ts";

for (const kind of ["reopening", "milestone"]) {
  Deno.test(`a backdated ${kind} does not backdate the value of an offer that came after it`, async () => {
    await using app = await startApp();
    const { company: { admin }, member, path } = await makeScene(app);
    const product = await admin.call("POST", "/v1/products", {
      fixed_fields: [{ name: "name", value: "Car" }, { name: "list_price", value: 100 }],
    });
    const made = await newCase(member, path, { created_at: "2026-01-05 08:00:00" });
    const january = (day: number) => ({ created_at: `2026-01-${day} 00:00:00` });
    await act(member, path, made.id, [kind === "reopening" ? "Offer" : "Call"], {
      product_details: [{ products: [{ id: product.body.id, quantity: 3 }] }],
    });
    app.clock.move(60_000);
    if (kind === "reopening") await act(member, path, made.id, ["Lost"], january(10));
    await act(member, path, made.id, [kind === "reopening" ? "Reopened" : "Contacted"], january(15));
    const query = "indicators=cases.open,cases.open.value&group_by=company";
    const reply = await admin.call("GET", `/v1/reports/metrics?${query}&end_at=2026-02-01 00:00:00`);
    assert.deepEqual(reply.body.data.map(({ value }: { value: number }) => value), [1, 0]);
  });
}
