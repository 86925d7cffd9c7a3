import assert from "node:assert/strict";
import { z } from "zod";
import { ok } from "../../src/core/answer.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { commit } from "../../src/db/commit.ts";
import { sql } from "../../src/db/statements.ts";
import { declareClientEndpoint, endpoint } from "../../src/http/endpoint.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startProbe } from "../support/probe.ts";

const makeNamed = (name: string, more: object = {}) => ({
  fixed_fields: [{ name: "name", value: name }],
  ...more,
});
const makeKeyHeader = (key: string) => ({ "Idempotency-Key": key });
const count = async (app: TestApp, table: string) =>
  Number((await app.sql(`select count(*) as n from ${table}`))[0]!.n);
const day = 24 * 3_600_000;

Deno.test("a repeated call with its key has one effect and gets the same answer, byte by byte", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  assert.equal(first.status, 201);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  const second = await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  assert.equal(second.status, 201);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("etag"), first.headers.get("etag"));
  assert.equal(await count(app, "accounts"), 1);
  assert.equal(await count(app, "outbox"), 1);
  assert.equal(
    (await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("K"))).headers.get(
      "idempotent-replayed",
    ),
    null,
  );
  assert.equal(await count(app, "accounts"), 2);
});

Deno.test("a replay carries the headers of the answer", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const filter = [{ field: "contact.fixed_fields.last_name", operator: "eq", value: "x" }];
  const save = () => admin.call("POST", "/v1/contacts/filters", { name: "Old", filter }, makeKeyHeader("k"));
  const [first, second] = [await save(), await save()];
  assert.match(first.headers.get("deprecation") ?? "", /^@/);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(second.headers.get("deprecation"), first.headers.get("deprecation"));
});

Deno.test("a key is 1 to 255 visible ASCII characters, else 422; on a GET it means nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const key of ["", "k".repeat(256), "a b", "\u00e9", "a\tb"]) {
    const reply = await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader(key));
    assert.equal(reply.status, 422, key);
    assert.equal(reply.body.code, "validation_failed");
    assert.equal(reply.body.errors[0].path, "header.Idempotency-Key");
    assert.equal((await admin.call("GET", "/v1/accounts", undefined, makeKeyHeader(key))).status, 200, key);
  }
  assert.equal(await count(app, "accounts"), 0);
  for (const key of ["k", "k".repeat(255), '!"#$%&()*+,-./:;<=>?@[]^_`{|}~']) {
    assert.equal(
      (await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader(key))).status,
      201,
      key,
    );
  }
  await admin.call("GET", "/v1/accounts", undefined, makeKeyHeader("g"));
  assert.equal((await app.sql("select 1 from idempotency_keys where key = 'g'")).length, 0);
});

Deno.test("a key of another path, method or body is 422 and changes nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  const path = `/v1/accounts/${made.body.id}`;
  const others: [string, string, object][] = [
    ["POST", "/v1/accounts", makeNamed("y")],
    ["POST", "/v1/accounts?x=1", makeNamed("x")],
    ["POST", "/v1/accounts", { fixed_fields: 5 }],
    ["POST", `${path}/contacts`, { fixed_fields: [{ name: "last_name", value: "x" }] }],
    ["PUT", path, makeNamed("x")],
  ];
  const events = await count(app, "outbox");
  for (const [method, where, body] of others) {
    const reply = await admin.call(method, where, body, makeKeyHeader("k"));
    assert.equal(reply.status, 422, `${method} ${where}`);
    assert.equal(reply.body.code, "idempotency_mismatch");
    assert.ok(reply.body.errors.length > 0);
  }
  assert.equal(await count(app, "outbox"), events);
  assert.equal((await admin.call("GET", path)).text, made.text);
});

Deno.test("the stored fingerprint of a call cannot be guessed without the secrets key", async () => {
  const guess = JSON.stringify(makeNamed("x", { password: "correct horse battery" }));
  const readHash = async (key: number) => {
    await using app = await startApp({ SECRETS_KEY: new Uint8Array(32).fill(key).toBase64() });
    const { admin } = await app.company();
    assert.equal(
      (await admin.call("POST", "/v1/accounts", guess, {
        ...makeKeyHeader("k"),
        "Content-Type": "application/json",
      })).status,
      201,
    );
    return (await app.sql("select fingerprint from idempotency_keys"))[0]!.fingerprint;
  };
  const [one, same, other] = [await readHash(1), await readHash(1), await readHash(2)];
  assert.equal(one, same);
  assert.notEqual(one, other);
  assert.notEqual(one, sha256(`POST /v1/accounts\n${guess}`));
});

