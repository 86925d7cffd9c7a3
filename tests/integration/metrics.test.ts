/** `GET /metrics`: who reads it, and what its figures count. */
import assert from "node:assert/strict";
import { deliverDue } from "../../src/delivery/webhooks/deliver.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { makeSales } from "../sales/leads_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { projectRoot } from "../support/process.ts";

const token = "operations";
const startMeasured = () => startApp({ METRICS_TOKEN: token });

async function read(app: TestApp): Promise<string> {
  const { status, text } = await app.call(token, "GET", "/metrics");
  assert.equal(status, 200, text);
  return text;
}

/** Returns the value of a sample such as `name{label="value"}`; undefined: there is none. */
async function readValue(app: TestApp, sample: string): Promise<number | undefined> {
  const line = (await read(app)).split("\n").find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

Deno.test("without METRICS_TOKEN there is no such path", async () => {
  await using app = await startApp();
  assert.equal((await app.call(null, "GET", "/metrics")).status, 404);
  assert.equal((await app.call("x", "GET", "/metrics")).status, 404);
});

Deno.test("only the token of METRICS_TOKEN reads the figures", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  for (const other of [null, "operation", "operations2", admin.token]) {
    const { status, body, headers } = await app.call(other, "GET", "/metrics");
    assert.deepEqual([status, body.code, headers.get("www-authenticate")], [
      401,
      "unauthenticated",
      "Bearer",
    ]);
  }
  const { status, headers, text } = await app.call(token, "GET", "/metrics");
  assert.deepEqual(
    [status, headers.get("content-type"), headers.get("cache-control")],
    [200, "text/plain; version=0.0.4; charset=utf-8", "no-store"],
  );
  assert.equal((await app.call(token, "HEAD", "/metrics")).status, 200);
  // Each figure begins with its help and its type, and each line is a sample of the figure above it.
  const names = [...text.matchAll(/^# HELP (\w+) .+\n# TYPE \1 (counter|gauge|histogram)$/gm)];
  assert.deepEqual(names.map(([, name]) => name), [
    "wayline_http_requests_total",
    "wayline_http_request_duration_seconds",
    "wayline_webhook_attempts_total",
    "wayline_mails_total",
    "wayline_write_queue_seconds",
    "wayline_event_readers",
    "wayline_waiting",
    "wayline_late_seconds",
    "wayline_database_size_bytes",
  ]);
  let current = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, about] = /^# (?:HELP|TYPE) (\w+) /.exec(line) ?? [];
    if (about) current = about;
    else {assert.match(
        line,
        new RegExp(String.raw`^${current}(_bucket|_sum|_count)?(\{[^{}]+\})? [\d.e+-]+$`),
      );}
  }
});

Deno.test("outcomes are there from the start, at 0", async () => {
  await using app = await startMeasured();
  const lines = (await read(app)).split("\n").filter((line) => line.includes("{outcome="));
  assert.deepEqual(lines, [
    'wayline_webhook_attempts_total{outcome="delivered"} 0',
    'wayline_webhook_attempts_total{outcome="retried"} 0',
    'wayline_webhook_attempts_total{outcome="failed"} 0',
    'wayline_mails_total{outcome="sent"} 0',
    'wayline_mails_total{outcome="failed"} 0',
  ]);
});

Deno.test("requests count by method, declared path and status; unknown ones share a route", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
  await admin.call("GET", `/v1/accounts/${made.body.id}`);
  await admin.call("GET", `/v1/accounts/${made.body.id}`);
  await admin.call("GET", "/v1/accounts/0193b0a6-0000-7000-8000-000000000000");
  await admin.call("GET", "/v1/nothing");
  await admin.call("PROPFIND", "/v1/nothing");
  await admin.call("POST", "/v1/batch", {
    requests: [{ method: "GET", path: `/v1/accounts/${made.body.id}` }, { method: "GET", path: "/v1/me" }],
  });
  const text = await read(app);
  const requests = text.split("\n").filter((line) => line.startsWith("wayline_http_requests_total{"));
  assert.deepEqual(requests.sort(), [
    'wayline_http_requests_total{method="GET",route="/v1/accounts/:account_id",status="200"} 3',
    'wayline_http_requests_total{method="GET",route="/v1/accounts/:account_id",status="404"} 1',
    'wayline_http_requests_total{method="GET",route="/v1/me",status="200"} 1',
    'wayline_http_requests_total{method="GET",route="none",status="404"} 1',
    'wayline_http_requests_total{method="POST",route="/v1/accounts",status="201"} 1',
    'wayline_http_requests_total{method="POST",route="/v1/batch",status="200"} 1',
    'wayline_http_requests_total{method="other",route="none",status="404"} 1',
  ]);
  const count = 'wayline_http_request_duration_seconds_count{method="GET",route="/v1/accounts/:account_id"}';
  const most =
    'wayline_http_request_duration_seconds_bucket{method="GET",route="/v1/accounts/:account_id",le="+Inf"}';
  assert.deepEqual([await readValue(app, count), await readValue(app, most)], [4, 4]);
  assert.equal(text.includes(made.body.id), false);
});

