import assert from "node:assert/strict";
import { isException } from "./exceptions.ts";
import { z } from "zod";
import fc, { seedCases } from "../support/properties.ts";
import { send } from "../support/app.ts";
import { fill } from "./place.ts";
import { garbage, spoil } from "./garbage.ts";
import {
  assertDeclared,
  assertProblem,
  endpoints,
  prepare,
  sendPrepared,
  startApp,
  sweep,
  watchDatabase,
} from "./sweep.ts";

/** `SWEEP_RUNS` searches longer. */
const numRuns = Number(Deno.env.get("SWEEP_RUNS") ?? 8);

Deno.test("garbage to an endpoint never gives a 500, always a complete answer, and a refusal changes nothing", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  await using database = watchDatabase(app);
  const seen = new Set<number>();
  await sweep(t, endpoints, app, async (endpoint) => {
    const { query } = endpoint.declared;
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
    let right = await prepare(place, endpoint);
    await fc.assert(
      fc.asyncProperty(garbage, async (spoilt) => {
        const call = spoil(right, spoilt, names);
        database.changed();
        const reply = await sendPrepared(app.url, call, spoilt.headers);
        const shown = `${call.method} ${call.path.slice(0, 300)} ${String(call.body).slice(0, 600)}`;
        seen.add(reply.status);
        assert.ok(reply.status < 500, `${shown}: ${reply.text}`);
        assert.ok(reply.headers.get("x-request-id"), shown);
        if (reply.status >= 400) {
          assertProblem(reply, shown);
          const wrote = database.changed();
          if (!isException(endpoint.declared.operation, "unchanged")) {
            assert.equal(wrote, false, `${shown}: ${reply.status}, but something was written`);
          }
        } else if (reply.status !== 304 && call.path.split("?")[0] === right.path.split("?")[0]) {
          assertDeclared(endpoint, reply, shown);
        }
        if (reply.status < 300 && (endpoint.writes || call.method !== "GET")) {
          right = await prepare(place, endpoint);
        }
      }),
      { numRuns, ...seedCases(endpoint.declared.operation) },
    );
  });
  // The test proves little if the service refuses all of the garbage, or none of it.
  for (const status of [200, 201, 204, 304, 400, 404, 412, 415, 422]) {
    assert.ok(seen.has(status), `no ${status}`);
  }
});

Deno.test("garbage to the token endpoint never gives a 500, always an error of RFC 6749 without secrets", async () => {
  await using app = await startApp();
  await app.company();
  const right = {
    method: "POST",
    path: "/auth/token",
    token: "",
    body: {
      grant_type: "password",
      client_id: "x",
      client_secret: "y",
      username: "ada@example.org",
      password: "z",
    },
  };
  await fc.assert(
    fc.asyncProperty(garbage, async (spoilt) => {
      const { method, path, body } = spoil(right, { ...spoilt, path: [] }, ["grant_type", "client_id"]);
      const reply = await send(app.url + path, method, null, body, spoilt.headers);
      assert.ok(reply.status >= 400 && reply.status < 500, `${path} ${body}: ${reply.text}`);
      assert.match(reply.body.error, /^[a-z_]+$/);
      assert.equal(reply.headers.get("cache-control"), "no-store");
    }),
    { numRuns: numRuns * 4 },
  );
  assert.deepEqual(app.log.entries.filter((entry) => entry.level === "error"), []);
});
