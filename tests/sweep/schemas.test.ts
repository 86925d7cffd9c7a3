import assert from "node:assert/strict";
import { exposedHeaders } from "../../src/http/headers.ts";
import { documentPath } from "../../src/http/openapi_operation.ts";
import { watchEvents } from "./events.ts";
import { samples } from "./samples.ts";
import {
  assertDeclared,
  endpoints,
  isSuccess,
  prepare,
  sendPrepared,
  startFilled,
  sweep,
  takeRecords,
  withQuery,
} from "./sweep.ts";

Deno.test("every endpoint has a sample, and every sample an endpoint", () => {
  const operations = endpoints.map(({ declared }) => declared.operation);
  assert.equal(new Set(operations).size, operations.length);
  assert.deepEqual(Object.keys(samples).sort(), operations.toSorted());
});

/** Returns the number of records on a page without `per_page`. */
function onPage(path: string): number {
  if (path.startsWith("/v1/filemanager")) return 1000;
  return path === "/v1/reports/indicator-sets" || /_id\/files$/.test(path) ? 50 : 15;
}

const title =
  "each answer fits the schema and headers that its endpoint declares, and has no key beside it; " +
  "each change of a record has its event with the body of GET, and no other event";

Deno.test(title, async (t) => {
  await using filled = await startFilled();
  const { app, made: place } = filled;
  const document = (await app.call(null, "GET", "/openapi.json")).body;
  const watch = watchEvents(app, place);
  let reported = 0;
  await sweep(t, endpoints, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    if (endpoint.writes) await watch.before();
    const reply = await sendPrepared(app.url, call);
    const isTaken = endpoint.writes ? reply.status < 300 : isSuccess(reply);
    assert.ok(isTaken, `${at}: ${reply.status} ${reply.text}`);
    if (endpoint.writes) reported += await watch.check(at);
    assertDeclared(endpoint, reply, at);
    const operation = document.paths[documentPath(endpoint.declared.path)][endpoint.declared.method];
    const declared = Object.keys(operation.responses[reply.status].headers);
    const sentHeaders = exposedHeaders.split(", ").filter((name) => reply.headers.has(name));
    assert.deepEqual(sentHeaders.filter((name) => !declared.includes(name)), [], `${at}: undeclared headers`);
    for (const name of ["X-Request-Id", "ETag"]) {
      assert.equal(reply.headers.has(name), declared.includes(name), `${at}: ${name}`);
    }
    // The `data` of a stored report is figures, not records.
    if (reply.body?.data && !("file_id" in reply.body)) {
      assert.ok(takeRecords(reply.body).length > 0, `${at} shows nothing`);
    }
    if (reply.body?.pagination) {
      if (!call.path.includes("per_page=")) {
        const { pagination: { per_page } } = reply.body;
        assert.equal(per_page, onPage(endpoint.declared.path), `${at}: records on a page`);
      }
      const last = await sendPrepared(app.url, {
        ...call,
        path: withQuery(call.path, `per_page=1&page=${Math.max(1, takeRecords(reply.body).length)}`),
      });
      assertDeclared(endpoint, last, at);
    }
  });
  assert.ok(reported > 40, `${reported} events`);
});
