/** What is made for a moment is bounded, and goes with its link. */
import assert from "node:assert/strict";
import { counts, keptForMoment } from "../../src/core/budgets.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { announceForMoment } from "../../src/db/objects.ts";
import { sql } from "../../src/db/statements.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, startApp } from "../support/app.ts";

const preview = (actor: Actor) => actor.call("POST", "/v1/templates/preview/email", { content: "x" });

Deno.test("a user makes 120 previews in a minute, and waits for the next", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const member = await company.user();
  for (let count = 0; count < 120; count++) assert.equal((await preview(admin)).status, 200);
  const refused = await preview(admin);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"], refused.text);
  const wait = Number(refused.headers.get("retry-after"));
  assert.ok(wait > 0 && wait <= 60, `${wait}`);
  assert.equal((await preview(member)).status, 200);
  app.clock.move(61_000);
  assert.equal((await preview(admin)).status, 200);
});

Deno.test("the previews of a company take bounded bytes, and go with their links", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const now = app.clock.now();
  const kept = {
    key: "previews/kept",
    type: "text/html",
    bytes: { length: keptForMoment.bytes } as Uint8Array,
  };
  await app.deps.db.write(announceForMoment({ now, at: formatTimestamp(now) }, admin.companyId, kept));
  app.clock.move(240_000);
  const refused = await preview(admin);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"], refused.text);
  assert.equal(refused.headers.get("retry-after"), "60");
  const other = await app.company();
  assert.equal((await preview(other.admin)).status, 200);
  app.clock.move(61_000);
  const link = (await preview(admin)).body.download_url;
  assert.equal((await fetch(link)).status, 200);
  app.clock.move(301_000);
  await runJobs(app.deps, app.clock.now());
  const [left] = await app.deps.db.read([sql`select key from objects where key like 'previews/%'`]);
  assert.deepEqual(left!.rows, []);
  assert.equal(await app.deps.storage.get(new URL(link).pathname.slice(1)), null);
});

Deno.test("a user makes 120 charts in a minute, and a company keeps a bounded number of them", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = {
    kind: "metrics",
    indicators: ["leads.created"],
    start_at: "2026-01-01 00:00:00",
    end_at: "2026-02-01 00:00:00",
  };
  const chart = (actor: Actor) => actor.call("POST", "/v1/reports/charts", body);
  for (let count = 0; count < 120; count++) {
    const made = await chart(admin);
    assert.equal(made.status, 200, made.text);
  }
  const refused = await chart(admin);
  assert.deepEqual([refused.status, refused.body.code], [429, "rate_limited"], refused.text);
  app.clock.move(61_000);
  const expires = app.clock.now() + 3_600_000;
  await app.deps.db.write([
    sql`insert into report_charts (id, company_id, svg, expires_at, created_at)
      select 'chart-' || value, ${admin.companyId}, '<svg/>', ${expires}, ''
      from json_each(${JSON.stringify(Array.from({ length: keptForMoment.charts }, (_, index) => index))})`,
  ]);
  const full = await chart(admin);
  assert.deepEqual([full.status, full.headers.get("retry-after")], [429, "3600"], full.text);
  app.clock.move(3_600_001);
  await runJobs(app.deps, app.clock.now());
  assert.equal((await chart(admin)).status, 200);
});

Deno.test("a company keeps a bounded number of delivered reports, the newest", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company();
  for (
    const [companyId, number] of [[admin.companyId, counts.keptReports], [other.admin.companyId, 1]] as const
  ) {
    await app.deps.db.write([
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${number})
        insert into report_deliveries (id, company_id, user_id, start_at, end_at, data, created_at)
        select ${`${companyId}-`} || i, ${companyId}, ${admin.id}, '', '', '{}', printf('2020-01-01 %06d', i) from n`,
      sql`insert into report_readers (report_id, user_id) values (${`${companyId}-1`}, ${admin.id})`,
    ]);
  }
  const body = { notify: { users: [admin.id] }, message: "Look" };
  const reply = await admin.call("POST", "/v1/reports/performance/notify", body);
  assert.equal(reply.status, 204, reply.text);
  const [kept, readers] = await app.deps.db.read([
    sql`select count(*) as number, sum(id = ${`${admin.companyId}-1`}) as oldest,
      sum(id = ${`${admin.companyId}-2`}) as second from report_deliveries where company_id = ${admin.companyId}`,
    sql`select report_id from report_readers where report_id in (${`${admin.companyId}-1`},
      ${`${other.admin.companyId}-1`})`,
  ]);
  assert.deepEqual({ ...kept!.rows[0] }, { number: counts.keptReports, oldest: 0, second: 1 });
  assert.deepEqual(readers!.rows.map(({ report_id }) => report_id), [`${other.admin.companyId}-1`]);
});

Deno.test("of previews that are asked for at once, a user gets as many as one after the other", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const replies = await Promise.all(Array.from({ length: 130 }, () => preview(admin)));
  const statuses = Map.groupBy(replies, ({ status }) => status);
  assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
  assert.deepEqual([statuses.get(200)!.length, statuses.get(429)!.length], [120, 10]);
});
