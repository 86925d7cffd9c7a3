import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales, nameFields, readField } from "./leads_world.ts";

const codes = (reply: { body: Body }) => reply.body.errors.map(({ path, code }: Body) => `${path} ${code}`);

/** Creates a product with the name and returns it. */
async function newProduct(actor: Actor, name = "Van", more: object = {}): Promise<Body> {
  const made = await actor.call("POST", "/v1/products", { fixed_fields: nameFields({ name }), ...more });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function newCategory(actor: Actor, name = "Vans"): Promise<Body> {
  const made = await actor.call("POST", "/v1/products/categories", { name });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const get = async (actor: Actor, { id }: Body) => (await actor.call("GET", `/v1/products/${id}`)).body;

Deno.test("POST returns the product: fixed fields by name or id, `vat` as `tax`, and the first category", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [vans, electric] = [await newCategory(admin), await newCategory(admin, "Electric")];
  const related = await newProduct(admin, "Tyres");
  const made = await admin.call("POST", "/v1/products", {
    category: { id: [electric.id, vans.id, electric.id] },
    fixed_fields: [
      ...nameFields({ name: "Van", list_price: 29_900.5, purchase_price: 0, type: "service", vat: 19 }),
    ],
    related_product_ids: [related.id, related.id],
  });
  assert.equal(made.status, 201, made.text);
  const getValue = (field: string) => readField(made.body, field);
  assert.deepEqual([getValue("name"), getValue("list_price"), getValue("purchase_price"), getValue("tax")], [
    "Van",
    29_900.5,
    0,
    19,
  ]);
  assert.deepEqual(getValue("type"), { id: "service", value: "Service" });
  assert.deepEqual(made.body.category, electric);
  assert.deepEqual(made.body.categories, [electric, vans]);
  assert.deepEqual(made.body.related_product_ids, [related.id]);
  const got = await admin.call("GET", `/v1/products/${made.body.id}`);
  assert.equal(got.text, made.text);
  assert.equal(got.headers.get("etag"), made.headers.get("etag"));
  const byId = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ id: 21, value: "Car" }, { id: 24, value: { id: "product" } }, { name: "tax", value: 7 }],
  });
  assert.deepEqual([readField(byId.body, "tax"), byId.body.category, byId.body.categories], [7, null, []]);
});

Deno.test("options of a product's choices have `checked`; those of other records do not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const colour =
    (await admin.call("POST", "/v1/fields/product", { label: "Colour", type: "multiple_choice" })).body;
  const ids: string[] = [];
  for (const value of ["Red", "Green", "Blue"]) {
    ids.push((await admin.call("POST", `/v1/fields/product/${colour.id}/options`, { value })).body.id);
  }
  const product = await newProduct(admin, "Van", {
    fixed_fields: nameFields({ name: "Van", type: "product" }),
    custom_fields: nameFields({ colour: [ids[2], ids[0]] }),
  });
  const listOptions = (list: Body[], name: string) =>
    list.find((field) => field.name === name).options.map(({ value, checked }: Body) => [value, checked]);
  assert.deepEqual(listOptions(product.fixed_fields, "type"), [["Product", true], ["Service", false]]);
  assert.deepEqual(listOptions(product.custom_fields, "colour"), [["Red", true], ["Green", false], [
    "Blue",
    true,
  ]]);
  assert.deepEqual(listOptions((await newProduct(admin)).fixed_fields, "type"), [
    ["Product", false],
    ["Service", false],
  ]);
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: nameFields({ name: "A", country: "DE" }),
  });
  const country = account.body.fixed_fields.find(({ name }: Body) => name === "country");
  assert.deepEqual(Object.keys(country.options[0]), ["id", "value"]);
});

