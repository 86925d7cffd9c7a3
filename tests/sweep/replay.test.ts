import assert from "node:assert/strict";
import { fill } from "./place.ts";
import {
  assertDeclared,
  keptText,
  prepare,
  repeatable,
  sendPrepared,
  startApp,
  sweep,
  watchDatabase,
} from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

Deno.test("every write sent again under its Idempotency-Key has one effect and the same answer, byte by byte", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  await using database = watchDatabase(app);
  await sweep(t, takeSample(repeatable), app, async (endpoint, at) => {
    const call = await prepare(place, endpoint);
    const headers = { "Idempotency-Key": `key-${place.next()}` };
    database.changed();
    const first = await sendPrepared(app.url, call, headers);
    assert.ok(first.status < 300, `${at}: ${first.text}`);
    assert.equal(first.headers.get("idempotent-replayed"), null, at);
    await app.idle();
    assert.equal(database.changed(), true, at);
    for (let again = 0; again < 2; again++) {
      const reply = await sendPrepared(app.url, call, headers);
      assert.equal(reply.status, first.status, at);
      assert.equal(reply.text, keptText(first.text), at);
      assert.equal(reply.headers.get("idempotent-replayed"), "true", at);
      for (const name of ["etag", "location", "deprecation", "link", "content-type"]) {
        assert.equal(reply.headers.get(name), first.headers.get(name), `${at} ${name}`);
      }
      assertDeclared(endpoint, reply, at);
      assert.equal(database.changed(), false, at);
    }
    const other = await sendPrepared(app.url, {
      ...call,
      path: `${call.path}${call.path.includes("?") ? "&" : "?"}other`,
    }, headers);
    assert.equal(other.status, 422, at);
    assert.equal(other.body.code, "idempotency_mismatch", at);
    assert.equal(database.changed(), false, at);
  });
  // The secrets of the samples: a webhook's token, and passwords.
  const kept = JSON.stringify(await app.sql("select * from idempotency_keys"));
  for (const secret of ["whisper", "correct horse battery"]) assert.ok(!kept.includes(secret), secret);
});
