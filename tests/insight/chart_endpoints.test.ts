import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { createApp } from "../../src/app.ts";
import { sql } from "../../src/db/statements.ts";
import { removeExpired } from "../../src/db/expiry.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";

const path = "/v1/reports/charts";
const indicators = "indicators=accounts.b2b.created";
const day = 86_400_000;

/** A company whose admin and a colleague of another team made accounts. */
async function sold(app: TestApp) {
  const company = await app.company();
  const [own, other] = [await company.team(), await company.team()];
  const colleague = await company.user({ teams: [other] });
  const names = { first_name: "<script>", last_name: "O'Hara & Sons" };
  await company.admin.call("PUT", `/v1/companies/${company.id}/users/${colleague.id}`, names);
  for (const by of [company.admin, company.admin, colleague]) {
    const made = await by.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Acme" }] });
    assert.equal(made.status, 201, made.text);
  }
  return { company, admin: company.admin, colleague, teams: [own, other] as const };
}

/** The text alternative of a chart. */
const readDescription = (svg: string) => /<desc>(.*?)<\/desc>/.exec(svg)?.[1];

async function createChart(by: Actor, body: unknown, headers?: Record<string, string>): Promise<string> {
  const reply = await by.call("POST", path, body, headers);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.url;
}

Deno.test("metrics are drawn as bars and time series as lines, of the figures that reports return", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const bars = await admin.call("GET", `${path}/metrics.svg?${indicators}&end_at=2026-03-02 10:00:00`);
  assert.equal(bars.status, 200, bars.text);
  assert.match(bars.text, /^<svg [^>]*role="img"[^>]*><title>Accounts B2B created by user<\/title>/);
  assert.equal(
    readDescription(bars.text),
    "2 Feb 2026, 10:00 – 2 Mar 2026, 10:00 (UTC). " +
      "Accounts B2B created: Ada Byron admin 2, &#60;script&#62; O&#39;Hara &#38; Sons 1.",
  );
  const lines = await admin.call(
    "GET",
    `${path}/time-series.svg?${indicators}&group_by=company&interval=week&end_at=2026-03-02 10:00:00`,
  );
  assert.match(lines.text, /<title>Accounts B2B created by company<\/title>/);
  assert.match(readDescription(lines.text)!, /from 0 to 3; .*, highest 3 \(2 Mar 2026\)\./);
});

Deno.test("compare=previous draws a second bar for the time before", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  app.clock.move(day);
  const query =
    `${indicators}&group_by=&compare=previous&start_at=2026-03-03 09:00:00&end_at=2026-03-04 09:00:00`;
  const { text } = await admin.call("GET", `${path}/metrics.svg?${query}`);
  assert.match(
    readDescription(text)!,
    /Accounts B2B created: All 0\. Accounts B2B created, before: All 3\.$/,
  );
});

Deno.test("a chart shows the figures that its caller may see", async () => {
  await using app = await startApp();
  const { company, teams: [own] } = await sold(app);
  // The seller sees the two accounts of no team, but not the account of the other team.
  const seller = await company.user({ teams: [own] });
  const query = `${indicators}&group_by=&end_at=2026-03-02 10:00:00`;
  assert.match(readDescription((await seller.call("GET", `${path}/metrics.svg?${query}`)).text)!, /All 2\.$/);
  const url = await createChart(seller, {
    kind: "metrics",
    indicators: ["accounts.b2b.created"],
    group_by: [],
  });
  assert.match(readDescription(await (await fetch(url)).text())!, /All 2\.$/);
});

Deno.test("a chart is an image that loads and runs nothing, with an ETag", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const query = `metrics.svg?${indicators}&end_at=2026-03-02 10:00:00`;
  const url = await createChart(admin, { kind: "metrics", indicators: ["accounts.b2b.created"] });
  const own = await fetch(url);
  const ownText = await own.text();
  const { headers, text } = await admin.call("GET", `${path}/${query}`);
  const policy = /^default-src 'none'; frame-ancestors 'none'; sandbox; style-src 'sha256-[\w+/]{43}='$/;
  for (const [found, svg] of [[headers, text], [own.headers, ownText]] as const) {
    assert.equal(found.get("content-type"), "image/svg+xml; charset=utf-8");
    assert.equal(found.get("x-content-type-options"), "nosniff");
    assert.equal(found.get("access-control-allow-origin"), "*");
    assert.match(found.get("content-security-policy")!, policy);
    assert.doesNotMatch(svg, /<script|<image|<foreignObject|href=|url\(|\son\w+=/i);
  }
  const again = await admin.call("GET", `${path}/${query}`, undefined, {
    "If-None-Match": headers.get("etag")!,
  });
  assert.deepEqual([again.status, again.text], [304, ""]);
  const fresh = await fetch(url, { headers: { "If-None-Match": own.headers.get("etag")! } });
  assert.deepEqual([fresh.status, await fresh.text()], [304, ""]);
  const head = await fetch(url, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
});

Deno.test("an address shows the chart as it was when it was made, without a token, for 24 hours", async () => {
  await using app = await startApp();
  const { admin, colleague } = await sold(app);
  const body = { kind: "time-series", indicators: ["accounts.b2b.created"], group_by: [], interval: "day" };
  const reply = await admin.call("POST", path, body);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.expires_at, "2026-03-03 09:00:00");
  const { url } = reply.body;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/charts\/[\w-]{43}\.svg$/);
  const first = await (await fetch(url)).text();
  assert.match(readDescription(first)!, /highest 3 \(2 Mar 2026\)/);
  await colleague.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Acme" }] });
  assert.equal(await (await fetch(url)).text(), first);
  app.clock.move(day - 1);
  assert.equal((await fetch(url)).status, 200);
  app.clock.move(1);
  const ended = await fetch(url);
  assert.deepEqual([ended.status, (await ended.json()).code], [404, "not_found"]);
  // More charts than one step removes.
  await app.deps.db.write([
    sql`insert into report_charts select 'copy' || value, company_id, svg, expires_at, created_at
      from report_charts, json_each(${JSON.stringify(Array.from({ length: 40 }, (_, n) => n))})`,
  ]);
  await createChart(admin, body);
  assert.ok(await removeExpired(app.deps, app.clock.now(), contributions.lifetimes) >= 41);
  assert.deepEqual(await app.sql("select count(*) as n from report_charts"), [{ n: 1 }]);
});