Deno.test("an invalid product is rejected with field and rule, and changes nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = (await app.company()).admin;
  const theirs = { category: (await newCategory(other)).id, product: (await newProduct(other)).id };
  const before = await app.sql("select count(*) as n from outbox");
  const makeFixed = (values: object) => ({ fixed_fields: nameFields({ name: "Van", ...values }) });
  const many = <T>(value: T) => Array<T>(101).fill(value);
  const faults: [object, string][] = [
    [{}, "fixed_fields required"],
    [{ fixed_fields: nameFields({ name: null }) }, "fixed_fields required"],
    [{ fixed_fields: nameFields({ name: "" }) }, "fixed_fields required"],
    [makeFixed({ name: "n".repeat(256) }), "fixed_fields[0].value max"],
    [makeFixed({ list_price: "12" }), "fixed_fields[1].value type"],
    [makeFixed({ vat: "19" }), "fixed_fields[1].value type"],
    [makeFixed({ type: "goods" }), "fixed_fields[1].value enum"],
    [makeFixed({ colour: "red" }), "fixed_fields[1].name unknown_field"],
    [
      { ...makeFixed({}), custom_fields: nameFields({ colour: "red" }) },
      "custom_fields[0].name unknown_field",
    ],
    [{ ...makeFixed({}), category: { id: [theirs.category] } }, "category.id[0] exists"],
    [{ ...makeFixed({}), category: { id: ["4"] } }, "category.id[0] type"],
    [{ ...makeFixed({}), category: { id: 4 } }, "category.id type"],
    [{ ...makeFixed({}), category: { id: many(1) } }, "category.id max"],
    [{ ...makeFixed({}), related_product_ids: [theirs.product] }, "related_product_ids[0] exists"],
    [{ ...makeFixed({}), related_product_ids: ["van"] }, "related_product_ids[0] type"],
    [{ ...makeFixed({}), related_product_ids: many(theirs.product) }, "related_product_ids max"],
  ];
  for (const [body, fault] of faults) {
    const refused = await admin.call("POST", "/v1/products", body);
    assert.equal(refused.status, 422, JSON.stringify(body));
    assert.ok(codes(refused).includes(fault), `${fault}: ${refused.text}`);
  }
  assert.equal((await admin.call("GET", "/v1/products")).body.pagination.total, 0);
  assert.deepEqual(await app.sql("select count(*) as n from outbox"), before);
});

Deno.test("PUT keeps absent members, clears null ones, and replaces given lists", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [vans, cars] = [await newCategory(admin), await newCategory(admin, "Cars")];
  const [one, two] = [await newProduct(admin, "One"), await newProduct(admin, "Two")];
  const made = await newProduct(admin, "Van", {
    category: { id: [vans.id] },
    fixed_fields: nameFields({ name: "Van", list_price: 10, tax: 19 }),
    related_product_ids: [one.id],
  });
  const put = async (body: object) => {
    app.clock.move(1_000);
    const changed = await admin.call("PUT", `/v1/products/${made.id}`, body);
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await admin.call("GET", `/v1/products/${made.id}`)).text, changed.text);
    const { category, related_product_ids, updated_at } = changed.body;
    const values = ["name", "list_price", "tax"].map((name) => readField(changed.body, name));
    return [...values, category?.name ?? null, related_product_ids, updated_at.slice(-2)];
  };
  assert.deepEqual(await put({ fixed_fields: nameFields({ list_price: 12 }) }), [
    "Van",
    12,
    19,
    "Vans",
    [one.id],
    "01",
  ]);
  assert.deepEqual(await put({ fixed_fields: nameFields({ vat: null }) }), [
    "Van",
    12,
    null,
    "Vans",
    [one.id],
    "02",
  ]);
  assert.deepEqual(await put({ category: {} }), ["Van", 12, null, "Vans", [one.id], "02"]);
  assert.deepEqual(await put({ category: { id: [cars.id, vans.id] } }), [
    "Van",
    12,
    null,
    "Cars",
    [one.id],
    "04",
  ]);
  assert.deepEqual(await put({ category: null }), ["Van", 12, null, null, [one.id], "05"]);
  assert.deepEqual(await put({ related_product_ids: [two.id, one.id] }), ["Van", 12, null, null, [
    two.id,
    one.id,
  ], "06"]);
  assert.deepEqual(await put({ related_product_ids: null }), ["Van", 12, null, null, [], "07"]);
  for (
    const [body, fault] of [
      [{ fixed_fields: nameFields({ name: null }) }, "fixed_fields required"],
      [{ related_product_ids: [made.id] }, "related_product_ids[0] exists"],
    ] as const
  ) {
    assert.deepEqual(codes(await admin.call("PUT", `/v1/products/${made.id}`, body)), [fault]);
  }
});

