import assert from "node:assert/strict";
import { eventNames } from "../../src/core/events.ts";
import { Webhook } from "../../src/delivery/webhooks/record.ts";
import { WebhookEventList, WebhookList } from "../../src/delivery/webhooks/schema.ts";
import { type Actor, type Reply, startApp, type TestApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";

const hook = "https://hooks.example.org/crm";

async function subscribe(actor: Actor, body: Record<string, unknown> = {}, headers = {}): Promise<Reply> {
  return await actor.call("POST", "/v1/webhooks", { target_url: hook, webhook_event: "*", ...body }, headers);
}

function withApp(
  name: string,
  test: (app: TestApp) => Promise<void>,
  env: Record<string, string> = {},
): void {
  Deno.test(name, async () => {
    await using app = await startApp(env);
    await test(app);
  });
}

function codes(reply: Reply): string[] {
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
}

withApp("every event can be subscribed to and has a fixed id", async (app) => {
  const { admin } = await app.company();
  const { status, body } = await admin.call("GET", "/v1/webhook-events");
  assert.equal(status, 200);
  const { data } = WebhookEventList.parse(body);
  assert.deepEqual(data.map(({ event_name }) => event_name), [...eventNames]);
  assert.deepEqual(data.map(({ id }) => id), eventNames.map((_, index) => index + 1));
});

withApp("POST and GET return the same subscription", async (app) => {
  const { admin } = await app.company();
  const made = await subscribe(admin, {
    webhook_event: "lead_created",
    verification_token: "s3cret",
    scope: "user",
  });
  assert.equal(made.status, 201);
  const { id, ...shown } = Webhook.strict().parse(made.body);
  assert.deepEqual(shown, {
    user_id: admin.id,
    target_url: hook,
    webhook_event: { id: eventNames.indexOf("lead_created") + 1, event_name: "lead_created" },
    verification_token: "s3cret",
    scope: "user",
    success_status: "200",
    ordered: false,
    paused: false,
    inherited_at: null,
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  const read = await admin.call("GET", `/v1/webhooks/${id}`);
  assert.equal(read.text, made.text);
  const listed = await admin.call("GET", "/v1/webhooks");
  assert.deepEqual(WebhookList.parse(listed.body), { data: [made.body] });
});

withApp(
  "with only a target and an event, everything that the user sees is sent unsigned",
  async (app) => {
    const { admin } = await app.company();
    const { body } = await subscribe(admin);
    assert.deepEqual(body.webhook_event, { id: 0, event_name: "*" });
    assert.deepEqual([body.verification_token, body.scope], [null, "global"]);
  },
);

withApp("users list their own subscriptions, an admin the company's, without others' tokens", async (app) => {
  const company = await app.company();
  const elsewhere = await app.company();
  const user = await company.user({ rights: ["webhooks.manage"] });
  const own = await subscribe(user, { verification_token: "mine" });
  await subscribe(company.admin, { target_url: `${hook}/2`, verification_token: "theirs" });
  await subscribe(elsewhere.admin, { verification_token: "foreign" });
  assert.deepEqual((await user.call("GET", "/v1/webhooks")).body.data, [own.body]);
  const all = (await company.admin.call("GET", "/v1/webhooks")).body.data;
  const tokens = all.map((one: { verification_token: string | null }) => one.verification_token);
  assert.deepEqual(tokens, [null, "theirs"]);
  const foreign = await company.admin.call("GET", `/v1/webhooks/${own.body.id}`);
  assert.equal(foreign.body.verification_token, null);
});

withApp("a subscription of another user or company is 404", async (app) => {
  const company = await app.company();
  const { body } = await subscribe(company.admin);
  const user = await company.user({ rights: ["webhooks.manage"] });
  const stranger = (await app.company()).admin;
  for (const actor of [user, stranger]) {
    for (const method of ["GET", "DELETE"]) {
      assert.equal((await actor.call(method, `/v1/webhooks/${body.id}`)).status, 404);
    }
  }
  assert.equal((await company.admin.call("GET", `/v1/webhooks/${body.id}`)).status, 200);
});

withApp("subscribing needs the right webhooks.manage", async (app) => {
  const company = await app.company();
  const user = await company.user();
  assert.equal((await subscribe(user)).status, 403);
  assert.equal((await user.call("DELETE", "/v1/webhooks/1")).status, 403);
  assert.equal((await user.call("GET", "/v1/webhooks")).status, 200);
});

withApp("a URL is subscribed once in a company, until it is unsubscribed", async (app) => {
  const company = await app.company();
  const first = await subscribe(company.admin);
  assert.deepEqual(codes(await subscribe(company.admin, { webhook_event: "lead_created" })), [
    "target_url unique",
  ]);
  assert.equal((await subscribe((await app.company()).admin)).status, 201);
  assert.equal((await company.admin.call("DELETE", `/v1/webhooks/${first.body.id}`)).status, 204);
  assert.equal((await subscribe(company.admin)).status, 201);
});

withApp("two spellings of one address are one URL, and the fragment plays no part", async (app) => {
  const { admin } = await app.company();
  const at = async (target_url: string) => codes(await subscribe(admin, { target_url }));
  const first = await subscribe(admin, { target_url: "https://hooks.example.org" });
  assert.equal(first.body.target_url, "https://hooks.example.org");
  const spellings = [
    "https://hooks.example.org/",
    "https://HOOKS.example.org:443",
    "https://hooks.example.org/a/..#b",
  ];
  for (const spelling of spellings) assert.deepEqual(await at(spelling), ["target_url unique"], spelling);
  const other = await subscribe(admin, { target_url: "https://hooks.example.org/other" });
  const move = { target_url: "https://hooks.example.org:443/" };
  assert.deepEqual(codes(await admin.call("PUT", `/v1/webhooks/${other.body.id}`, move)), [
    "target_url unique",
  ]);
  assert.equal((await admin.call("PUT", `/v1/webhooks/${first.body.id}`, move)).status, 200);
  // A row from before the compared form was kept counts too.
  await app.deps.db.write([{ sql: "update webhooks set target_key = null", args: [] }]);
  assert.deepEqual(await at("https://hooks.example.org"), ["target_url unique"]);
});

withApp("twenty at once subscribe a URL once", async (app) => {
  const { admin } = await app.company();
  const replies = await Promise.all(Array.from({ length: 20 }, () => subscribe(admin)));
  assert.equal(replies.filter(({ status }) => status === 201).length, 1);
  assert.equal(replies.filter(({ status }) => status === 422).length, 19);
});

withApp("invalid fields of a subscription are refused one by one", async (app) => {
  const { admin } = await app.company();
  const readRefusal = async (body: Record<string, unknown>) => codes(await subscribe(admin, body));
  assert.deepEqual(codes(await admin.call("POST", "/v1/webhooks", {})), [
    "target_url required",
    "webhook_event required",
  ]);
  for (
    const target_url of [
      "",
      "hooks",
      "ftp://example.org/",
      "//example.org",
      "https://",
      "http://ada:x@example.org/",
    ]
  ) {
    assert.deepEqual(await readRefusal({ target_url }), ["target_url format"], target_url);
  }
  assert.deepEqual(await readRefusal({ target_url: `${hook}/${"x".repeat(2048)}` }), ["target_url max"]);
  assert.deepEqual(await readRefusal({ target_url: 7 }), ["target_url type"]);
  assert.deepEqual(await readRefusal({ webhook_event: "lead_exploded" }), ["webhook_event enum"]);
  assert.deepEqual(await readRefusal({ verification_token: "" }), ["verification_token min"]);
  assert.deepEqual(await readRefusal({ verification_token: "x".repeat(256) }), ["verification_token max"]);
  assert.deepEqual(await readRefusal({ scope: "team" }), ["scope enum"]);
  assert.deepEqual(await readRefusal({ success_status: "3xx" }), ["success_status enum"]);
  const longest = { target_url: hook.padEnd(2048, "x"), verification_token: "x".repeat(255) };
  assert.equal((await subscribe(admin, longest)).status, 201);
});

withApp("an address inside the service's own network is refused", async (app) => {
  const { admin } = await app.company();
  for (const host of ["127.0.0.1", "localhost", "2130706433", "[::1]", "10.1.2.3", "169.254.169.254"]) {
    const refused = await subscribe(admin, { target_url: `http://${host}/hook` });
    assert.deepEqual(codes(refused), ["target_url format"], host);
    assert.match(refused.body.errors[0].message, /WEBHOOK_ALLOW_PRIVATE=true/, host);
  }
  const never = await subscribe(admin, { target_url: "http://ada:secret@127.0.0.1/hook" });
  assert.doesNotMatch(never.text, /WEBHOOK_ALLOW_PRIVATE/);
}, { WEBHOOK_ALLOW_PRIVATE: "false" });

withApp("a token is stored sealed, and a repeated call still returns it", async (app) => {
  const { admin } = await app.company();
  const token = "correct horse battery staple";
  const key = { "Idempotency-Key": "k1" };
  const first = await subscribe(admin, { verification_token: token }, key);
  const again = await subscribe(admin, { verification_token: token }, key);
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.body.verification_token, token);
  const stored = await app.sql(
    "select verification_token from webhooks union all select body || sealed from idempotency_keys",
  );
  assert.equal(stored.length, 2);
  assert.ok(!JSON.stringify(stored).includes(token));
});

withApp("unsubscribing ends waiting deliveries, and If-Match guards it", async (app) => {
  const company = await app.company();
  const target = startTarget({ answers: [500] });
  try {
    const { body, headers } = await subscribe(company.admin, { target_url: target.url });
    const path = `/v1/webhooks/${body.id}`;
    await company.admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada Ltd" }] });
    await target.waitForCount(1);
    await app.idle();
    assert.equal((await company.admin.call("DELETE", path, undefined, { "If-Match": '"old"' })).status, 412);
    const etag = headers.get("etag")!;
    assert.equal((await company.admin.call("DELETE", path, undefined, { "If-Match": etag })).status, 204);
    assert.deepEqual(await app.sql("select status from deliveries"), [{ status: "failed" }]);
    assert.equal((await company.admin.call("GET", path)).status, 404);
    assert.equal((await company.admin.call("DELETE", path)).status, 404);
    await company.admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Bob Ltd" }] });
    await app.idle();
    assert.equal(target.received.length, 1);
  } finally {
    await target.close();
  }
});

withApp(
  "an event arrives right after the call that caused it, with the body that GET answers",
  async (app) => {
    const { admin } = await app.company();
    const target = startTarget();
    try {
      await subscribe(admin, { target_url: target.url });
      const made = await admin.call("POST", "/v1/accounts", {
        fixed_fields: [{ name: "name", value: "Ada Ltd" }],
      });
      const sent = await target.waitFor(
        ({ headers }) => headers.get("x-service-event") === "account_created",
        2_000,
      );
      assert.equal(sent.text, (await admin.call("GET", `/v1/accounts/${made.body.id}`)).text);
      assert.equal(sent.headers.get("x-service-executor-user"), String(admin.id));
    } finally {
      await target.close();
    }
  },
);
