import assert from "node:assert/strict";
import { z } from "zod";
import { ok } from "../../src/core/answer.ts";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { type Actor, type Reply, startApp, type TestApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";
import { exchange } from "../support/raw.ts";

const mebibyte = 1024 * 1024;
const makeNamed = (name: string, more: object = {}) => ({
  fixed_fields: [{ name: "name", value: name }],
  ...more,
});

/** Returns the numbers of accounts, events and idempotency keys. */
async function traces(app: TestApp): Promise<unknown> {
  return await app.sql(
    "select (select count(*) from accounts) as accounts, (select count(*) from outbox) as events, " +
      "(select count(*) from idempotency_keys) as kept",
  );
}

Deno.test("a body that is not JSON is 415; parameters of the media type are ignored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = await traces(app);
  const text = JSON.stringify(makeNamed("x"));
  const types = [
    "text/plain",
    "application/xml",
    "application/json5",
    "application/x-www-form-urlencoded",
    "",
    "json",
  ];
  for (const type of types) {
    const reply = await admin.call("POST", "/v1/accounts", text, { "Content-Type": type });
    assert.equal(reply.status, 415, type);
    assert.equal(reply.body.code, "unsupported_media_type");
  }
  assert.deepEqual(await traces(app), before);
  for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"]) {
    assert.equal(
      (await admin.call("POST", "/v1/accounts", text, { "Content-Type": type })).status,
      201,
      type,
    );
  }
});

Deno.test("invalid JSON or UTF-8 is 400, and JSON other than an object is 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = await traces(app);
  for (const text of ["{", "{}{}", "'x'", "undefined", "{a:1}", '{"a":1,}', "\u0000", "NaN", '"\u0001"']) {
    const reply = await admin.call("POST", "/v1/accounts", text, { "Content-Type": "application/json" });
    assert.equal(reply.status, 400, text);
    assert.equal(reply.body.code, "malformed_json");
  }
  const latin1 = Uint8Array.of(...new TextEncoder().encode('{"external_id":"M'), 0xfc, 0x22, 0x7d);
  const garbled = await post(app, admin, latin1);
  assert.equal(garbled.status, 400);
  for (const body of [[], "text", 5, null, true, [makeNamed("x")]]) {
    const reply = await admin.call("POST", "/v1/accounts", JSON.stringify(body));
    assert.equal(reply.status, 422, JSON.stringify(body));
    assert.equal(reply.body.code, "validation_failed");
    assert.ok(reply.body.errors.length > 0);
  }
  assert.deepEqual(await traces(app), before);
});

Deno.test("an absent body counts as empty; a leading byte order mark is ignored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const absent = [
    await admin.call("POST", "/v1/accounts"),
    await admin.call("POST", "/v1/accounts", "", { "Content-Type": "application/json" }),
  ];
  for (const reply of absent) {
    assert.equal(reply.status, 422);
    assert.equal(reply.body.errors[0].code, "required");
  }
  const marked = await admin.call("POST", "/v1/accounts", "\ufeff" + JSON.stringify(makeNamed("x")), {
    "Content-Type": "application/json",
  });
  assert.equal(marked.status, 201);
});

Deno.test("a body over 1 MiB is 413, with Content-Length or in chunks", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = await traces(app);
  const over = JSON.stringify(makeNamed("x", { unknown: "u".repeat(mebibyte) }));
  const exact = JSON.stringify(makeNamed("x", { unknown: "" }));
  const full = JSON.stringify(makeNamed("x", { unknown: "u".repeat(mebibyte - exact.length) }));
  assert.equal(full.length, mebibyte);
  for (const chunked of [false, true]) {
    const reply = await post(app, admin, new TextEncoder().encode(over), chunked);
    assert.equal(reply.status, 413);
    assert.equal(reply.body.code, "payload_too_large");
    assert.deepEqual(await traces(app), before);
  }
  for (const chunked of [false, true]) {
    assert.equal((await post(app, admin, new TextEncoder().encode(full), chunked)).status, 201);
  }
});

