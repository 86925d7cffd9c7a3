import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";

const path = (id: string) => `/v1/accounts/${id}`;
const make = async (actor: Actor) =>
  await actor.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Acme" }] });
const rename = (value: string) => ({ fixed_fields: [{ name: "name", value }] });

Deno.test("a record's ETag stays while the record does, and a GET that names it is 304 without a body", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await make(admin);
  const etag = made.headers.get("etag")!;
  assert.match(etag, /^"[0-9a-f]+"$/);
  const get = async (sent: string) =>
    await admin.call("GET", path(made.body.id), undefined, { "If-None-Match": sent });
  for (const sent of [etag, `W/${etag}`, "*", `"x", ${etag}`, `"x",W/${etag}`]) {
    const reply = await get(sent);
    assert.equal(reply.status, 304, sent);
    assert.equal(reply.text, "");
    assert.equal(reply.headers.get("content-type"), null);
    assert.equal(reply.headers.get("etag"), etag);
    assert.equal(reply.headers.get("cache-control"), "private, no-cache");
  }
  for (const sent of ['"x"', etag.slice(1, -1), "", 'W/"x"']) {
    assert.equal((await get(sent)).status, 200, sent);
  }

  const changed = await admin.call("PUT", path(made.body.id), rename("Acme Ltd"));
  assert.notEqual(changed.headers.get("etag"), etag);
  const fresh = await get(etag);
  assert.equal(fresh.status, 200);
  assert.equal(fresh.headers.get("etag"), changed.headers.get("etag"));
});

Deno.test("an ETag changes with related data, such as the name of the responsible user", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await make(admin);
  await app.deps.db.write([{ sql: "update users set last_name = 'King' where id = ?", args: [admin.id] }]);
  const got = await admin.call("GET", path(made.body.id));
  assert.match(got.text, /King/);
  assert.notEqual(got.headers.get("etag"), made.headers.get("etag"));
});

Deno.test("a list has no ETag", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await make(admin);
  const list = await admin.call("GET", "/v1/accounts", undefined, { "If-None-Match": "*" });
  assert.equal(list.status, 200);
  assert.equal(list.headers.get("etag"), null);
});

Deno.test("a PUT with If-Match changes only the given version, else 412 without a change", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await make(admin);
  const first = made.headers.get("etag")!;
  const put = async (sent: string, value: string) =>
    await admin.call("PUT", path(made.body.id), rename(value), { "If-Match": sent });
  const state = async () => (await admin.call("GET", path(made.body.id))).text;

  const second = (await put(first, "Second")).headers.get("etag")!;
  assert.notEqual(second, first);
  const before = await state();
  const events = await app.sql("select count(*) as n from outbox");
  const others = [first, `W/${first}`, 'W/"x"', '"x"', second.slice(1, -1), `${first}, "x"`, ""];
  // A star stands alone.
  others.push("W/*", '"*"', 'W/"*"', '*, "x"', "**");
  for (const sent of others) {
    const reply = await put(sent, "Third");
    assert.equal(reply.status, 412, sent);
    assert.equal(reply.body.code, "precondition_failed");
  }
  assert.equal(await state(), before);
  assert.deepEqual(await app.sql("select count(*) as n from outbox"), events);
  // Proxies that compress weaken the tag, or name their encoding in it.
  const passedOn = [
    second,
    `W/${second}`,
    second.replace(/"$/, '-zstd"'),
    `W/${second.replace(/"$/, '-gzip"')}`,
  ];
  for (const sent of [...passedOn, "*"]) assert.equal((await put(sent, "Second")).status, 200, sent);
  assert.equal((await put(`W/${second}`, "Third")).status, 200);
  const third = (await admin.call("GET", path(made.body.id))).headers.get("etag")!;
  assert.equal((await put(`"x", ${third}`, "Fourth")).status, 200);
});

Deno.test("If-Match on a missing or invisible record is 404", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company();
  const made = await make(admin);
  const reply = await other.admin.call("PUT", path(made.body.id), rename("x"), { "If-Match": "*" });
  assert.equal(reply.status, 404);
});

Deno.test("one of ten simultaneous writers of the same version succeeds", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await make(admin);
  const etag = made.headers.get("etag")!;
  const replies = await Promise.all(
    Array.from(
      { length: 10 },
      (_, n) => admin.call("PUT", path(made.body.id), rename(`Name ${n}`), { "If-Match": etag }),
    ),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)]);
});
