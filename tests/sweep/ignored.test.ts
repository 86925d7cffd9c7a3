import assert from "node:assert/strict";
import { pathText } from "../../src/core/errors.ts";
import { RawBody, startApp as startSet } from "../support/app.ts";
import { askToken, newClient } from "../support/oauth.ts";
import { joinBytes } from "../support/pictures.ts";
import {
  endpoints,
  isSuccess,
  prepare,
  sendPrepared,
  startApp,
  startFilled,
  sweep,
  withQuery,
} from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

/** Names of members that every object inherits, and a misspelt one. */
const unknown = ["nmae", "__proto__", "constructor", "toString"];
const unknownParameters = ["serach", ...unknown.slice(1), ""];

/** Objects whose names the caller chooses, or whose unknown names are refused, by operation. */
const namedByCaller: Readonly<Record<string, string>> = {
  changePreferences: "columns",
  createView: "query",
  changeView: "query",
};

const title =
  "a misspelt parameter and unknown members anywhere in a body are named, on every endpoint, and nothing else is";
const namedParameters = 'serach, __proto__, constructor, toString, ""';

Deno.test(title, async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  await sweep(t, takeSample(endpoints), app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const odd = unknownParameters.map((name) => `${name}=x&${name}=y`).join("&");
    const added: string[] = [];
    const body = withUnknown(call.body, [], added, namedByCaller[endpoint.declared.operation]);
    const reply = await sendPrepared(app.url, { ...call, path: withQuery(call.path, odd), body });
    assert.ok(isSuccess(reply), `${at}: ${reply.text}`);
    assert.equal(reply.headers.get("ignored-parameters"), namedParameters, at);
    const hasBody = endpoint.declared.body ?? endpoint.declared.multipart;
    const named = reply.headers.get("ignored-members")?.split(", ") ?? [];
    assert.deepEqual(named.sort(), hasBody ? added.sort() : [], at);
    if (!reply.body?.pagination || endpoint.declared.method !== "get") return;
    const first = await sendPrepared(app.url, { ...call, path: withQuery(call.path, "per_page=1") });
    const { next } = first.body.pagination.urls;
    if (next === null) return;
    const second = await sendPrepared(app.url, { ...call, path: next.slice(app.url.length) });
    assert.equal(second.headers.get("ignored-parameters"), null, at);
  });
});

/**
 * Returns a body with an unknown member in each of its objects, whose paths are added to `added`. The member
 * `except` stays as it is.
 */
function withUnknown(
  value: unknown,
  path: readonly PropertyKey[],
  added: string[],
  except?: string,
): unknown {
  if (value instanceof RawBody) {
    added.push(...unknown);
    const [boundary] = new TextDecoder("latin1").decode(value.bytes).split("\r\n", 1);
    const parts = unknown.map((name) =>
      `${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`
    );
    return new RawBody(value.type, joinBytes(parts.join(""), value.bytes));
  }
  if (Array.isArray(value)) return value.map((item, index) => withUnknown(item, [...path, index], added));
  if (value === null || typeof value !== "object") return value;
  added.push(...unknown.map((name) => pathText([...path, name])));
  return Object.fromEntries([
    ...Object.entries(value).map(([key, item]) => [
      key,
      key === except ? item : withUnknown(item, [...path, key], added),
    ]),
    ...unknown.map((name) => [name, "x"]),
  ]);
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

Deno.test("requests of OAuth clients and of mail servers name what nothing reads, also refused ones", async () => {
  const inboundMailSecret = "A_secret_of_at_least_32_characters";
  await using app = await startSet({
    INBOUND_MAIL_DOMAIN: "in.example.com",
    INBOUND_MAIL_SECRET: inboundMailSecret,
  });
  const { admin } = await app.company();
  const client = await newClient(app, false, admin);
  const asked = { ...client, grant_type: "client_credentials", grant_tpye: "x", scope: 7, toString: "x" };
  const sendBody = (path: string, body: BodyInit, type: string, authorization = "") =>
    fetch(app.url + path, { method: "POST", body, headers: { "content-type": type, authorization } });
  const form = "application/x-www-form-urlencoded";
  for (const path of ["/auth/token", "/auth/revoke", "/auth/device_authorization"]) {
    const inJson = await sendBody(`${path}?__proto__=1&=2`, JSON.stringify(asked), "application/json");
    assert.equal(inJson.headers.get("ignored-parameters"), '__proto__, ""', path);
    const others = path === "/auth/token" ? "" : "grant_type, ";
    assert.equal(inJson.headers.get("ignored-members"), `${others}grant_tpye, scope, toString`, path);
    const inForm = await sendBody(path, "tokne=x&tokne=y&constructor=1", form);
    assert.equal(inForm.status, 400, path);
    assert.equal(inForm.headers.get("ignored-members"), "tokne, constructor", path);
    await Promise.all([inJson.body?.cancel(), inForm.body?.cancel()]);
  }
  const fine = await askToken(app, { ...client, grant_type: "client_credentials" });
  assert.equal(fine.status, 200);
  assert.equal(fine.headers.get("ignored-members"), null);
  const bearer = `Bearer ${inboundMailSecret}`;
  const mail = await sendBody(
    "/v1/mail/inbound?tokne=1",
    "To: x@in.example.com\r\n\r\nHi",
    "message/rfc822",
    bearer,
  );
  assert.equal(mail.status, 202);
  assert.equal(mail.headers.get("ignored-parameters"), "tokne");
});