Deno.test("a product is deleted with its related products, but not theirs; with_related_products=false deletes it alone", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (
    const [query, gone] of [["", true], ["?with_related_products=true", true], [
      "?with_related_products=false",
      false,
    ]]
  ) {
    const far = await newProduct(admin, "Far");
    const near = await newProduct(admin, "Near", { related_product_ids: [far.id] });
    const made = await newProduct(admin, "Van", { related_product_ids: [near.id] });
    assert.equal((await admin.call("DELETE", `/v1/products/${made.id}${query}`)).status, 204);
    const there = [];
    for (const { id } of [made, near, far]) {
      there.push((await admin.call("GET", `/v1/products/${id}`)).status);
    }
    assert.deepEqual(there, [404, gone ? 404 : 200, 200]);
    assert.equal((await admin.call("DELETE", `/v1/products/${made.id}`)).status, 404);
  }
  const refused = await admin.call(
    "DELETE",
    "/v1/products/01939c5e-7d3a-7c3f-8a55-0a4be5a1a003?with_related_products=maybe",
  );
  assert.deepEqual(codes(refused), ["query.with_related_products type"]);
});

Deno.test("products lose the reference to a deleted one, even many, each with an event", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await newProduct(admin);
  const kept = await newProduct(admin, "Kept");
  const naming = [];
  for (let n = 0; n < 103; n++) {
    naming.push(await newProduct(admin, `N${n}`, { related_product_ids: [kept.id, made.id] }));
  }
  const before = (await app.sql("select max(rowid) as last from outbox"))[0]!.last!;
  // The last step stores the answer under the key, not the first.
  const key = { "Idempotency-Key": "once" };
  assert.equal((await admin.call("DELETE", `/v1/products/${made.id}`, undefined, key)).status, 204);
  assert.equal((await admin.call("GET", `/v1/products/${made.id}`)).status, 404);
  assert.deepEqual((await get(admin, naming[0])).related_product_ids, [kept.id]);
  assert.deepEqual((await get(admin, naming[102])).related_product_ids, [kept.id]);
  const events = await app.sql(
    "select event_name, count(distinct entity_id) as n from outbox where rowid > ? group by event_name order by event_name",
    before,
  );
  assert.deepEqual(events, [{ event_name: "product_deleted", n: 1 }, {
    event_name: "product_updated",
    n: 103,
  }]);
});

Deno.test("create, update and delete of products each send one event that equals GET", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const related = await newProduct(admin, "Tyres");
  const made = await newProduct(admin, "Van", { related_product_ids: [related.id] });
  const changed = await admin.call("PUT", `/v1/products/${made.id}`, {
    fixed_fields: nameFields({ list_price: 5 }),
  });
  await admin.call("DELETE", `/v1/products/${made.id}`);
  const events = await app.sql(
    "select event_name, entity_id, team_id, created_by, body from outbox order by rowid",
  );
  assert.deepEqual(
    events.map((
      { event_name, entity_id, team_id, created_by },
    ) => [event_name, entity_id, team_id, created_by]),
    [
      ["product_created", related.id, null, admin.id],
      ["product_created", made.id, null, admin.id],
      ["product_updated", made.id, null, admin.id],
      ["product_deleted", made.id, null, admin.id],
      ["product_deleted", related.id, null, admin.id],
    ],
  );
  assert.equal(events[1]!.body, JSON.stringify(made));
  assert.equal(events[2]!.body, changed.text);
  assert.equal(events[3]!.body, changed.text);
  assert.equal(events[4]!.body, JSON.stringify(related));
});

