import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { nameValues } from "../customers/fields_world.ts";
import { newCase, readEvents } from "./parts.ts";
import { act, makeScene } from "./tasks_world.ts";

async function newProduct(admin: Actor, fields: Record<string, unknown>): Promise<Body> {
  const reply = await admin.call("POST", "/v1/products", { fixed_fields: nameValues(fields) });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

Deno.test("an activity stores products as offered, by default one at the list price; later changes do not apply", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const van = await newProduct(admin, { name: "Van", list_price: 29_900.5, type: "product" });
  const wash = await newProduct(admin, { name: "Wash" });
  const made = await newCase(member, path);
  const known = (await readEvents(app)).length;
  const activity = await act(member, path, made.id, ["Offer"], {
    product_details: [
      { products: [{ id: van.id }, { id: wash.id, quantity: 0, price: 0 }] },
      { products: [{ id: van.id, quantity: 2.5, price: 25_000, discount: 5, comment: "In RED" }] },
    ],
  });
  const [first, second] = activity.product_details;
  const stamps = { created_at: "2026-03-02 09:00:00", updated_at: "2026-03-02 09:00:00" };
  const bare = { quantity: 1, discount: null, comment: null };
  assert.deepEqual(first, {
    id: first.id,
    products: [
      { ...bare, id: van.id, name: "Van", type: "product", price: 29_900.5 },
      { ...bare, id: wash.id, name: "Wash", type: null, quantity: 0, price: 0 },
    ],
    ...stamps,
  });
  const line = { name: "Van", quantity: 2.5, type: "product", price: 25_000, discount: 5, comment: "In RED" };
  assert.deepEqual(second, { id: second.id, products: [{ id: van.id, ...line }], ...stamps });
  assert.deepEqual(activity.product_detail, first);

  const changed = { fixed_fields: nameValues({ name: "Lorry", list_price: 1 }) };
  assert.equal((await admin.call("PUT", `/v1/products/${van.id}`, changed)).status, 200);
  assert.equal((await admin.call("DELETE", `/v1/products/${wash.id}`)).status, 204);
  const got = await member.call("GET", `/v1/cases/${made.id}/activities/${activity.id}`);
  assert.deepEqual(got.body, activity);
  const { body: now } = await member.call("GET", `/v1/cases/${made.id}`);
  assert.deepEqual(now.product_details, [first, second]);
  const { body: list } = await member.call("GET", "/v1/cases");
  assert.deepEqual(list.data[0].product_details, [first, second]);
  const events = (await readEvents(app)).slice(known);
  assert.deepEqual(events.slice(0, 2), [
    { name: "activity_created", body: activity },
    { name: "case_updated", body: now },
  ]);
});

Deno.test("a case shows the product details of all its activities by time, also backdated ones", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { id } = await newProduct(admin, { name: "Van", list_price: 1 });
  const made = await newCase(member, path, { created_at: "2026-01-01 08:00:00" });
  const detail = async (price: number, more: object = {}) => {
    await act(member, path, made.id, ["Call"], { product_details: [{ products: [{ id, price }] }], ...more });
    const { body } = await member.call("GET", `/v1/cases/${made.id}`);
    const event = (await readEvents(app)).findLast(({ name }) => name === "case_updated");
    assert.deepEqual(event!.body, body);
    return body.product_details.map(({ products }: Body) => products[0].price);
  };
  assert.deepEqual(await detail(1), [1]);
  app.clock.move(60_000);
  assert.deepEqual(await detail(2), [1, 2]);
  assert.deepEqual(await detail(3, { created_at: "2026-01-05 08:00:00" }), [3, 1, 2]);
  await act(member, path, made.id, ["Call"]);
  assert.deepEqual(await detail(4), [3, 1, 2, 4]);
});

Deno.test("filters find customers by offered products, in any case and script", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const oil = await newProduct(admin, { name: "ÖL für Motoren" });
  const [offered] = [await newCase(member, path), await newCase(member, path)];
  await act(member, path, offered.id, ["Offer"], {
    product_details: [{ products: [{ id: oil.id, quantity: 4, comment: "GRÜN, bitte" }] }],
  });
  const listFound = async (field: string, operator: string, value: unknown) => {
    const filter = [{ field: `product_detail.product.${field}`, operator, value }];
    const { body, text } = await member.call("POST", "/v1/contacts/filter", { filter });
    return body.data?.map(({ id }: Body) => id) ?? text;
  };
  const one = [offered.contact.id];
  assert.deepEqual(await listFound("name", "eq", "öl FÜR motoren"), one);
  assert.deepEqual(await listFound("comment", "ct", "grün"), one);
  assert.deepEqual(await listFound("quantity", "gte", 4), one);
  assert.deepEqual(await listFound("quantity", "gt", 4), []);
});

