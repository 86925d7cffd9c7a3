import assert from "node:assert/strict";
import { z } from "zod";
import { noContent, ok } from "../../src/core/answer.ts";
import { endpoint } from "../../src/http/endpoint.ts";
import { type Reply, startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const answers = { 200: { description: "Done.", schema: z.object({ done: z.boolean() }) } };
const common = { tag: "Test", summary: "Test", answers };
const done = () => Promise.resolve(ok({ done: true }));

const assertSecured = (reply: Reply, what: string) => {
  assert.equal(reply.headers.get("x-content-type-options"), "nosniff", what);
  assert.equal(reply.headers.get("x-frame-options"), "DENY", what);
  assert.equal(reply.headers.get("referrer-policy"), "no-referrer", what);
  assert.match(reply.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, what);
  assert.match(reply.headers.get("strict-transport-security") ?? "", /^max-age=\d+/, what);
  assert.match(reply.headers.get("x-request-id") ?? "", /^[\w.:-]{1,128}$/, what);
};

Deno.test("every response has a request id, security headers and a log line", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await using probe = startProbe(app, [
    endpoint({ ...common, method: "get", path: "/v1/broken", operation: "broken" }, () => {
      throw new Error("the inside is out");
    }),
    endpoint(
      { ...common, method: "delete", path: "/v1/gone", operation: "gone" },
      () => Promise.resolve(noContent),
    ),
  ]);
  const made = await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "x" }] });
  const calls: [string, () => Promise<Reply>, number, string][] = [
    ["200", () => admin.call("GET", "/v1/accounts"), 200, "/v1/accounts"],
    ["201", () => Promise.resolve(made), 201, "/v1/accounts"],
    ["204", () => probe.call(admin.token, "DELETE", "/v1/gone"), 204, "/v1/gone"],
    [
      "304",
      () => admin.call("GET", `/v1/accounts/${made.body.id}`, undefined, { "If-None-Match": "*" }),
      304,
      "/v1/accounts/:account_id",
    ],
    ["400", () => admin.call("POST", "/v1/accounts", "{"), 400, "/v1/accounts"],
    ["401", () => app.call(null, "GET", "/v1/accounts"), 401, "/v1/accounts"],
    ["404", () => admin.call("GET", "/v1/accounts/x"), 404, "/v1/accounts/:account_id"],
    ["404 path", () => admin.call("GET", "/v1/x"), 404, "none"],
    ["405", () => admin.call("PATCH", "/v1/accounts"), 405, "none"],
    ["415", () => admin.call("POST", "/v1/accounts", "x", { "Content-Type": "x" }), 415, "/v1/accounts"],
    ["422", () => admin.call("GET", "/v1/accounts?per_page=0"), 422, "/v1/accounts"],
    ["500", () => probe.call(admin.token, "GET", "/v1/broken"), 500, "/v1/broken"],
    ["token", () => app.call(null, "POST", "/auth/token", {}), 400, "/auth/token"],
  ];
  const ids = new Set<string>();
  for (const [what, call, status, route] of calls) {
    const reply = await call();
    assert.equal(reply.status, status, what);
    assertSecured(reply, what);
    const id = reply.headers.get("x-request-id")!;
    ids.add(id);
    const lines = app.log.entries.filter((entry) => entry.event === "request" && entry.request_id === id);
    assert.deepEqual(lines.map((line) => [line.status, line.route]), [[status, route]], what);
    if (status >= 400 && what !== "token") {
      assert.equal(reply.headers.get("content-type"), "application/problem+json; charset=utf-8", what);
      assert.equal(reply.headers.get("cache-control"), "no-store", what);
      assert.equal(reply.body.request_id, id, what);
      assert.equal(reply.body.status, status, what);
      assert.ok(reply.body.title && reply.body.detail, what);
      assert.match(reply.body.type, new RegExp(`/problems/${reply.body.code}$`), what);
    }
  }
  assert.equal(ids.size, calls.length);
});

Deno.test("an internal error shows no details; the log has them under the request id", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await using probe = startProbe(app, [
    endpoint({ ...common, method: "get", path: "/v1/broken", operation: "broken" }, () => {
      throw new Error("the inside is out");
    }),
  ]);
  const reply = await probe.call(admin.token, "GET", "/v1/broken");
  assert.equal(reply.body.code, "internal");
  assert.doesNotMatch(reply.text, /inside is out|Error:|\.ts/);
  const logged = app.log.entries.find((entry) => entry.event === "internal_error")!;
  assert.equal(logged.request_id, reply.body.request_id);
  assert.equal(logged.error, "the inside is out");
});

Deno.test("a valid request id of the caller is kept, another is replaced", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const readRequestId = async (id: string) => {
    const reply = await admin.call("GET", "/v1/accounts", undefined, { "X-Request-Id": id });
    return reply.headers.get("x-request-id")!;
  };
  for (const id of ["a", "7f3c:1.2_x-9", "r".repeat(128)]) assert.equal(await readRequestId(id), id);
  for (const id of ["", "r".repeat(129), "a b", "<script>", 'a"b', "a,b", "\u00e9", "a;b", "../x"]) {
    const given = await readRequestId(id);
    assert.match(given, /^[0-9a-f-]{36}$/, id);
  }
});