Deno.test("a refusal is not stored: the corrected call can use the same key", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const body of [{}, "{", makeNamed("x", { team_id: 999 })]) {
    const refused = await admin.call("POST", "/v1/accounts", body, makeKeyHeader("k"));
    assert.ok(refused.status >= 400 && refused.status < 500);
    assert.equal(await count(app, "idempotency_keys"), 0);
  }
  const mended = await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  assert.equal(mended.status, 201);
  assert.equal(mended.headers.get("idempotent-replayed"), null);
});

Deno.test("keys are separate for each client and user", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company();
  const second = await company.user();
  const again = await company.token(company.admin.id);
  // Two users of one client, as a client with a sign-in page has them.
  const shared = makeToken();
  await app.deps.db.write([
    sql`insert into access_tokens (hash, id, client_id, user_id, expires_at, created_at)
    select ${sha256(shared)}, ${makeId()}, client_id, ${second.id}, expires_at, created_at from access_tokens
    where user_id = ${company.admin.id} limit 1`,
  ]);
  const tokens = [company.admin.token, other.admin.token, second.token, again, shared];
  const ids = new Set<string>();
  for (const token of tokens) {
    const reply = await app.call(token, "POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get("idempotent-replayed"), null);
    ids.add(reply.body.id);
  }
  assert.equal(ids.size, tokens.length);
});

Deno.test("an answer is stored for 24 hours, then the key is free", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const call = async () => await admin.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  const first = await call();
  app.clock.move(day - 1);
  assert.equal((await call()).text, first.text);
  app.clock.move(1);
  const later = await call();
  assert.equal(later.status, 201);
  assert.equal(later.headers.get("idempotent-replayed"), null);
  assert.notEqual(later.body.id, first.body.id);
  assert.equal((await call()).text, later.text);
});

Deno.test("a replay needs valid access: 401 and 403 come first", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  await user.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"));
  const end = sql`delete from access_tokens where user_id = ${user.id}`;
  await app.deps.db.write([end]);
  app.deps.callerCache.noteCommit([end]);
  assert.equal((await user.call("POST", "/v1/accounts", makeNamed("x"), makeKeyHeader("k"))).status, 401);
});

Deno.test("the answer of a call without changes is stored too", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  let runs = 0;
  await using probe = startProbe(app, [
    endpoint(
      { ...common, method: "put", path: "/v1/idle", operation: "idle" },
      () => Promise.resolve(ok({ n: ++runs })),
    ),
  ]);
  const first = await probe.call(admin.token, "PUT", "/v1/idle", undefined, makeKeyHeader("k"));
  const second = await probe.call(admin.token, "PUT", "/v1/idle", undefined, makeKeyHeader("k"));
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(runs, 1);
});

Deno.test("a change whose body has the id 0 fails when its batch assigns none", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const answer = { status: 201, body: { id: 0, n: 1 } } as const;
  await using probe = startProbe(app, [
    endpoint(
      { ...common, method: "post", path: "/v1/unborn", operation: "unborn" },
      async (ctx) => await commit(ctx, { statements: [], answer }),
    ),
  ]);
  assert.equal(
    (await probe.call(admin.token, "POST", "/v1/unborn", undefined, makeKeyHeader("k"))).status,
    500,
  );
});

Deno.test("secrets in a stored answer are encrypted and replayed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const secret = "whisper-whisper";
  await using probe = startProbe(app, [
    endpoint(
      { ...common, method: "post", path: "/v1/secrets", operation: "secret" },
      async (ctx) =>
        await commit(ctx, {
          statements: [],
          answer: { status: 201, body: { name: "x", secret, n: 1.5 }, secrets: ["secret"] },
        }),
    ),
  ]);
  const first = await probe.call(admin.token, "POST", "/v1/secrets", undefined, makeKeyHeader("k"));
  assert.equal(first.body.secret, secret);
  const second = await probe.call(admin.token, "POST", "/v1/secrets", undefined, makeKeyHeader("k"));
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  const [kept] = await app.sql("select * from idempotency_keys");
  assert.ok(!JSON.stringify(kept).includes(secret));
  for (const file of [app.file, `${app.file}-wal`]) {
    assert.ok(!new TextDecoder("latin1").decode(await Deno.readFile(file)).includes(secret), file);
  }
});

Deno.test("a client without a user has separate keys", async () => {
  await using app = await startApp();
  const token = await app.trustedClient();
  let runs = 0;
  await using probe = startProbe(app, [
    declareClientEndpoint(
      "trusted",
      { ...common, method: "post", path: "/v1/made", operation: "made" },
      () => Promise.resolve(ok({ n: ++runs })),
    ),
  ]);
  for (let n = 0; n < 2; n++) {
    assert.deepEqual((await probe.call(token, "POST", "/v1/made", undefined, makeKeyHeader("k"))).body, {
      n: 1,
    });
  }
});

const common = {
  tag: "Test",
  summary: "Test",
  answers: { 200: { description: "Done.", schema: z.object({ n: z.number() }) } },
};
