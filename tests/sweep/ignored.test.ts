import assert from "node:assert/strict";
import { pathText } from "../../src/core/errors.ts";
import { RawBody } from "../support/app.ts";
import { joined } from "../support/pictures.ts";
import { fill } from "./place.ts";
import { endpoints, isSuccess, prepare, sent, startApp, sweep, withQuery } from "./sweep.ts";

const title =
  "a misspelt parameter and unknown members anywhere in a body are named, on every endpoint, and nothing else is";

Deno.test(title, async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  await sweep(t, endpoints, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const added: string[] = [];
    const body = withUnknown(call.body, [], added);
    const reply = await sent(app.url, { ...call, path: withQuery(call.path, "serach=x&serach=y"), body });
    assert.ok(isSuccess(reply), `${at}: ${reply.text}`);
    assert.equal(reply.headers.get("ignored-parameters"), "serach", at);
    const hasBody = endpoint.declared.body ?? endpoint.declared.multipart;
    const named = reply.headers.get("ignored-members")?.split(", ") ?? [];
    assert.deepEqual(named.sort(), hasBody ? added.sort() : [], at);
    if (!reply.body?.pagination || endpoint.declared.method !== "get") return;
    const first = await sent(app.url, { ...call, path: withQuery(call.path, "per_page=1") });
    const { next } = first.body.pagination.urls;
    if (next === null) return;
    const second = await sent(app.url, { ...call, path: next.slice(app.url.length) });
    assert.equal(second.headers.get("ignored-parameters"), null, at);
  });
});

/** Returns a body with an unknown member in each of its objects, whose paths are added to `added`. */
function withUnknown(value: unknown, path: readonly PropertyKey[], added: string[]): unknown {
  if (value instanceof RawBody) {
    added.push("nmae");
    const [boundary] = new TextDecoder("latin1").decode(value.bytes).split("\r\n", 1);
    const part = `${boundary}\r\nContent-Disposition: form-data; name="nmae"\r\n\r\nx\r\n`;
    return new RawBody(value.type, joined(part, value.bytes));
  }
  if (Array.isArray(value)) return value.map((item, index) => withUnknown(item, [...path, index], added));
  if (value === null || typeof value !== "object") return value;
  added.push(pathText([...path, "nmae"]));
  return {
    ...Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withUnknown(item, [...path, key], added)]),
    ),
    nmae: "x",
  };
}

Deno.test("names are written for a header, in a bounded list, also on a refused call", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const odd = await admin.call("POST", "/v1/groups", { "a,b%": 1, "größe\n": 2, name: "North" });
  assert.equal(odd.status, 201);
  assert.equal(odd.headers.get("ignored-members"), "a%2Cb%25, gr%C3%B6%C3%9Fe%0A");
  const refused = await admin.call("POST", "/v1/groups?x[]=1", { nmae: "North" });
  assert.equal(refused.status, 422);
  assert.equal(refused.headers.get("ignored-members"), "nmae");
  assert.equal(refused.headers.get("ignored-parameters"), "x");
  const exposed = refused.headers.get("access-control-expose-headers")!.split(", ");
  assert.ok(["Ignored-Members", "Ignored-Parameters"].every((name) => exposed.includes(name)));
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`member${n}`, n]));
  const long = (await admin.call("POST", "/v1/groups", { ...many, name: "South" })).headers.get(
    "ignored-members",
  )!;
  assert.match(long, /^member0, member1, .*member99, \.\.\.$/);
  const deep = JSON.parse(`${'{"and":['.repeat(2_000)}{}${"]}".repeat(2_000)}`);
  const nested = await admin.call("POST", "/v1/contacts/filter", { filter: [deep], x: 1 });
  assert.equal(nested.status, 422);
  assert.equal(nested.headers.get("ignored-members"), "x");
  const fine = await admin.call("GET", "/v1/contacts?search=a&page=1");
  assert.equal(fine.headers.get("ignored-parameters"), null);
});

Deno.test("a public file names parameters too", async () => {
  await using app = await startApp();
  const reply = await app.call(null, "GET", "/v1/files/download/none?inline=1");
  assert.equal(reply.status, 404);
  assert.equal(reply.headers.get("ignored-parameters"), "inline");
});
