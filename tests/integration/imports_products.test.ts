/** Imports of products: with their categories, and back again. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { importFile, listFaults, moveImport, send } from "./imports_world.ts";

const text = "name,list_price,type,tax,category\n" +
  "Estate,25000.5,product,19,cars|New\n" +
  "Service,99,service,,New|Work\\|shop\n" +
  ",1,,,Orphan\n" +
  "Bad,dear,,,Orphan\n";

const products = async (actor: Actor): Promise<Body[]> =>
  (await actor.call("GET", "/v1/products?sort=created_at")).body.data;
const categories = async (actor: Actor): Promise<string[]> =>
  (await actor.call("GET", "/v1/products/categories")).body.data.map((each: Body) => each.name).sort();

Deno.test("products come in with categories that are made once, and go again", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const cars = await admin.call("POST", "/v1/products/categories", { name: "Cars" });
  assert.equal(cars.status, 201, cars.text);
  const form = { entity: "products", dry_run: "true" };
  const dry = await importFile(app, admin, text, form);
  assert.equal(dry.status, "checked", JSON.stringify(dry));
  assert.deepEqual(dry.counts, { rows: 4, created: 2, updated: 0, skipped: 0, failed: 2 });
  assert.deepEqual(
    dry.preview[0].record.categories.map((each: Body) => each.name),
    ["Cars", "New"],
  );
  assert.deepEqual([await products(admin), await categories(admin)], [[], ["Cars"]]);
  const done = await moveImport(app, admin, dry.id, "start");
  assert.deepEqual([done.status, done.counts], ["done", dry.counts]);
  assert.deepEqual(await listFaults(admin, done.id), [
    "3 name name required",
    "4 list_price list_price type",
  ]);
  const [estate, service] = await products(admin);
  const listNames = (product: Body | undefined) => product!.categories.map((each: Body) => each.name);
  assert.deepEqual([listNames(estate), listNames(service)], [["Cars", "New"], ["New", "Work|shop"]]);
  assert.equal(estate!.categories[0].id, cars.body.id);
  assert.deepEqual(await categories(admin), ["Cars", "New", "Work|shop"], "a row that fails makes nothing");
  const events = await app.sql("select event_name as event from outbox where event_name like 'product%'");
  assert.deepEqual(events.map(({ event }) => event), ["product_created", "product_created"]);

  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.equal(reverted.status, "reverted", JSON.stringify(reverted));
  assert.deepEqual(reverted.reverted, { deleted: 4, restored: 0, kept: 0 });
  assert.deepEqual([await products(admin), await categories(admin)], [[], ["Cars"]]);
});

Deno.test("a revert removes the categories of an early step, too", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  // The first step makes a category and few products; a later one makes another category.
  const faulty = Array.from({ length: 60 }, () => ",x,Early");
  const rows = ["name,list_price,category", "One,1,Early", "Two,2,Early", ...faulty, "Three,3,Late"];
  const done = await importFile(app, admin, rows.join("\n"), { entity: "products" });
  assert.deepEqual(done.counts, { rows: 63, created: 3, updated: 0, skipped: 0, failed: 60 });
  const { reverted } = await moveImport(app, admin, done.id, "revert");
  assert.deepEqual(reverted, { deleted: 5, restored: 0, kept: 0 });
  assert.equal((await admin.call("GET", "/v1/products/categories")).body.pagination.total, 0);
});

Deno.test("a revert leaves products that somebody changed or related, and their categories", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = "name,category\nChanged,A\nRelated,B\nGone,C\nPlain,D\n";
  const done = await importFile(app, admin, rows, { entity: "products" });
  assert.equal(done.counts.created, 4, JSON.stringify(done));
  const id = Object.fromEntries(
    (await products(admin)).map((each) => [
      each.fixed_fields.find((field: Body) => field.name === "name").value,
      each.id,
    ]),
  );
  const change = { fixed_fields: [{ name: "list_price", value: 5 }] };
  assert.equal((await admin.call("PUT", `/v1/products/${id.Changed}`, change)).status, 200);
  const naming = { fixed_fields: [{ name: "name", value: "Own" }], related_product_ids: [id.Related] };
  assert.equal((await admin.call("POST", "/v1/products", naming)).status, 201);
  assert.equal((await admin.call("DELETE", `/v1/products/${id.Gone}`)).status, 204);
  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.deepEqual(reverted.reverted, { deleted: 3, restored: 0, kept: 5 });
  const kept = await admin.call("GET", `/v1/imports/${done.id}/kept?per_page=100`);
  assert.deepEqual(
    kept.body.data.map((each: Body) => `${each.row} ${each.entity} ${each.reason}`).sort(),
    [
      "1 categories in_use",
      "1 products changed",
      "2 categories in_use",
      "2 products in_use",
      "3 products deleted",
    ],
  );
  assert.deepEqual(await categories(admin), ["A", "B"]);
});

Deno.test("imports of products need their right, and have no team, user or match", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user({ rights: ["imports.manage"] });
  assert.equal((await send(user, text, { entity: "products" })).status, 403);
  const cases: [Record<string, string>, string][] = [
    [{ match: "external_id" }, "match excluded"],
    [{ match: "email" }, "match excluded"],
    [{ team_id: String(company.admin.id) }, "team_id excluded"],
    [{ user_id: String(company.admin.id) }, "user_id excluded"],
    [{ agency_team_id: "1" }, "agency_team_id excluded"],
  ];
  for (const [more, fault] of cases) {
    const refused = await send(company.admin, text, { entity: "products", ...more });
    assert.equal(refused.status, 422, refused.text);
    const [{ path, code }] = refused.body.errors;
    assert.equal(`${path} ${code}`, fault);
  }
});