Deno.test("the log names the caller, and never a token, query or body", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  await admin.call("GET", "/v1/accounts?search=whisper");
  await admin.call("POST", "/v1/accounts", { external_id: "whisper", fixed_fields: [] });
  const lines = app.log.entries.filter((entry) => entry.event === "request");
  assert.deepEqual(lines.map((line) => [line.company_id, line.user_id]), [[id, admin.id], [id, admin.id]]);
  for (const line of lines) assert.equal(typeof line.duration_ms, "number");
  const text = JSON.stringify(app.log.entries);
  assert.ok(!text.includes("whisper"));
  assert.ok(!text.includes(admin.token));
});

Deno.test("401 says how to authenticate, and reports an invalid token only if one was sent", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const challenge = async (header: string | null) => {
    const headers: Record<string, string> = header === null ? {} : { Authorization: header };
    const reply = await app.call(null, "GET", "/v1/accounts", undefined, headers);
    assert.equal(reply.status, 401, String(header));
    assert.equal(reply.body.code, "unauthenticated");
    return reply.headers.get("www-authenticate");
  };
  for (const none of [null, "", "Bearer", "Bearer  ", "Basic YTpi", admin.token, `Token ${admin.token}`]) {
    assert.equal(await challenge(none), "Bearer", String(none));
  }
  const other = admin.token.slice(0, -1) + (admin.token.endsWith("A") ? "B" : "A");
  for (
    const bad of [
      "Bearer x",
      `Bearer ${other}`,
      `Bearer ${admin.token} x`,
      `Bearer ${admin.token.toLowerCase()}`,
    ]
  ) {
    assert.equal(await challenge(bad), 'Bearer error="invalid_token"', bad);
  }
  for (const good of [`Bearer ${admin.token}`, `bearer ${admin.token}`, `BEARER  ${admin.token}`]) {
    const reply = await app.call(null, "GET", "/v1/accounts", undefined, { Authorization: good });
    assert.equal(reply.status, 200, good);
  }
});

Deno.test("a token ends at its expiry, at its revocation, and with its user or its client's company", async () => {
  await using app = await startApp();
  const company = await app.company();
  const status = async (token: string) => (await app.call(token, "GET", "/v1/accounts")).status;
  const change = async (sql: string, ...args: (string | number)[]) => {
    const statement = { sql, args };
    await app.deps.db.write([statement]);
    app.deps.callerCache.noteCommit([statement]);
  };
  const one = await company.user();
  assert.equal(await status(one.token), 200);
  await change("update users set deleted_at = '2026-03-02 09:00:00' where id = ?", one.id);
  assert.equal(await status(one.token), 401);

  const two = await company.user();
  assert.equal(await status(two.token), 200);
  await change("update access_tokens set expires_at = ? where user_id = ?", app.clock.now() + 1_000, two.id);
  assert.equal(await status(two.token), 200);
  app.clock.move(1_000);
  assert.equal(await status(two.token), 401);

  assert.equal(await status(company.admin.token), 200);
  await change("delete from access_tokens where user_id = ?", company.admin.id);
  assert.equal(await status(company.admin.token), 401);

  const other = await app.company();
  assert.equal(await status(other.admin.token), 200);
  await change("update companies set deleted_at = '2026-03-02 09:00:00' where id = ?", other.id);
  assert.equal(await status(other.admin.token), 401);
});

Deno.test("deprecated endpoints report since when, until when and the successor", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const since = Date.UTC(2020, 0, 1) / 1000;
  const sunset = "Wed, 01 Jul 2020 00:00:00 GMT";
  await using probe = startProbe(app, [
    endpoint({
      ...common,
      method: "put",
      path: "/v1/leads/:lead_id/assign/:team_id",
      operation: "old",
      params: { lead_id: "integer", team_id: "integer" },
      deprecated: { since, sunset, successor: "/v1/leads/:lead_id/assign" },
    }, done),
    endpoint({
      ...common,
      method: "get",
      path: "/v1/campaigns",
      operation: "list",
      query: z.object({ type: z.string().optional(), types: z.string().optional() }),
      deprecatedParameters: { type: { since, sunset } },
    }, done),
  ]);
  const old = await probe.call(admin.token, "PUT", "/v1/leads/7/assign/8");
  assert.equal(old.status, 200);
  assert.equal(old.headers.get("deprecation"), `@${since}`);
  assert.equal(old.headers.get("sunset"), sunset);
  assert.equal(old.headers.get("link"), '</v1/leads/7/assign>; rel="successor-version"');
  const refused = await probe.call(admin.token, "PUT", "/v1/leads/7/assign/x");
  assert.equal(refused.status, 404);
  assert.equal(refused.headers.get("deprecation"), `@${since}`);

  for (
    const [query, says] of [["?type=a", true], ["?type[]=a", true], ["?types=a", false], ["?x=type", false], [
      "",
      false,
    ]]
  ) {
    const reply = await probe.call(admin.token, "GET", `/v1/campaigns${query}`);
    assert.equal(reply.headers.get("deprecation"), says ? `@${since}` : null, String(query));
    assert.equal(reply.headers.get("sunset"), says ? sunset : null);
    assert.equal(reply.headers.get("link"), null);
  }
});
