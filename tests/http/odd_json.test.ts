import assert from "node:assert/strict";
import { z } from "zod";
import { ok } from "../../src/core/answer.ts";
import { endpoint } from "../../src/http/endpoint.ts";
import { startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const makeNamed = (name: string, more: object = {}) => ({
  fixed_fields: [{ name: "name", value: name }],
  ...more,
});

Deno.test("unknown keys are ignored, including names with a meaning in JavaScript", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text =
    '{"__proto__":{"external_id":"stolen","b2c":true},"constructor":{"prototype":{"x":1}},"unknown":[1],' +
    '"fixed_fields":[{"name":"name","value":"x","__proto__":{"id":3}}]}';
  const made = await admin.call("POST", "/v1/accounts", text);
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.external_id, null);
  assert.equal(made.body.b2c, false);
  assert.equal(({} as Record<string, unknown>).x, undefined);
  const query = await admin.call(
    "GET",
    "/v1/accounts?__proto__=1&constructor=2&toString=3&unknown=4&per_page=5",
  );
  assert.equal(query.status, 200);
  assert.equal(query.body.pagination.per_page, 5);
});

Deno.test("the deepest possible nesting breaks neither the service nor other calls", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const depth = 400_000;
  const deep = "[".repeat(depth) + "]".repeat(depth);
  const text = JSON.stringify(makeNamed("x")).replace("{", `{"unknown":${deep},`);
  assert.equal((await admin.call("POST", "/v1/accounts", text)).status, 201);
  const objects = '{"a":'.repeat(100_000) + '"\\u0000"' + "}".repeat(100_000);
  const faulty = await admin.call("POST", "/v1/accounts", `{"unknown":${objects}}`);
  assert.equal(faulty.status, 422);
  const inField = JSON.stringify(makeNamed("x")).replace('"x"', deep);
  assert.equal((await admin.call("POST", "/v1/accounts", inField)).status, 422);
});

Deno.test("numbers out of range and text that databases cannot store are 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = await app.sql("select (select count(*) from accounts), (select count(*) from outbox)");
  for (const number of ["1e400", "-1e400", "1e308", "9007199254740993", "1.5", "-0.1", "1e-400"]) {
    const reply = await admin.call(
      "POST",
      "/v1/accounts",
      JSON.stringify(makeNamed("x")).replace("{", `{"team_id":${number},`),
    );
    assert.equal(reply.status, 422, number);
    assert.equal(reply.body.errors[0].path, "team_id");
  }
  for (const text of ["\\u0000", "\\ud800", "\\udc00x", "a\\ud83db"]) {
    for (
      const [body, path] of [
        [`{"fixed_fields":[{"name":"name","value":"${text}"}]}`, "fixed_fields[0].value"],
        [`{"fixed_fields":[{"name":"${text}","value":"x"}]}`, "fixed_fields[0].name"],
        [`{"external_id":"${text}","fixed_fields":[{"name":"name","value":"x"}]}`, "external_id"],
      ]
    ) {
      const reply = await admin.call("POST", "/v1/accounts", body);
      assert.equal(reply.status, 422, body);
      assert.deepEqual(
        reply.body.errors.map((error: { path: string; code: string }) => [error.path, error.code]),
        [
          [path, "format"],
        ],
      );
    }
  }
  assert.deepEqual(
    await app.sql("select (select count(*) from accounts), (select count(*) from outbox)"),
    before,
  );
  const smiley = await admin.call("POST", "/v1/accounts", makeNamed("\u{1F600}"));
  assert.equal(smiley.body.fixed_fields[0].value, "\u{1F600}");
});

Deno.test("a body with thousands of faults is answered with the first hundred", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const Body = z.object({ words: z.array(z.string()) });
  await using probe = startProbe(app, [
    endpoint({
      method: "post",
      path: "/v1/words",
      operation: "postWords",
      tag: "Test",
      summary: "Test",
      body: Body,
      answers: { 200: { description: "Done.", schema: z.object({ words: z.int() }) } },
    }, (_ctx, { body }) => Promise.resolve(ok({ words: body.words.length }))),
  ]);
  const reply = await probe.call(admin.token, "POST", "/v1/words", { words: Array(50_000).fill(1) });
  assert.equal(reply.status, 422);
  assert.equal(reply.body.errors.length, 100);
  assert.deepEqual(reply.body.errors[99].path, "words[99]");
});
