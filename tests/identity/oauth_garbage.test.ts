import assert from "node:assert/strict";
import fc, { anyText } from "../support/properties.ts";
import { send, startApp } from "../support/app.ts";
import { makeBasicHeader, newClient } from "../support/oauth.ts";

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    "",
    "\0",
    "\ud800",
    "x".repeat(70_000),
    null,
    0,
    1e308,
    [],
    {},
    true,
    "null",
    "%00",
  ),
  anyText,
  fc.jsonValue({ maxDepth: 2 }),
);
const names = [
  "token",
  "token_type_hint",
  "client_id",
  "client_secret",
  "__proto__",
  "grant_type",
  "device_code",
];
const garbage = fc.record({
  fields: fc.dictionary(fc.constantFrom(...names), odd),
  // Replaces the fields.
  raw: fc.option(
    fc.oneof(
      fc.constantFrom("{", "[]", "null", '"x"', "a=%ff", "a=b&a=c", "%", "=", "&&"),
      anyText,
    ),
    { freq: 3 },
  ),
  type: fc.constantFrom(
    "application/json",
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    ";",
    "application/json; charset=x",
  ),
  authorization: fc.option(
    fc.constantFrom(
      "Basic",
      "Basic ?",
      "Basic Og==",
      "Basic //8=",
      "Bearer x",
      "basic AAAA",
      makeBasicHeader("a", "b").Authorization!,
    ),
  ),
  known: fc.boolean(),
});

for (const path of ["/auth/revoke", "/auth/device_authorization"]) {
  Deno.test(`garbage sent to ${path} gets an answer of RFC 6749, and never 500`, async () => {
    await using app = await startApp();
    const client = await newClient(app, true);
    await fc.assert(
      fc.asyncProperty(garbage, async ({ fields, raw, type, authorization, known }) => {
        const all = { ...fields, ...(known ? client : {}) };
        const written = type.startsWith("application/json")
          ? JSON.stringify(all)
          : new URLSearchParams(Object.entries(all).map(([name, value]) => [name, asText(value)])).toString();
        const reply = await send(app.url + path, "POST", null, raw ?? written, {
          "Content-Type": type,
          ...(authorization === null ? {} : { Authorization: authorization }),
        });
        assert.ok([200, 400, 401, 413, 415, 429].includes(reply.status), `${reply.status} ${reply.text}`);
        assert.equal(reply.headers.get("cache-control"), "no-store");
        if (reply.status === 200) return;
        assert.deepEqual(Object.keys(reply.body), ["error", "error_description"]);
        assert.match(reply.body.error, /^[a-z_]+$/);
        // Otherwise the limit would block all later calls.
        await app.deps.db.write([{ sql: "delete from attempts", args: [] }]);
      }),
      { numRuns: 150 },
    );
    assert.deepEqual(app.log.entries.filter((entry) => entry.level === "error"), []);
  });
}

/** Not `String`, which calls an object's own "toString". */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
