import assert from "node:assert/strict";
import { z } from "zod";
import { noContent, ok } from "../../src/core/answer.ts";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";
import { exchange } from "../support/raw.ts";

const common = {
  tag: "Words",
  summary: "Words",
  answers: { 200: { description: "A word.", schema: z.object({ word: z.string() }) } },
};

const words: Endpoint[] = [
  endpoint(
    { ...common, method: "post", path: "/v1/words/filter", operation: "filterWords" },
    () => Promise.resolve(ok({ word: "filtered" })),
  ),
  endpoint(
    {
      ...common,
      method: "get",
      path: "/v1/words/:word_id",
      operation: "getWord",
      params: { word_id: "integer" },
    },
    (_ctx, { params }) => Promise.resolve(ok({ word: `number ${params.word_id}` })),
  ),
  endpoint(
    {
      ...common,
      method: "put",
      path: "/v1/words/:word_id",
      operation: "putWord",
      params: { word_id: "integer" },
    },
    () => Promise.resolve(noContent),
  ),
];

Deno.test("an unknown path of any form is 404, with and without a token", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const paths = [
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/accounts/",
    "//v1/accounts",
    "/V1/accounts",
    "/v1/Accounts",
    "/v1%2faccounts",
    "/v1/accounts/x/y/z",
    "/v1/%c0%ae%c0%ae/accounts",
    "/v1/%",
    "/v1/%00",
    "/auth/nothing",
  ];
  for (const path of paths) {
    for (const token of [null, admin.token]) {
      const { status, body } = await app.call(token, "GET", path);
      assert.equal(status, 404, path);
      assert.equal(body.code, "not_found", path);
    }
  }
});

Deno.test("a path id of the wrong form is 404, also with broken escapes and NUL", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const ids = [
    "x",
    "%",
    "%zz",
    "%ff",
    "%00",
    "12",
    "01939c5e-7d3a-7c3f-8a55-0a4be5a1a00",
    "%F0%9F%98%80",
    "..%2f",
  ];
  for (const id of ids) {
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? {} : undefined;
      const reply = await admin.call(method, `/v1/accounts/${id}`, body);
      assert.equal(reply.status, 404, `${method} ${id}`);
      assert.equal(reply.body.code, "not_found");
    }
  }
  await using probe = startProbe(app, words);
  for (const id of ["0", "-1", "1.5", "01", "1e3", "9007199254740993", "99999999999999999999", "%31%20"]) {
    assert.equal((await probe.call(admin.token, "GET", `/v1/words/${id}`)).status, 404, id);
  }
  assert.deepEqual((await probe.call(admin.token, "GET", "/v1/words/%31")).body, { word: "number 1" });
});

Deno.test("a known path with another method is 405 and names the allowed methods", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await using probe = startProbe(app, words);
  const assertRefused = async (method: string, path: string, allow: string) => {
    for (const token of [null, admin.token]) {
      const reply = await probe.call(token, method, path);
      assert.equal(reply.status, 405, `${method} ${path}`);
      assert.equal(reply.body.code, "method_not_allowed");
      assert.equal(reply.headers.get("allow"), allow);
    }
  };
  await assertRefused("DELETE", "/v1/words/7", "GET, HEAD, PUT");
  await assertRefused("PATCH", "/v1/words/7", "GET, HEAD, PUT");
  await assertRefused("BREW", "/v1/words/7", "GET, HEAD, PUT");
  await assertRefused("DELETE", "/v1/words/filter", "POST");
  // A path with a literal word in the place of an id is 405, not a missing record.
  const get = await probe.call(admin.token, "GET", "/v1/words/filter");
  assert.equal(get.status, 405);
  assert.equal(get.headers.get("allow"), "POST");
  assert.equal(get.body.detail, "Only POST is allowed here.");
  const several = await probe.call(admin.token, "DELETE", "/v1/words/7");
  assert.equal(several.body.detail, "Only GET, HEAD and PUT are allowed here.");
  assert.equal((await probe.call(admin.token, "POST", "/v1/words/filter")).status, 200);
});