Deno.test("an unknown product or one of another company is reported, and nothing changes", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const van = await newProduct(admin, { name: "Van" });
  const foreign = await newProduct((await app.company()).admin, { name: "Theirs" });
  const made = await newCase(member, path);
  const faults: [unknown, string, string][] = [
    [[{ products: [{ id: van.id }, { id: foreign.id }] }], "product_details[0].products[1].id", "exists"],
    [
      [{ products: [{ id: van.id }] }, { products: [{ id: made.id }] }],
      "product_details[1].products[0].id",
      "exists",
    ],
    [[{ products: [] }], "product_details[0].products", "min"],
    [[{}], "product_details[0].products", "required"],
    [[{ products: [{ id: van.id, quantity: -1 }] }], "product_details[0].products[0].quantity", "min"],
    [[{ products: [{ id: van.id, price: "1" }] }], "product_details[0].products[0].price", "type"],
  ];
  for (const [product_details, where, code] of faults) {
    const refused = await member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      product_details,
    });
    assert.equal(refused.status, 422, where);
    assert.deepEqual(refused.body.errors.map((error: Body) => [error.path, error.code]), [[where, code]]);
  }
  assert.equal((await member.call("GET", `/v1/cases/${made.id}`)).body.activity_count, 0);
});

Deno.test("a product that changes meanwhile is offered as it is then; a deleted one is not offered", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const van = await newProduct(admin, { name: "Van", list_price: 1 });
  const made = await newCase(member, path);
  const offer = (overtake: () => Promise<unknown>) =>
    callMeanwhile(app, member, "POST", `/v1/cases/${made.id}/activities`, overtake, {
      activity_type_ids: [path.types["Call"]],
      product_details: [{ products: [{ id: van.id }] }],
    });
  const url = `/v1/products/${van.id}`;
  const dearer = await offer(() => admin.call("PUT", url, { fixed_fields: nameValues({ list_price: 2 }) }));
  assert.equal((await dearer.json()).product_details[0].products[0].price, 2);
  const gone = await offer(() => admin.call("DELETE", url));
  assert.equal(gone.status, 422);
  await gone.body?.cancel();
});

/** Offers one line of the product on a case; returns the status, and path and code of each error. */
function offering(member: Actor, caseId: string, type: string, id: string) {
  return async (line: object) => {
    const reply = await member.call("POST", `/v1/cases/${caseId}/activities`, {
      activity_type_ids: [type],
      product_details: [{ products: [{ id, ...line }] }],
    });
    return [reply.status, reply.body.errors?.map(({ path, code }: Body) => [path, code])];
  };
}

Deno.test("a discount is an amount for the line, from 0 to quantity times price", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { id } = await newProduct(admin, { name: "Van", list_price: 100 });
  const made = await newCase(member, path);
  const offered = offering(member, made.id, path.types["Call"]!, id);
  const at = "product_details[0].products[0].discount";
  assert.deepEqual(await offered({ quantity: 2, discount: 200.01 }), [422, [[at, "max"]]]);
  assert.deepEqual(await offered({ quantity: 2, price: 50, discount: 100.01 }), [422, [[at, "max"]]]);
  assert.deepEqual(await offered({ discount: -1 }), [422, [[at, "min"]]]);
  assert.deepEqual((await offered({ quantity: 2, discount: 200 }))[0], 201);
  assert.deepEqual((await offered({ discount: 0 }))[0], 201);
});

Deno.test("a line costs a limited amount, so that figures stay numbers", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { id } = await newProduct(admin, { name: "Van", list_price: 1e308 });
  const made = await newCase(member, path);
  const offered = offering(member, made.id, path.types["Offer"]!, id);
  const at = "product_details[0].products[0]";
  assert.deepEqual(await offered({}), [422, [[`${at}.price`, "max"]]]);
  assert.deepEqual(await offered({ quantity: 1e9, price: 1e5 }), [422, [[`${at}.price`, "max"]]]);
  assert.deepEqual(await offered({ quantity: 1, price: -1e14 }), [422, [[`${at}.price`, "max"]]]);
  assert.deepEqual(await offered({ quantity: 1e308, price: 1e308 }), [422, [[`${at}.quantity`, "max"]]]);
  assert.deepEqual((await offered({ quantity: 1e9, price: 1e4, discount: 1 }))[0], 201);
  await act(member, path, made.id, ["Sold"]);
  const figures = await admin.call(
    "GET",
    "/v1/reports/metrics?group_by=company&indicators=products.revenue,cases.closed.value,products.sold",
  );
  assert.deepEqual(figures.body.data.map(({ value }: Body) => value), [1e13 - 1, 1e13 - 1, 1e9]);
});

Deno.test("a discount may be all of quantity times price, as decimals of the currency", async () => {
  await using app = await startApp();
  const { company: { admin }, member, path } = await makeScene(app);
  const { id } = await newProduct(admin, { name: "Screw" });
  const made = await newCase(member, path);
  const offer = async (line: object) => {
    const { status, body } = await member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: [path.types["Offer"]],
      product_details: [{ products: [{ id, ...line }] }],
    });
    return status === 201 ? 201 : body.errors[0].message;
  };
  const wrong = [];
  for (let cents = 10; cents < 100; cents += 20) {
    for (let quantity = 3; quantity < 12; quantity += 4) {
      const line = { quantity, price: cents / 100, discount: quantity * cents / 100 };
      if (await offer(line) !== 201) wrong.push(line);
    }
  }
  assert.deepEqual(wrong, []);
  assert.equal(await offer({ quantity: 3, price: 0.335, discount: 1.01 }), 201);
  assert.equal(
    await offer({ quantity: 7, price: 0.7, discount: 4.91 }),
    "At most 4.90: quantity times price.",
  );
  assert.equal(await offer({ quantity: 1, price: -1, discount: 0 }), 201);
});
