/** A batch is its calls, one after the other. */
import assert from "node:assert/strict";
import { type Actor, type Reply, startApp } from "../support/app.ts";

interface Request {
  readonly id?: string | null;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

const send = (
  actor: Actor,
  requests: readonly unknown[],
  more: object = {},
  headers: Record<string, string> = {},
) => actor.call("POST", "/v1/batch", { requests, ...more }, headers);
const get = (path: string): Request => ({ method: "GET", path });
const make = (name: string): Request => ({
  method: "POST",
  path: "/v1/accounts",
  body: { fixed_fields: [{ name: "name", value: name }] },
});
const statuses = (reply: Reply) => reply.body.responses.map(({ status }: { status: number }) => status);

Deno.test("a batch gives the answers of its calls, byte for byte, and their headers", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = await admin.call("POST", "/v1/accounts", make("Ada Ltd").body);
  const { id } = account.body;
  const paths = [
    `/v1/accounts/${id}`,
    "/v1/accounts?search=ada&per_page=5&page=1",
    "/v1/accounts?per_page=0",
    "/v1/accounts/x",
    "/v1/nothing",
    "/v1/accounts?unknown=1",
  ];
  const requestId = { "X-Request-Id": "r" };
  const reply = await send(admin, paths.map((path) => ({ ...get(path), headers: requestId })));
  assert.deepEqual([reply.status, reply.headers.get("etag")], [200, null]);
  const changing = new Set([
    "date",
    "connection",
    "keep-alive",
    "content-length",
    "vary",
    "transfer-encoding",
  ]);
  for (const [n, path] of paths.entries()) {
    const single = await admin.call("GET", path, undefined, requestId);
    const { id, status, headers, body } = reply.body.responses[n];
    assert.deepEqual([id, status], [null, single.status]);
    assert.ok(reply.text.includes(`"body":${single.text}}`), path);
    assert.deepEqual(body, single.body);
    const expected = [...single.headers].filter(([name]) => !changing.has(name));
    assert.deepEqual(Object.entries(headers).filter(([name]) => !changing.has(name)), expected);
  }
  const etag = account.headers.get("etag")!;
  const others = await send(admin, [
    { ...get(`/v1/accounts/${id}`), id: "kept", headers: { "if-none-match": etag } },
    {
      method: "PUT",
      path: `/v1/accounts/${id}`,
      body: { external_id: "7" },
      headers: { "If-Match": '"other"', "X-Unknown": 5 },
    },
    { method: "DELETE", path: `/v1/accounts/${id}` },
    { method: "POST", path: "/v1/files/avatar" },
  ]);
  assert.deepEqual(statuses(others).slice(0, 3), [304, 412, 204]);
  assert.deepEqual([others.body.responses[0].id, others.body.responses[0].body], ["kept", null]);
  assert.deepEqual([others.body.responses[2].id, others.body.responses[2].body], [null, null]);
});

Deno.test("each call of a batch has its own rights, token, key, limit and log line", async () => {
  await using app = await startApp({ RATE_LIMIT: "8/60" });
  const { admin, user } = await app.company();
  const seller = await user();
  const refused = await send(seller, [get("/v1/me"), {
    method: "POST",
    path: "/v1/teams",
    body: { name: "N" },
  }]);
  assert.deepEqual(statuses(refused), [200, 403]);
  const routes = app.log.entries.filter(({ event }) => event === "request").map(({ route }) => route);
  assert.deepEqual(routes.slice(-3), ["/v1/me", "/v1/teams", "/v1/batch"]);

  const key = "k".repeat(250);
  const requests = [make("One"), get("/v1/accounts"), {
    ...make("Two"),
    headers: { "Idempotency-Key": "own" },
  }];
  const first = await send(admin, requests, {}, { "Idempotency-Key": key });
  assert.deepEqual(statuses(first), [201, 200, 201]);
  const again = await send(admin, [requests[0], requests[1], make("Other")], {}, { "Idempotency-Key": key });
  assert.deepEqual(statuses(again), [201, 200, 201]);
  const [replayed, read] = again.body.responses;
  assert.equal(replayed.headers["idempotent-replayed"], "true");
  assert.deepEqual(replayed.body, first.body.responses[0].body);
  assert.equal(read.body.pagination.total, 2);
  const changed = await send(admin, [make("Third"), get("/v1/me")], {}, { "Idempotency-Key": key });
  assert.deepEqual(statuses(changed), [422, 200]);
  assert.equal(changed.body.responses[0].body.code, "idempotency_mismatch");
  const limited = await send(admin, [get("/v1/me"), get("/v1/me")]);
  assert.deepEqual(statuses(limited), [429, 429]);
  assert.equal(limited.body.responses[0].headers["retry-after"], "60");
  app.clock.move(60_000);
  const ended = await send(admin, [
    get("/v1/me"),
    { method: "DELETE", path: `/v1/tokens/${admin.token}` },
    get("/v1/me"),
  ]);
  assert.deepEqual(statuses(ended), [200, 204, 401]);
});