Deno.test("a lead names products of the company, and keeps deleted ones, also on update", async () => {
  await using app = await startApp();
  const { admin, body, lead } = await makeSales(app);
  const product = await newProduct(admin);
  const foreign = await newProduct((await app.company()).admin);
  const refused = await admin.call("POST", "/v1/leads", body({ product_ids: [product.id, foreign.id] }));
  assert.deepEqual([refused.status, ...codes(refused)], [422, "product_ids[1] exists"]);
  const made = await lead({ product_ids: [product.id] });
  assert.deepEqual(made.product_ids, [product.id]);
  assert.equal((await admin.call("DELETE", `/v1/products/${product.id}`)).status, 204);
  assert.deepEqual((await admin.call("GET", `/v1/leads/${made.id}`)).body.product_ids, [product.id]);
  const [next, path] = [await newProduct(admin, "Car"), `/v1/leads/${made.id}`];
  const both = await admin.call("PUT", path, { product_ids: [product.id, next.id] });
  assert.deepEqual(both.body.product_ids, [product.id, next.id], both.text);
  assert.deepEqual((await admin.call("PUT", path, { product_ids: [next.id] })).body.product_ids, [next.id]);
  assert.deepEqual(codes(await admin.call("PUT", path, { product_ids: [product.id] })), [
    "product_ids[0] exists",
  ]);
});

Deno.test("If-Match rejects a change or deletion of a changed product or category, also by a new name of the category", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const category = await newCategory(admin);
  const product = await newProduct(admin, "Van", { category: { id: [category.id] } });
  const [path, categoryPath] = [`/v1/products/${product.id}`, `/v1/products/categories/${category.id}`];
  const tags = [await admin.call("GET", path), await admin.call("GET", categoryPath)]
    .map(({ headers }) => ({ "If-Match": headers.get("etag")! }));
  await admin.call("PUT", categoryPath, { name: "Lorries" });
  for (const [at, tag] of [[path, tags[0]], [categoryPath, tags[1]]] as const) {
    assert.equal((await admin.call("PUT", at, {}, tag)).status, 412);
    assert.equal((await admin.call("DELETE", at, undefined, tag)).status, 412);
  }
  assert.equal((await get(admin, product)).category.name, "Lorries");
});

Deno.test("the list finds products by words of their names and by categories", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company();
  const [vans, electric] = [await newCategory(admin), await newCategory(admin, "Electric")];
  const inside = (...categories: Body[]) => ({ category: { id: categories.map(({ id }) => id) } });
  const estate = await newProduct(admin, "Großer Kombi");
  app.clock.move(1000);
  const van = await newProduct(admin, "Kombi Élan 4x4", inside(vans, electric));
  app.clock.move(1000);
  const small = await newProduct(admin, "E-Mobil", inside(electric));
  await newProduct(other.admin, "Kombi");
  const listFound = async (query: string) => {
    const { status, text, body } = await admin.call("GET", `/v1/products?${query}`);
    assert.equal(status, 200, text);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }: Body) => id);
  };
  assert.deepEqual(await listFound("search=kom"), [van.id, estate.id]);
  assert.deepEqual(await listFound("search=gross"), [estate.id]);
  assert.deepEqual(await listFound("search=elan%20kombi"), [van.id]);
  assert.deepEqual(await listFound("search=ombi"), []);
  assert.deepEqual(await listFound(`categories=${electric.id}`), [small.id, van.id]);
  assert.deepEqual(await listFound(`categories=${vans.id},${electric.id}&sort=created_at`), [
    van.id,
    small.id,
  ]);
  assert.deepEqual(await listFound(`categories=${electric.id}&search=kombi`), [van.id]);
  assert.deepEqual(await listFound("categories=999999"), []);
  assert.deepEqual(codes(await admin.call("GET", "/v1/products?categories=x")), ["query.categories[0] type"]);

  await admin.call("PUT", `/v1/products/${estate.id}`, { fixed_fields: nameFields({ name: "Limousine" }) });
  assert.deepEqual(await listFound("search=limo"), [estate.id]);
  assert.deepEqual(await listFound("search=kombi"), [van.id]);
  await admin.call("DELETE", `/v1/products/${van.id}`);
  assert.deepEqual(await listFound("search=kombi"), []);
});
