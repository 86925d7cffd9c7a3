import assert from "node:assert/strict";
import { fill } from "./place.ts";
import { endpoints, keptText, prepare, sent, startApp, sweep } from "./sweep.ts";

/** Operations, beside that of managed files (whose GET leads to the bytes), that change a record which GET shows at the same path. */
const updates = endpoints.filter(({ declared }) =>
  declared.method === "put" && declared.operation !== "updateManagedFile" &&
  endpoints.some((other) => other.declared.method === "get" && other.declared.path === declared.path)
);

Deno.test("every record takes its own answer whole, and nothing changes", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  await sweep(t, updates, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const read = () => sent(app.url, { ...call, method: "GET", body: undefined });
    const before = await read();
    if (before.status === 404) return;
    assert.equal(before.status, 200, `${at}: ${before.text}`);
    app.clock.move(60_000);
    const reply = await sent(app.url, { ...call, body: before.body });
    assert.ok(reply.status < 300, `${at}: ${reply.text} for ${before.text}`);
    const after = await read();
    assert.equal(keptText(after.text), keptText(before.text), at);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"), at);
  });
});

Deno.test("a change without a known member changes nothing and sends no event", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const events = async () => (await app.sql("select count(*) as n from outbox"))[0]!.n;
  const open = updates.filter(({ declared }) => declared.body!.safeParse({}).success);
  assert.ok(open.length > 25);
  await sweep(t, open, app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const read = () => sent(app.url, { ...call, method: "GET", body: undefined });
    const [before, sentBefore] = [await read(), await events()];
    app.clock.move(60_000);
    for (const body of [{}, { unknown_member: "Ada" }]) {
      const reply = await sent(app.url, { ...call, body });
      assert.ok(reply.status < 300, `${at}: ${reply.text}`);
      assert.ok(before.headers.get("etag")!.startsWith(reply.headers.get("etag")!.slice(0, -1)), at);
    }
    const after = await read();
    assert.equal(keptText(after.text), keptText(before.text), at);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"), at);
    assert.equal(await events(), sentBefore, at);
  });
});
