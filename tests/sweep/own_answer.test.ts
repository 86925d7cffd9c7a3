import assert from "node:assert/strict";
import type { Body } from "../support/app.ts";
import { isWhole, takeSample } from "../support/sample.ts";
import { endpoints, keptText, prepare, prepareSample, sendPrepared, startFilled, sweep } from "./sweep.ts";

/** Operations, beside that of managed files (whose GET leads to the bytes), that change a record which GET shows at the same path. */
const updates = endpoints.filter(({ declared }) =>
  declared.method === "put" && declared.operation !== "updateManagedFile" &&
  endpoints.some((other) => other.declared.method === "get" && other.declared.path === declared.path)
);

Deno.test("every record takes its own answer whole, and nothing changes", async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  await sweep(t, takeSample(updates), app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    // The change fills members that the record lacks.
    assert.ok((await sendPrepared(app.url, call)).status < 300, at);
    const read = () => sendPrepared(app.url, { ...call, method: "GET", body: undefined });
    const before = await read();
    if (before.status === 404) return;
    assert.equal(before.status, 200, `${at}: ${before.text}`);
    app.clock.move(60_000);
    const reply = await sendPrepared(app.url, { ...call, body: before.body });
    assert.ok(reply.status < 300, `${at}: ${reply.text} for ${before.text}`);
    const after = await read();
    assert.equal(keptText(after.text), keptText(before.text), at);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"), at);
  });
});

Deno.test("records whose user, group, template and the like are gone still take their own answers", async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const { ids, world: { admin } } = place;
  for (
    const path of [
      `/v1/companies/${ids.company_id}/users/${ids.user_id}`,
      `/v1/groups/${ids.group_id}`,
      `/v1/products/categories/${ids.category_id}`,
      `/v1/fields/account/${ids.field_id}`,
      `/v1/templates/${ids.template_id}?force=true`,
    ]
  ) {
    const reply = await admin.call("DELETE", path);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  }
  await sweep(t, takeSample(updates), app, async (endpoint, at) => {
    const call = prepareSample(place, endpoint, {});
    const read = () => sendPrepared(app.url, { ...call, method: "GET", body: undefined });
    const before = await read();
    if (before.status === 404) return;
    app.clock.move(60_000);
    const reply = await sendPrepared(app.url, { ...call, body: before.body });
    assert.ok(reply.status < 300, `${at}: ${reply.text} for ${before.text}`);
    assert.equal(keptText((await read()).text), keptText(before.text), at);
  });
});

Deno.test("a change without a known member changes nothing and sends no event", async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const events = async () => (await app.sql("select count(*) as n from outbox"))[0]!.n;
  const open = updates.filter(({ declared }) => declared.body!.safeParse({}).success);
  assert.ok(open.length > 25);
  await sweep(t, takeSample(open), app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const read = () => sendPrepared(app.url, { ...call, method: "GET", body: undefined });
    const [before, sentBefore] = [await read(), await events()];
    app.clock.move(60_000);
    for (const body of [{}, { unknown_member: "Ada" }]) {
      const reply = await sendPrepared(app.url, { ...call, body });
      assert.ok(reply.status < 300, `${at}: ${reply.text}`);
      assert.ok(before.headers.get("etag")!.startsWith(reply.headers.get("etag")!.slice(0, -1)), at);
    }
    const after = await read();
    assert.equal(keptText(after.text), keptText(before.text), at);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"), at);
    assert.equal(await events(), sentBefore, at);
  });
});

/** Members that the answer shows under another name than without `_id`. */
const otherNames: Readonly<Record<string, string>> = { recipient_user_ids: "recipients" };

/** Objects that are values of the body themselves: a lead's own data of its customer, beside the ids of records. */
const ownValues = ["updateLead account_id", "updateLead contact_id"];

/** The members `x_id` and `x_ids` of the body whose records the answer shows as objects, `x` and `xs`. */
function listPairs(document: Body, { declared }: typeof updates[number]): [member: string, shown: string][] {
  const path = document.paths[declared.path.replaceAll(/:(\w+)/g, "{$1}")];
  const listMembers = ({ content }: Body) => listProperties(document, content?.["application/json"]?.schema);
  const [body, answer] = [listMembers(path.put.requestBody), listMembers(path.get.responses["200"])];
  return Object.keys(body).flatMap((member): [string, string][] => {
    const shown = otherNames[member] ?? member.replace(/_id(s?)$/, "$1");
    return shown !== member && listProperties(document, answer[shown]).id ? [[member, shown]] : [];
  });
}

