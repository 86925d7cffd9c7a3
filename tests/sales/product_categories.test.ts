import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { newField, readCustom } from "../customers/fields_world.ts";
import { nameFields } from "./leads_world.ts";

const path = "/v1/products/categories";

async function create(actor: Actor, path: string, body: object): Promise<Body> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

Deno.test("a category has an integer id that is never reused, and a name of 1 to 255 characters", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const category = await create(admin, path, { name: "Vans" });
  assert.deepEqual(category, {
    id: category.id,
    name: "Vans",
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  assert.deepEqual((await admin.call("GET", `${path}/${category.id}`)).body, category);
  app.clock.move(60_000);
  const renamed = await admin.call("PUT", `${path}/${category.id}`, { name: "n".repeat(255) });
  assert.deepEqual([renamed.status, renamed.body], [200, {
    ...category,
    name: "n".repeat(255),
    updated_at: "2026-03-02 09:01:00",
  }]);
  assert.deepEqual((await admin.call("PUT", `${path}/${category.id}`, {})).body.name, "n".repeat(255));
  const faults: [object, string][] = [
    [{}, "required"],
    [{ name: null }, "required"],
    [{ name: "" }, "min"],
    [{ name: "n".repeat(256) }, "max"],
    [{ name: 7 }, "type"],
  ];
  for (const [body, code] of faults) {
    const refused = await admin.call("POST", path, body);
    assert.deepEqual([refused.status, refused.body.errors[0]], [422, {
      ...refused.body.errors[0],
      path: "name",
      code,
    }]);
    if (Object.keys(body).length === 0) continue;
    assert.equal((await admin.call("PUT", `${path}/${category.id}`, body)).body.errors[0].code, code);
  }
  assert.equal((await admin.call("DELETE", `${path}/${category.id}`)).status, 204);
  assert.equal((await admin.call("GET", `${path}/${category.id}`)).status, 404);
  assert.ok((await create(admin, path, { name: "Cars" })).id > category.id);
});

Deno.test("the products of a deleted category stay, even many, each with an event", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [old, other] = [
    await create(admin, path, { name: "Old" }),
    await create(admin, path, { name: "Other" }),
  ];
  const first = await create(admin, "/v1/products", {
    category: { id: [old.id, other.id] },
    fixed_fields: nameFields({ name: "Van" }),
  });
  for (let n = 0; n < 102; n++) {
    await create(admin, "/v1/products", {
      category: { id: [old.id] },
      fixed_fields: nameFields({ name: `N${n}` }),
    });
  }
  const key = { "Idempotency-Key": "once" };
  assert.equal((await admin.call("DELETE", `${path}/${old.id}`, undefined, key)).status, 204);
  const again = await admin.call("DELETE", `${path}/${old.id}`, undefined, key);
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [204, "true"]);
  const { body } = await admin.call("GET", `/v1/products/${first.id}`);
  assert.deepEqual([body.category, body.categories], [other, [other]]);
  const { data, pagination } = (await admin.call("GET", "/v1/products?per_page=1")).body;
  assert.deepEqual([pagination.total, data[0].category], [103, null]);
  const [event] = await app.sql(
    "select body from outbox where event_name = 'product_updated' and entity_id = ?",
    first.id,
  );
  assert.equal(event!.body, JSON.stringify(body));
  assert.deepEqual(
    await app.sql("select count(*) as n from outbox where event_name = 'product_updated'"),
    [{ n: 103 }],
  );
});

Deno.test("products and categories are listed newest first or by created_at, by page, with a total, for the company only", async () => {
  await using app = await startApp();
  const [one, two] = [await app.company(), await app.company()];
  const reader = await one.user();
  const bodies: [string, (n: number) => object][] = [
    [path, (n) => ({ name: `C${n}` })],
    ["/v1/products", (n) => ({ fixed_fields: nameFields({ name: `P${n}` }) })],
  ];
  for (const [list, body] of bodies) {
    await create(two.admin, list, body(0));
    const ids = [];
    for (let n = 0; n < 7; n++) {
      if (n % 3 === 0) app.clock.move(1_000);
      ids.push((await create(one.admin, list, body(n))).id);
    }
    for (
      const [sort, expected] of [["", ids.toReversed()], ["&sort=-created_at", ids.toReversed()], [
        "&sort=created_at",
        ids,
      ]] as const
    ) {
      const shown = [];
      let next: string | null = `${list}?per_page=3${sort}`;
      while (next !== null) {
        const { body: { data, pagination } }: Body = await reader.call("GET", next);
        assert.equal(pagination.total, 7);
        shown.push(...data.map(({ id }: Body) => id));
        next = pagination.urls.next?.slice(app.url.length) ?? null;
      }
      assert.deepEqual(shown, expected, sort);
    }
    const { body: { errors } } = await reader.call("GET", `${list}?sort=name`);
    assert.deepEqual([errors[0].path, errors[0].code], ["query.sort", "enum"]);
  }
});

Deno.test("custom values of products are stored for filters, visible to their team only, and deleted with field and product", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const member = await company.user({ teams: [team], rights: ["products.manage"] });
  const stranger = await company.user({ rights: ["products.manage"] });
  await newField(admin, { label: "Weight", type: "numeric" }, [], "product");
  const margin = await newField(admin, { label: "Margin", type: "numeric", team_id: team }, [], "product");
  const product = await create(member, "/v1/products", {
    fixed_fields: nameFields({ name: "Van" }),
    custom_fields: nameFields({ weight: 1_900, margin: 7 }),
  });
  assert.deepEqual(readCustom(product), { weight: 1_900, margin: 7 });
  assert.deepEqual(readCustom((await stranger.call("GET", `/v1/products/${product.id}`)).body), {
    weight: 1_900,
  });
  const hidden = await stranger.call("PUT", `/v1/products/${product.id}`, {
    custom_fields: nameFields({ margin: 1 }),
  });
  assert.equal(hidden.body.errors[0].code, "unknown_field");
  const changed = await stranger.call("PUT", `/v1/products/${product.id}`, {
    custom_fields: nameFields({ weight: 2_000 }),
  });
  assert.deepEqual(readCustom(changed.body), { weight: 2_000 });
  const [event] = await app.sql("select body from outbox where event_name = 'product_updated'");
  assert.deepEqual(readCustom(JSON.parse(String(event!.body))), { weight: 2_000, margin: 7 });
  const numbers = async () =>
    (await app.sql("select number from custom_values order by number")).map((row) => row.number);
  assert.deepEqual(await numbers(), [7, 2_000]);
  assert.equal((await admin.call("DELETE", `/v1/fields/product/${margin.id}`)).status, 204);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(await numbers(), [2_000]);
  assert.equal((await admin.call("DELETE", `/v1/products/${product.id}`)).status, 204);
  assert.deepEqual(await numbers(), []);
});
