import { DatabaseSync } from "node:sqlite";
import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";

Deno.test("health does not use the database; while it does not answer, readiness and calls are 503 with Retry-After", async () => {
  await using app = await startApp({
    DATABASE_URL: "http://127.0.0.1:9",
    SECRETS_KEY: btoa("k".repeat(32)),
  });
  const health = await app.call(null, "GET", "/health");
  assert.equal(health.status, 200);
  assert.deepEqual(health.body, { status: "ok" });
  const client = { grant_type: "client_credentials", client_id: "x", client_secret: "y" };
  // At once, because each waits two seconds for the database.
  const [ready, get, post, token] = await Promise.all([
    app.call(null, "GET", "/ready"),
    app.call("x", "GET", "/v1/accounts"),
    app.call("x", "POST", "/v1/accounts", {}, { "Idempotency-Key": "k" }),
    app.call(null, "POST", "/auth/token", client),
  ]);
  for (const reply of [ready, get, post, token]) {
    assert.equal(reply.status, 503);
    assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
    assert.ok(!reply.text.includes("127.0.0.1:9"));
  }
  assert.equal(ready.body.code, "unavailable");
  assert.equal(ready.headers.get("content-type"), "application/problem+json; charset=utf-8");
  assert.equal(get.body.code, "unavailable");
  assert.equal(token.body.error, "temporarily_unavailable");
});

Deno.test("readiness is 200 with all migrations, else 503 and names the missing one", async () => {
  await using app = await startApp();
  const ready = await app.call(null, "GET", "/ready");
  assert.equal(ready.status, 200);
  assert.deepEqual(ready.body, { status: "ready" });
  const [last] = await app.sql("select tag from migrations order by tag desc limit 1");
  await app.deps.db.write([{ sql: "delete from migrations where tag = ?", args: [last!.tag!] }]);
  const behind = await app.call(null, "GET", "/ready");
  assert.equal(behind.status, 503);
  assert.ok(behind.body.detail.includes(last!.tag));
});

Deno.test("every discovery page needs no token, has the usual headers and is logged; HEAD and 405 work", async () => {
  await using app = await startApp();
  for (
    const path of ["/health", "/ready", "/openapi.json", "/docs", "/docs/leads", "/problems/not_found"]
  ) {
    const got = await app.call(null, "GET", path, undefined, { "X-Request-Id": "here" });
    assert.equal(got.status, 200, path);
    assert.equal(got.headers.get("x-request-id"), "here", path);
    assert.equal(got.headers.get("x-content-type-options"), "nosniff", path);
    assert.match(got.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
    const line = app.log.entries.at(-1)!;
    assert.equal(line.request_id, "here", path);
    assert.equal(line.status, 200, path);

    const head = await app.call(null, "HEAD", path);
    assert.equal(head.status, 200, path);
    assert.equal(head.text, "", path);
    assert.equal(head.headers.get("content-type"), got.headers.get("content-type"), path);

    const other = await app.call(null, "POST", path, {});
    assert.equal(other.status, 405, path);
    assert.equal(other.headers.get("allow"), "GET, HEAD", path);
    assert.equal(other.body.code, "method_not_allowed", path);
  }
  assert.equal((await app.call(null, "GET", "/health/")).status, 404);
  assert.equal((await app.call(null, "GET", "/docs/assets/other.js")).status, 404);
  assert.equal((await app.call(null, "GET", "/problems/other")).status, 404);
});

Deno.test("the reference loads from this origin only and runs no inline script", async () => {
  await using app = await startApp();
  const page = await app.call(null, "GET", "/docs/reference/leads");
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("content-security-policy")!, /script-src 'self'(?:;|$)/);
  assert.doesNotMatch(page.text, /https?:|<script(?! src)/);
  const named = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
  assert.ok(named.length >= 4);
  for (const path of named) {
    const asset = await app.call(null, "GET", path);
    assert.equal(asset.status, 200, path);
    if (path === "/openapi.json") continue;
    const again = await app.call(null, "GET", path, undefined, {
      "If-None-Match": asset.headers.get("etag")!,
    });
    assert.equal(again.status, 304, path);
    assert.equal(again.text, "", path);
  }
});

Deno.test("links have the configured origin, else that of the request", async () => {
  await using open = await startApp();
  await using named = await startApp({ PUBLIC_URL: "https://crm.example.com" });
  const origins = async (url: string) => {
    const document = await send(`${url}/openapi.json`, "GET", null);
    const problem = await send(`${url}/nothing`, "GET", null);
    return [document.body.servers[0].url, problem.body.type];
  };
  assert.deepEqual(await origins(open.url), [open.url, `${open.url}/problems/not_found`]);
  const other = open.url.replace("127.0.0.1", "localhost");
  assert.deepEqual(await origins(other), [other, `${other}/problems/not_found`]);
  assert.deepEqual(await origins(named.url), [
    "https://crm.example.com",
    "https://crm.example.com/problems/not_found",
  ]);
});

Deno.test("the service is not ready while every write is refused, and ready again afterwards", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const create = () =>
    admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Acme" }] });
  const ready = () => app.call(null, "GET", "/ready");
  const holder = new DatabaseSync(app.file);
  holder.exec("begin immediate");
  // Nothing was written yet, so nothing says that a write would be refused.
  assert.equal((await ready()).status, 200);
  assert.equal((await create()).status, 503);
  const started = performance.now();
  const refused = await Promise.all(Array.from({ length: 5 }, ready));
  assert.deepEqual(refused.map(({ status }) => status), [503, 503, 503, 503, 503]);
  assert.equal(refused[0]!.body.detail, "The database takes no changes.");
  assert.ok(performance.now() - started < 5_000, "a probe is answered in seconds");
  holder.exec("rollback");
  holder.close();
  assert.equal((await ready()).status, 200);
  const [before] = await app.sql("select n from caller_changes");
  assert.equal((await ready()).status, 200);
  assert.deepEqual(
    await app.sql("select n from caller_changes"),
    [before],
    "a ready service is not written to",
  );
});

Deno.test("the service is not ready when its disk is nearly full", async () => {
  await using app = await startApp();
  const { db } = app.deps;
  const free = db.freeBytes;
  db.freeBytes = () => 100_000;
  const { status, body } = await app.call(null, "GET", "/ready");
  assert.deepEqual([status, body.detail], [
    503,
    "The disk of the database is full; nothing was changed. Try again later.",
  ]);
  db.freeBytes = free;
  assert.equal((await app.call(null, "GET", "/ready")).status, 200);
  assert.ok(free()! > 1_000_000);
});