Deno.test("calls after the first error are not run if the batch says so, nor those after 16 MiB", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const go = [make("One"), get("/v1/accounts/x"), make("Two")];
  assert.deepEqual(statuses(await send(admin, go)), [201, 404, 201]);
  const stopped = await send(admin, go, { stop_on_error: true });
  assert.deepEqual(statuses(stopped), [201, 404, 424]);
  assert.equal(stopped.body.responses[2].body.code, "not_run");
  assert.equal((await admin.call("GET", "/v1/accounts")).body.pagination.total, 3);

  const field = await admin.call("POST", "/v1/fields/account", { label: "Text", type: "multi_line" });
  const custom_fields = [{ id: field.body.id, value: "x".repeat(16_000) }];
  await send(
    admin,
    Array.from(
      { length: 50 },
      () => ({ ...make("L"), body: { ...make("L").body as object, custom_fields } }),
    ),
  );
  const large = await send(admin, Array.from({ length: 50 }, () => get("/v1/accounts?per_page=100")));
  const done = statuses(large).filter((status: number) => status === 200).length;
  const bytes = JSON.stringify(large.body.responses[0].body).length;
  assert.equal(done, Math.ceil(16 * 1024 * 1024 / bytes));
  assert.deepEqual(new Set(statuses(large).slice(done)), new Set([424]));
});

Deno.test("other calls run between the calls of a batch", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await send(admin, [get("/v1/accounts")]);
  const countAnswered = () => app.log.entries.filter(({ event }) => event === "request").length;
  const before = countAnswered();
  const seen = new Set<number>();
  const timer = setInterval(() => seen.add(countAnswered() - before), 1);
  const reply = await send(admin, Array.from({ length: 50 }, () => get("/v1/accounts")));
  clearInterval(timer);
  assert.deepEqual(new Set(statuses(reply)), new Set([200]));
  assert.ok([...seen].some((n) => n > 0 && n < 50), [...seen].join());
});

Deno.test("a fault in a batch refuses all of it, with its place", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const cases: [unknown, string, string][] = [
    [{ method: "HEAD", path: "/v1/me" }, "enum", "requests[1].method"],
    [{ path: "/v1/me" }, "required", "requests[1].method"],
    [{ method: "GET" }, "required", "requests[1].path"],
    [{ method: "GET", path: 5 }, "type", "requests[1].path"],
    [{ ...get("/v1/me"), id: 5 }, "type", "requests[1].id"],
    ...[
      "v1/me",
      "/me",
      "/v1",
      "https://127.0.0.1/v1/me",
      "//127.0.0.1/v1/me",
      "/v1/../docs",
      "/v1/a/%2E%2e/../x",
      "/v1/..",
      "/v1/\\..\\x",
      "/v1/.\t./x",
      "/v1/me#x",
    ].map((path): [unknown, string, string] => [
      get(path),
      "format",
      "requests[1].path",
    ]),
    ...["/v1/batch", "/v1/batch?x=1", "/v1/%62atch", "/v1/events/stream?after=now"].map((
      path,
    ): [unknown, string, string] => [{ method: "POST", path }, "excluded", "requests[1].path"]),
    ...["Authorization", "cookie", "HOST"].map((name): [unknown, string, string] => [
      { ...get("/v1/me"), headers: { [name]: "x" } },
      "excluded",
      `requests[1].headers.${name}`,
    ]),
  ];
  for (const [request, code, path] of cases) {
    const { status, body } = await send(admin, [make("Nothing"), request]);
    assert.deepEqual(
      [status, body.errors?.[0].code, body.errors?.[0].path],
      [422, code, path],
      JSON.stringify(request),
    );
  }
  for (
    const [body, code] of [[{}, "required"], [{ requests: [] }, "min"], [{ requests: 5 }, "type"], [
      { requests: Array.from({ length: 51 }, () => get("/v1/me")) },
      "max",
    ]] as const
  ) {
    const reply = await admin.call("POST", "/v1/batch", body);
    assert.deepEqual([reply.status, reply.body.errors[0].code, reply.body.errors[0].path], [
      422,
      code,
      "requests",
    ]);
  }
  const long = await send(admin, [make("Nothing")], {}, { "Idempotency-Key": "k".repeat(251) });
  assert.deepEqual([long.status, long.body.errors[0].path], [422, "header.Idempotency-Key"]);
  assert.equal((await app.call(null, "POST", "/v1/batch", { requests: [get("/v1/me")] })).status, 401);
  const dots = await send(admin, [get("/v1/accounts?search=..%2F..")]);
  assert.deepEqual(statuses(dots), [200]);
  assert.equal((await admin.call("GET", "/v1/accounts")).body.pagination.total, 0);
});

Deno.test("attempts at passwords and mails of resets count in a batch as alone", async () => {
  await using app = await startApp();
  const company = await app.company();
  const member = await company.user({});
  const guess = (n: number): Request => ({
    method: "PUT",
    path: `/v1/companies/${company.id}/users/${member.id}/password`,
    body: { old_password: `a wrong guess ${n}`, new_password: "a new password of mine" },
  });
  const guesses = await send(member, Array.from({ length: 15 }, (_, n) => guess(n)));
  const found = statuses(guesses) as number[];
  const first = found.indexOf(429);
  assert.ok(first > 0, `${found}`);
  assert.deepEqual(found, found.map((_, n) => n < first ? 422 : 429));
  const { path, body } = guess(99);
  assert.equal((await member.call("PUT", path, body)).status, 429, "and beside the batch");
  const trusted = await company.token(company.admin.id, true);
  const reset = (email: string): Request => ({ method: "POST", path: "/v1/reset-password", body: { email } });
  const known = (await member.call("GET", "/v1/me")).body.email as string;
  const askEightTimes = async (email: string) => {
    const requests = Array.from({ length: 8 }, () => reset(email));
    return statuses(await app.call(trusted, "POST", "/v1/batch", { requests })) as number[];
  };
  const ofKnown = await askEightTimes(known);
  assert.deepEqual(ofKnown, Array(8).fill(204));
  assert.deepEqual(await askEightTimes("nobody@example.org"), ofKnown, "which accounts exist does not show");
  await app.idle();
  const mails = app.mailer.sent.filter(({ to }) => to === known).length;
  assert.equal(mails, 5);
});
