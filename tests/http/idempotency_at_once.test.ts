import assert from "node:assert/strict";
import { z } from "zod";
import { ok } from "../../src/core/answer.ts";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import { startApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const makeKeyHeader = (key: string) => ({ "Idempotency-Key": key });

Deno.test("twenty simultaneous calls with one key have one effect and get the same answer", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const replies = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        admin.call(
          "POST",
          "/v1/accounts",
          { fixed_fields: [{ name: "name", value: "x" }] },
          makeKeyHeader("k"),
        ),
    ),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  assert.equal(replies.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  assert.equal((await app.sql("select id from accounts")).length, 1);
});

Deno.test("while a call runs, its repetition waits for the answer, and a different call with the key is 409", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  let runs = 0;
  await using probe = startProbe(app, [makeGatedEndpoint(async () => {
    runs++;
    entered.resolve();
    await gate.promise;
  })]);
  const call = (body: object) => probe.call(admin.token, "POST", "/v1/gated", body, makeKeyHeader("k"));
  const first = call({ n: 1 });
  await entered.promise;
  const same = call({ n: 1 });
  const other = await call({ n: 2 });
  assert.equal(other.status, 409);
  assert.equal(other.body.code, "idempotency_in_progress");
  gate.resolve();
  assert.equal((await first).status, 200);
  assert.equal((await same).text, (await first).text);
  assert.equal((await same).headers.get("idempotent-replayed"), "true");
  assert.equal(runs, 1);
});

Deno.test("when the first call is refused, the waiting one runs", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  let runs = 0;
  await using probe = startProbe(app, [makeGatedEndpoint(async () => {
    entered.resolve();
    if (++runs > 1) return;
    await gate.promise;
    throw new Error("the first one fails");
  })]);
  const call = () => probe.call(admin.token, "POST", "/v1/gated", { n: 1 }, makeKeyHeader("k"));
  const first = call();
  await entered.promise;
  const second = call();
  gate.resolve();
  assert.equal((await first).status, 500);
  assert.equal((await second).status, 200);
  assert.equal(runs, 2);
});

function makeGatedEndpoint(enter: () => Promise<void>): Endpoint {
  return endpoint(
    {
      tag: "Test",
      summary: "Test",
      answers: { 200: { description: "Done.", schema: z.object({ n: z.number() }) } },
      method: "post",
      path: "/v1/gated",
      operation: "gated",
      body: z.object({ n: z.number() }),
    },
    async (_ctx, { body }) => {
      await enter();
      return ok({ n: body.n });
    },
  );
}