Deno.test("an address cannot be guessed or changed, and ends with its company", async () => {
  await using app = await startApp();
  const { admin, company } = await sold(app);
  const url = await createChart(admin, { kind: "metrics", indicators: ["users.total"] });
  const name = url.slice(url.lastIndexOf("/") + 1);
  const [{ id }] = await app.sql("select id from report_charts") as [{ id: string }];
  const changed = (name[3] === "A" ? "B" : "A") + name.slice(4);
  for (
    const other of [id, `${id}.svg`, name.slice(0, 3) + changed, name.replace(".svg", ""), ".svg", "%00.svg"]
  ) {
    const refused = await fetch(url.replace(name, other));
    assert.equal(refused.status, 404, other);
    await refused.body?.cancel();
  }
  await app.deps.db.write([
    sql`update companies set deleted_at = '2026-03-02 09:00:00' where id = ${company.id}`,
  ]);
  assert.equal((await fetch(url)).status, 404);
});

Deno.test("an idempotency key gives one address, and keeps it sealed", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const body = { kind: "metrics", indicators: ["users.total"] };
  const urls = await Promise.all([1, 2].map(() => createChart(admin, body, { "Idempotency-Key": "monday" })));
  app.clock.move(day / 2);
  assert.equal(await createChart(admin, body, { "Idempotency-Key": "monday" }), urls[0]);
  assert.equal(urls[0], urls[1]);
  assert.deepEqual(await app.sql("select count(*) as n from report_charts"), [{ n: 1 }]);
  const kept = JSON.stringify(await app.sql("select * from idempotency_keys"));
  assert.ok(!kept.includes(urls[0]!.slice(urls[0]!.lastIndexOf("/") + 1)));
});

Deno.test("wrong parameters of a chart are refused where they stand", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const asked = { kind: "time-series", indicators: ["users.total"] };
  const time = { start_at: "2026-01-01 00:00:00", end_at: "2026-03-01 00:00:00" };
  const faults: readonly (readonly [string, object | undefined, string, string])[] = [
    [`${path}/metrics.svg`, undefined, "query.indicators", "required"],
    [`${path}/metrics.svg?indicators=apples`, undefined, "query.indicators[0]", "enum"],
    [`${path}/time-series.svg?${indicators}&interval=fortnight`, undefined, "query.interval", "enum"],
    [`${path}/time-series.svg?${indicators}&interval=second`, undefined, "query.interval", "max"],
    [path, { ...asked, kind: "pie" }, "kind", "enum"],
    [path, { indicators: asked.indicators }, "kind", "required"],
    [path, { kind: "metrics" }, "indicators", "required"],
    [path, { ...asked, ...time, end_at: "2025-01-01 00:00:00" }, "end_at", "after"],
    [path, { ...asked, ...time, interval: "second" }, "interval", "max"],
    [path, { ...asked, interval: "fortnight" }, "interval", "enum"],
  ];
  for (const [at, body, field, code] of faults) {
    const refused = await admin.call(body ? "POST" : "GET", at, body);
    assert.equal(refused.status, 422, `${at} ${JSON.stringify(body)}: ${refused.text}`);
    const [error] = refused.body.errors;
    assert.deepEqual([error.path, error.code], [field, code]);
  }
  assert.equal((await admin.call("GET", `${path}/pie.svg?${indicators}`)).status, 404);
  assert.deepEqual(await app.sql("select count(*) as n from report_charts"), [{ n: 0 }]);
});

Deno.test("another key of the service opens no address of the first", async () => {
  await using app = await startApp();
  const { admin } = await sold(app);
  const url = await createChart(admin, { kind: "metrics", indicators: ["users.total"] });
  const other = createApp({ ...app.deps, secretsKey: new Uint8Array(32).fill(7) });
  assert.equal((await other.request(url)).status, 404);
});