Deno.test("attempts count as delivered, failed and retried, and what waits becomes late", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  const target = startTarget();
  try {
    const made = await admin.call("POST", "/v1/webhooks", {
      target_url: target.url,
      webhook_event: "account_created",
    });
    assert.equal(made.status, 201, made.text);
    target.answer(500, 200);
    const attempts = (outcome: string) =>
      readValue(app, `wayline_webhook_attempts_total{outcome="${outcome}"}`);
    await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
    await app.idle();
    assert.deepEqual([await attempts("delivered"), await attempts("failed"), await attempts("retried")], [
      0,
      1,
      1,
    ]);
    assert.equal(await readValue(app, 'wayline_waiting{kind="webhook_deliveries"}'), 1);
    assert.equal(await readValue(app, 'wayline_late_seconds{kind="webhook_deliveries"}'), 0);
    app.clock.move(11 * 60_000);
    assert.equal(await readValue(app, 'wayline_late_seconds{kind="webhook_deliveries"}'), 600);
    await deliverDue(app.deps);
    assert.deepEqual([await attempts("delivered"), await attempts("failed"), await attempts("retried")], [
      1,
      1,
      1,
    ]);
    assert.equal(await readValue(app, 'wayline_waiting{kind="webhook_deliveries"}'), 0);
  } finally {
    await target.close();
  }
});

Deno.test("an attempt after which the target is gone fails, and is not retried", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  const target = startTarget();
  try {
    await admin.call("POST", "/v1/webhooks", { target_url: target.url, webhook_event: "account_created" });
    target.answer(410);
    await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
    await app.idle();
    assert.equal(await readValue(app, 'wayline_webhook_attempts_total{outcome="failed"}'), 1);
    assert.equal(await readValue(app, 'wayline_webhook_attempts_total{outcome="retried"}'), 0);
  } finally {
    await target.close();
  }
});

Deno.test("mails count when a server takes them, and wait until then", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  await app.deps.db.write([{
    sql: `insert into mails (id, to_address, subject, body, status, due_at, created_at, expires_at, lane)
      values ('0193b0a6-0000-7000-8000-000000000000', 'a@example.com', 's', 'x', 'pending', ?, '2026-03-02 09:00:00', ?, 0)`,
    args: [app.clock.now() - 30_000, app.clock.now() + 86_400_000],
  }]);
  assert.equal(await readValue(app, 'wayline_waiting{kind="mails"}'), 1);
  assert.equal(await readValue(app, 'wayline_late_seconds{kind="mails"}'), 30);
  // It cannot be opened, which is tried again.
  await sendDueMails(app.deps, app.clock.now());
  assert.equal(await readValue(app, 'wayline_mails_total{outcome="failed"}'), 0);
  await app.deps.db.write([{ sql: "delete from mails", args: [] }]);
  const invited = await admin.call("POST", `/v1/companies/${admin.companyId}/invitations`, {
    email: "ada@example.com",
  });
  assert.equal(invited.status, 201, invited.text);
  await app.idle();
  await sendDueMails(app.deps, app.clock.now());
  assert.equal(await readValue(app, 'wayline_mails_total{outcome="sent"}'), app.mailer.sent.length);
  assert.equal(app.mailer.sent.length, 1);
});

Deno.test("countdowns of leads and ends of tasks wait as timers", async () => {
  await using app = await startMeasured();
  const place = await makeSales(app);
  const timers = () => readValue(app, 'wayline_waiting{kind="timers"}');
  const late = () => readValue(app, 'wayline_late_seconds{kind="timers"}');
  assert.deepEqual([await timers(), await late()], [0, 0]);
  await place.lead();
  assert.deepEqual([await timers(), await late()], [1, 0]);
  app.clock.move(90 * 60_000);
  assert.deepEqual([await timers(), await late()], [1, 30 * 60]);
});

Deno.test("writes are timed, and the size is that of the file", async () => {
  await using app = await startMeasured();
  const { admin } = await app.company();
  const count = async () => (await readValue(app, "wayline_write_queue_seconds_count"))!;
  const before = await count();
  await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada" }] });
  assert.ok(await count() > before);
  const [size] = await app.sql(
    "select page_count * page_size as n from pragma_page_count(), pragma_page_size()",
  );
  assert.equal(await readValue(app, "wayline_database_size_bytes"), size!.n);
  assert.ok(Number(size!.n) > 100_000);
});

Deno.test("the dashboard and the guide name only figures that exist", async () => {
  await using app = await startMeasured();
  await app.call(null, "GET", "/health");
  const text = await read(app);
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]));
  const dashboard = JSON.parse(await Deno.readTextFile(`${projectRoot}src/docs/operations/grafana.json`));
  const queries = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr)
  );
  assert.ok(queries.length > 9);
  const guide = await Deno.readTextFile(`${projectRoot}src/docs/guides/metrics.md`);
  const listUsed = (place: string) => [...place.matchAll(/\bwayline_\w+/g)].map(([name]) => name);
  const shown = new Set(queries.flatMap(listUsed));
  for (const name of [...shown, ...listUsed(guide)] as string[]) {
    const figure = name.replace(/_(bucket|sum|count)$/, "");
    assert.ok(types.get(name) ?? types.get(figure) === "histogram", name);
  }
  // The dashboard has all of them, and labels that the figures have.
  for (const name of types.keys()) {
    assert.ok([...shown].some((each) => (each as string).startsWith(name)), `${name} is on the dashboard`);
    assert.ok(guide.includes(name), `${name} is in the guide`);
  }
  const labels = new Set(["le", "method", "route", "status", "outcome", "kind"]);
  for (const query of queries) {
    for (const [, named] of query.matchAll(/by \(([^)]*)\)/g)) {
      for (const label of named!.split(", ")) assert.ok(labels.has(label), query);
    }
  }
});
