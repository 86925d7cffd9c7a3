import assert from "node:assert/strict";
import long from "../long/deno.json" with { type: "json" };
import { fill, type Place } from "../sweep/place.ts";
import { endpoints, prepare, type Prepared, sendPrepared, startApp, withQuery } from "../sweep/sweep.ts";
import { runOfLongTests, startChild } from "../support/process.ts";
import { send, type TestApp } from "../support/app.ts";

/**
 * Returns a port for the proxy, which cannot choose a free one and report it. The port is below those that
 * the system gives to listeners and connections, so that no other test takes it while the proxy starts.
 */
function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

Deno.test("a proxy that validates by the document finds nothing in hundreds of varied calls", async () => {
  await using app = await startApp();
  const place = await fill(app);
  const file = `${app.folder}/openapi.json`;
  await Deno.writeTextFile(
    file,
    (await app.call(null, "GET", "/openapi.json")).text,
  );
  const port = freePort();
  const proxy = startChild([
    ...runOfLongTests,
    long.imports["@stoplight/prism-cli"],
    "proxy",
    file,
    app.url,
    "--host=127.0.0.1",
    `--port=${port}`,
  ], {});
  try {
    await proxy.line(
      (line) => /Prism is listening/.test(line) ? line : null,
      120_000,
    );
    const url = `http://127.0.0.1:${port}`;
    const found: string[] = [];
    let calls = 0;
    for await (const call of variedCalls(app, place)) {
      const reply = await sendPrepared(url, call);
      calls++;
      const violations = reply.headers.get("sl-violations");
      if (violations) {
        found.push(
          `${call.method} ${call.path} ${reply.status} ${JSON.stringify(call.body)}: ${violations}`,
        );
      }
    }
    // The proxy also checks requests: it reports a body of the wrong form.
    const wrong = await send(
      `${url}/v1/accounts`,
      "POST",
      place.world.admin.token,
      { fixed_fields: "Ada" },
    );
    assert.match(wrong.headers.get("sl-violations") ?? "", /fixed_fields/);
    assert.deepEqual(found, []);
    assert.ok(calls >= 300, `${calls} calls`);
  } finally {
    await proxy.kill("SIGTERM");
  }
});

/**
 * Yields every operation with its sample, and every GET again with other parameters, and with another token.
 */
async function* variedCalls(
  app: TestApp,
  place: Place,
): AsyncGenerator<Prepared> {
  for (const endpoint of endpoints) {
    const { declared } = endpoint;
    // The proxy follows redirects itself, so it would check the answer of another address.
    if (303 in declared.answers) continue;
    const call = await prepare(place, endpoint);
    yield call;
    if (declared.method !== "get") continue;
    const shape = declared.query && "shape" in declared.query
      ? Object.keys(declared.query.shape as object)
      : [];
    if (shape.includes("page")) {
      yield { ...call, path: withQuery(call.path, "page=1&per_page=2") };
      yield { ...call, path: withQuery(call.path, "page=99") };
    }
    if (shape.includes("search") && !call.path.includes("search=")) {
      yield { ...call, path: withQuery(call.path, "search=a%20b") };
    }
    if (shape.includes("sort")) {
      yield { ...call, path: withQuery(call.path, "sort=-created_at") };
    }
    // A refusal is an answer, too.
    yield { ...call, token: "unknown" };
  }
  await app.idle();
}
