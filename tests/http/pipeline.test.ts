import assert from "node:assert/strict";
import { z } from "zod";
import { ok } from "../../src/core/answer.ts";
import { endpoint } from "../../src/http/endpoint.ts";
import { startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const answers = { 200: { description: "A number.", schema: z.number() } };
const described = { tag: "Probe", summary: "Probe", answers };

Deno.test("a thrown value other than an Error becomes a 500 problem with one log line", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const thrown: unknown = { secret: "not for callers" };
  const path = "/v1/probe";
  await using probe = startProbe(app, [
    endpoint({ ...described, method: "get", path, operation: "probe" }, () => Promise.reject(thrown)),
  ]);
  const reply = await probe.call(admin.token, "GET", path);
  assert.equal(reply.status, 500);
  assert.equal(reply.body.code, "internal");
  assert.equal(reply.text.includes("not for callers"), false);
  assert.equal(reply.headers.get("x-request-id"), reply.body.request_id);
  const lines = app.log.entries.filter(({ event, route }) => event === "request" && route === path);
  assert.deepEqual(lines.map(({ status, user_id }) => [status, user_id]), [[500, admin.id]]);
});

Deno.test("the response reports the first fault in the order of the pipeline", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await using probe = startProbe(app, [
    endpoint({
      ...described,
      method: "post",
      path: "/v1/probe/:id",
      operation: "probe",
      params: { id: "integer" },
      query: z.object({ n: z.literal("1") }),
      body: z.object({ name: z.string() }),
    }, () => Promise.resolve(ok(1))),
  ]);
  const call = (token: string | null, path: string, body: unknown, key: string) =>
    probe.call(token, "POST", path, body, { "Idempotency-Key": key });
  const faults = [
    await call(null, "/v1/probe/x?n=2", {}, "no key"),
    await call(admin.token, "/v1/probe/x?n=2", {}, "no key"),
    await call(admin.token, "/v1/probe/x?n=2", {}, "key"),
    await call(admin.token, "/v1/probe/1?n=2", {}, "key"),
    await call(admin.token, "/v1/probe/1?n=1", {}, "key"),
    await call(admin.token, "/v1/probe/1?n=1", { name: "Ada" }, "key"),
  ];
  assert.deepEqual(
    faults.map(({ status, body }) => [status, body.errors?.[0].path]),
    [
      [401, undefined],
      [422, "header.Idempotency-Key"],
      [404, undefined],
      [422, "query.n"],
      [422, "name"],
      [200, undefined],
    ],
  );
});
