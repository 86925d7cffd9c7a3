import assert from "node:assert/strict";
import { endpoints } from "../../src/app.ts";
import { findNearCalls } from "../../src/http/near_calls.ts";
import { startApp } from "../support/app.ts";

const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002";

const offered = endpoints.map(({ declared: { method, path } }) => ({
  method: method.toUpperCase(),
  path,
  parts: path.split("/"),
}));

Deno.test("a call in a wrong place says where it is, with the status as before", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const cases = [
    ["POST", "/v1/contacts", 405, "POST /v1/accounts/:account_id/contacts"],
    ["POST", "/v1/cases/filter", 405, "GET /v1/cases"],
    ["POST", "/v1/cases/filter", 405, "POST /v1/contacts/filter"],
    ["POST", "/v1/users", 404, "POST /v1/companies/:company_id/users"],
    ["POST", "/v1/activities", 404, "POST /v1/cases/:case_id/activities"],
    ["DELETE", "/v1/accounts", 405, "DELETE /v1/accounts/:account_id"],
    ["GET", "/v1/lead_types", 404, "GET /v1/lead-types"],
    ["GET", `/v1/account/${id}`, 404, "GET /v1/accounts/:account_id"],
    ["GET", "/contacts", 404, "GET /v1/contacts"],
  ] as const;
  for (const [method, path, status, call] of cases) {
    const refused = await admin.call(method, path, method === "GET" ? undefined : {});
    assert.equal(refused.status, status, path);
    assert.match(refused.body.detail, /^(Only .* allowed here|There is no such path)\. Near it: /, path);
    assert.ok(refused.body.detail.includes(call), `${method} ${path}: ${refused.body.detail}`);
  }
  for (const path of ["/v1/xyzzy", "/v1", "/nothing", `/v1/${"x".repeat(4000)}`, "/v1//"]) {
    assert.equal((await admin.call("GET", path)).body.detail, "There is no such path.", path);
  }
});

Deno.test("each call is found when one of its names is misspelt", () => {
  for (const { method, path, parts } of offered) {
    for (const [at, part] of parts.entries()) {
      // Names of two letters have too many neighbours.
      if (at < 2 || part.startsWith(":") || part.length < 4) continue;
      const given = parts.map((each, index) => {
        if (each.startsWith(":")) return id;
        return index === at ? `${each.slice(0, 2)}${each.slice(3)}` : each;
      });
      const near = findNearCalls(offered, method, given.join("/"));
      if (offered.some((one) => one.path === given.join("/"))) continue;
      assert.ok(near.includes(`${method} ${path}`), `${method} ${given.join("/")}: ${near.join(", ")}`);
    }
  }
});

Deno.test("each call below a record is found where only its last name is given", () => {
  for (const { method, path, parts } of offered) {
    const names = parts.filter((part) => part !== "" && !part.startsWith(":"));
    const top = `/v1/${names.at(-1)}`;
    if (names[0] !== "v1" || names.length < 3 || parts.at(-1)!.startsWith(":")) continue;
    if (offered.some((one) => one.path === top && one.method === method)) continue;
    const near = findNearCalls(offered, method, top);
    assert.ok(near.length > 0, `${method} ${top} of ${path}`);
    // A path of as many parts is one that the asked path may misspell, such as /v1/merges for /v1/merge.
    const mayBeMeant = (call: string) => call.split("/").length === top.split("/").length;
    const others = near.filter((call) => !call.startsWith(`${method} `) && !mayBeMeant(call));
    assert.deepEqual(others, [], `${top} of ${path}`);
  }
});