/** The properties of a schema, or of the items of a list. */
function listProperties(document: Body, schema: Body = {}): Body {
  if (schema.$ref) {
    const keys: string[] = schema.$ref.split("/").slice(1);
    return listProperties(document, keys.reduce((node, key) => node[key], document));
  }
  const parts: Body[] = [...schema.allOf ?? [], ...schema.anyOf ?? [], ...schema.items ? [schema.items] : []];
  return Object.assign({}, schema.properties, ...parts.map((part) => listProperties(document, part)));
}

Deno.test("an object of the answer stands for the member that names it, whose own name wins", async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const found: string[] = [];
  await sweep(t, takeSample(updates), app, async (endpoint, at) => {
    for (const [member, shown] of listPairs(document, endpoint)) {
      const name = `${endpoint.declared.operation} ${member}`;
      if (ownValues.includes(name)) continue;
      found.push(name);
      const call = await prepare(place, endpoint);
      assert.ok((await sendPrepared(app.url, call)).status < 300, at);
      const read = () => sendPrepared(app.url, { ...call, method: "GET", body: undefined });
      const { body } = await read();
      const one = [body[shown]].flat()[0];
      assert.ok(one, `${at}: the place has nothing as ${shown}`);
      const none = typeof one.id === "number" ? 999_999 : "01939c5e-7d3a-7c3f-8a55-0a4be5a1affe";
      const changed = Array.isArray(body[shown]) ? [{ id: none }] : { ...one, id: none };
      const refused = await sendPrepared(app.url, { ...call, body: { [shown]: changed } });
      assert.equal(refused.status, 422, `${at} ${shown}: ${refused.text}`);
      const ids = Array.isArray(body[shown]) ? body[shown].map(({ id }: Body) => id) : one.id;
      const both = await sendPrepared(app.url, { ...call, body: { [member]: ids, [shown]: changed } });
      assert.ok(both.status < 300, `${at} ${shown}: ${both.text}`);
      for (const nothing of [null, ...(Array.isArray(body[shown]) ? [] : [{}, { name: "Ada" }])]) {
        const same = await sendPrepared(app.url, { ...call, body: { [shown]: nothing } });
        assert.ok(same.status < 300, `${at} ${shown}: ${same.text}`);
      }
      assert.deepEqual((await read()).body, body, `${at} ${shown}`);
    }
  });
  if (isWhole) assert.ok(found.length >= 15, found.join(", "));
});

Deno.test("a product takes the categories of its answer, as the first or as all", async () => {
  await using filled = await startFilled();
  const { make, world: { admin } } = filled.made;
  const ids: number[] = [];
  for (const name of ["Vans", "Cars", "Vans and cars"]) {
    ids.push((await make("/v1/products/categories", { name: `${name} 2` })).id);
  }
  const [one, other, third] = ids;
  const body = { category: { id: [one, other] }, fixed_fields: [{ name: "name", value: "Van" }] };
  const { id } = await make("/v1/products", body);
  const path = `/v1/products/${id}`;
  const chosen = async (change: Body) => {
    const reply = await admin.call("PUT", path, change);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.categories.map((category: Body) => category.id);
  };
  const own = (await admin.call("GET", path)).body;
  assert.deepEqual(await chosen(own), [one, other]);
  assert.deepEqual(await chosen({ ...own, categories: [{ id: other }, { id: one }] }), [other, one]);
  assert.deepEqual(await chosen({ category: { id: third } }), [third]);
  assert.deepEqual(await chosen({ ...own, category: { id: [other] } }), [other]);
  assert.deepEqual(await chosen({ category: {} }), [other]);
  assert.deepEqual(await chosen({ ...own, category: null }), []);
  const unknown = await admin.call("PUT", path, { category: { id: 999_999 } });
  assert.equal(unknown.body.errors[0].code, "exists", unknown.text);
});