Deno.test("an endless body is refused as soon as it is too large", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const head = "POST /v1/accounts HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n" +
    `Authorization: Bearer ${admin.token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const reply = await exchange(app.url, head, ...Array(17).fill(chunk));
  assert.equal(reply.status, 413);
});

Deno.test("an invalid or too long Content-Length, or one beside chunks, never reaches an endpoint", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = await traces(app);
  const body = JSON.stringify(makeNamed("x"));
  const head =
    "POST /v1/accounts HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n" +
    `Authorization: Bearer ${admin.token}\r\n`;
  for (const length of ["abc", "-1", "1e3", "0x10", `${body.length}, 7`]) {
    const reply = await exchange(app.url, `${head}Content-Length: ${length}\r\n\r\n${body}`);
    assert.equal(reply.status, 400, length);
  }
  const short = await exchange(app.url, `${head}Content-Length: 5\r\n\r\n${body}`);
  assert.equal(short.status, 400);
  const large = await exchange(app.url, `${head}Content-Length: 5000000\r\n\r\n${body}`);
  assert.equal(large.status, 413);
  const both = await exchange(
    app.url,
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  assert.equal(both.status, 400);
  assert.deepEqual(await traces(app), before);
  const expecting = await exchange(
    app.url,
    `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    body,
  );
  assert.match(expecting.text, /^HTTP\/1\.1 100 /);
  assert.equal(expecting.status, 201);
});

Deno.test("an endpoint without a body ignores any body", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const plainEndpoint = (method: "post" | "put" | "delete" | "get"): Endpoint =>
    endpoint({
      method,
      path: `/v1/${method}`,
      operation: method,
      tag: "Test",
      summary: "Test",
      answers: { 200: { description: "Done.", schema: z.object({ done: z.boolean() }) } },
    }, () => Promise.resolve(ok({ done: true })));
  await using probe = startProbe(app, [plainEndpoint("post"), plainEndpoint("put"), plainEndpoint("delete")]);
  for (const method of ["POST", "PUT", "DELETE"]) {
    for (
      const [body, type] of [["{", "application/json"], ["x=1", "application/x-www-form-urlencoded"], [
        "\u0000",
        "x",
      ]]
    ) {
      const reply = await probe.call(admin.token, method, `/v1/${method.toLowerCase()}`, body, {
        "Content-Type": type!,
      });
      assert.equal(reply.status, 200, `${method} ${type}`);
    }
    const large = await probe.call(
      admin.token,
      method,
      `/v1/${method.toLowerCase()}`,
      "x".repeat(2 * mebibyte),
    );
    assert.equal(large.status, 200);
  }
});

async function post(
  app: TestApp,
  actor: Actor,
  bytes: Uint8Array<ArrayBuffer>,
  chunked = false,
): Promise<Pick<Reply, "status" | "body">> {
  const response = await fetch(`${app.url}/v1/accounts`, {
    method: "POST",
    headers: { Authorization: `Bearer ${actor.token}`, "Content-Type": "application/json" },
    body: chunked ? new Blob([bytes]).stream() : bytes,
  });
  return { status: response.status, body: await response.json() };
}

Deno.test("an error says in words what must be given and in which form", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const missing = await admin.call("POST", "/v1/leads", {});
  const readMessages = (reply: Reply) =>
    Object.fromEntries(reply.body.errors.map(({ path, message }: Record<string, string>) => [path, message]));
  assert.equal(readMessages(missing).lead_source, "Must be given.");
  const cleared = await admin.call("POST", "/v1/leads", { lead_source: null });
  assert.equal(readMessages(cleared).lead_source, "Must have a value.");
  const mistyped = await admin.call("POST", "/v1/accounts", {
    b2c: "yes",
    external_id: 7,
    fixed_fields: "x",
  });
  assert.deepEqual(readMessages(mistyped), {
    b2c: "Must be true or false.",
    external_id: "Must be a string.",
    fixed_fields: "Must be a list.",
  });
  const sized = await admin.call("POST", "/v1/relations-paths", {
    name: "x",
    activity_types: { milestones: [{ name: "x", chance_of_success: 101, suggest_task_after: -1 }] },
  });
  assert.deepEqual(readMessages(sized), {
    "activity_types.milestones[0].chance_of_success": "At most 100.",
    "activity_types.milestones[0].suggest_task_after": "At least 0.",
  });
  const many = Array.from({ length: 101 }, () => ({ name: "x" }));
  const long = await admin.call("POST", "/v1/relations-paths", {
    name: "x",
    activity_types: { milestones: many },
  });
  assert.deepEqual(readMessages(long), { "activity_types.milestones": "At most 100 entries." });
  const unknown = await admin.call("POST", "/v1/webhooks", {
    target_url: "http://127.0.0.1:1",
    webhook_event: "*",
    scope: "x",
  });
  assert.equal(readMessages(unknown).scope, "Must be one of global, user.");
});