Deno.test("HEAD returns the headers of GET without a body", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await using probe = startProbe(app, words);
  const get = await probe.call(admin.token, "GET", "/v1/words/7");
  const head = await probe.call(admin.token, "HEAD", "/v1/words/7");
  assert.equal(head.status, 200);
  assert.equal(head.text, "");
  assert.equal(head.headers.get("etag"), get.headers.get("etag"));
  assert.equal((await probe.call(null, "HEAD", "/v1/words/7")).status, 401);
  assert.equal((await probe.call(admin.token, "HEAD", "/v1/words/x")).status, 404);
  assert.equal((await probe.call(admin.token, "HEAD", "/v1/words/filter")).status, 405);
  const unchanged = await probe.call(admin.token, "HEAD", "/v1/words/7", undefined, {
    "If-None-Match": get.headers.get("etag")!,
  });
  assert.equal(unchanged.status, 304);
});

Deno.test("CORS allows /v1 from any origin and not the pages of /auth", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const asked = { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "PUT" };
  for (const path of ["/v1/accounts", "/v1/nothing"]) {
    const preflight = await app.call(null, "OPTIONS", path, undefined, asked);
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-methods")!, /\bPUT\b.*\bDELETE\b/);
    const headers = preflight.headers.get("access-control-allow-headers")!;
    for (const name of ["Authorization", "Content-Type", "Idempotency-Key", "If-Match"]) {
      assert.ok(headers.includes(name), name);
    }
    assert.ok(preflight.headers.get("x-request-id"));
    assert.equal(app.log.entries.at(-1)!.method, "OPTIONS");
  }
  assert.equal((await app.call(null, "OPTIONS", "/v1/accounts")).headers.get("allow"), "GET, HEAD, POST");
  for (const token of [admin.token, null]) {
    const reply = await app.call(token, "GET", "/v1/accounts");
    assert.equal(reply.headers.get("access-control-allow-origin"), "*");
    assert.match(reply.headers.get("access-control-expose-headers")!, /ETag.*X-Request-Id/);
  }
  for (
    const [method, path] of [["POST", "/auth/token"], ["GET", "/auth/token"], ["GET", "/auth/nothing"], [
      "OPTIONS",
      "/auth/token",
    ]]
  ) {
    const reply = await app.call(null, method!, path!, undefined, asked);
    assert.equal(reply.headers.get("access-control-allow-origin"), null, `${method} ${path}`);
  }
});

Deno.test("requests with an invalid host or an absolute URL get normal responses", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const auth = `Authorization: Bearer ${admin.token}\r\nConnection: close\r\n\r\n`;
  for (const host of ['a b"<>', "[", "h:x", "%", ""]) {
    const list = await exchange(app.url, `GET /v1/accounts?page=2 HTTP/1.1\r\nHost: ${host}\r\n${auth}`);
    assert.equal(list.status, 200, host);
    const token = await exchange(
      app.url,
      `POST /auth/token?grant_type=x HTTP/1.1\r\nHost: ${host}\r\n${auth}`,
    );
    assert.equal(token.status, 401, host);
    const docs = await exchange(app.url, `GET /docs/reference/leads HTTP/1.1\r\nHost: ${host}\r\n${auth}`);
    assert.equal(docs.status, 200, host);
    assert.doesNotMatch(docs.headers.get("content-security-policy")!, /[<"%[]/, host);
  }
  for (const target of ["*", "/v1\\accounts", "http://[/v1/accounts"]) {
    const lost = await exchange(app.url, `GET ${target} HTTP/1.1\r\nHost: h\r\n${auth}`);
    assert.equal(lost.status, 404, target);
    assert.equal(JSON.parse(lost.body).code, "not_found", target);
  }
  const full = await exchange(
    app.url,
    `GET http://elsewhere.example/v1/accounts HTTP/1.1\r\nHost: h\r\n${auth}`,
  );
  assert.equal(full.status, 200);
});
