import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";

Deno.test("intervals at both ends of time begin and end at timestamps", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const parsed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  for (const interval of ["year", "quarter", "month", "week", "day", "hour"]) {
    for (
      const [start_at, end_at] of [
        ["0000-01-01 00:00:00", "0000-01-20 00:00:00"],
        ["9999-12-10 00:00:00", "9999-12-31 23:59:59"],
      ]
    ) {
      const query = new URLSearchParams({
        indicators: "cases.open",
        interval,
        start_at: start_at!,
        end_at: end_at!,
      });
      const { status, body } = await admin.call("GET", `/v1/reports/time-series?group_by=company&${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      for (const row of body.data) {
        assert.match(row.start_at, parsed, interval);
        assert.match(row.end_at, parsed, interval);
        assert.ok(row.start_at < row.end_at, `${interval}: ${row.start_at} to ${row.end_at}`);
      }
      assert.ok(body.data[0].start_at <= start_at! && body.data.at(-1).end_at >= end_at!, interval);
    }
  }
});

Deno.test("intervals before 1970 begin before what they count, and a time without a beginning is a month long", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = { fixed_fields: [{ name: "name", value: "Bank" }], created_at: "1965-07-20 22:07:15" };
  assert.equal((await admin.call("POST", "/v1/accounts", account)).status, 201);
  const ask = async (given: Record<string, string>) => {
    const query = new URLSearchParams({ indicators: "accounts.b2b.created", group_by: "company", ...given });
    const { status, body, text } = await admin.call("GET", `/v1/reports/time-series?${query}`);
    assert.equal(status, 200, text);
    return body.data.map((row: Body) => [row.start_at, row.value]);
  };
  const time = { start_at: "1965-07-20 22:07:10", end_at: "1965-07-20 22:07:40" };
  assert.deepEqual(await ask({ interval: "hour", ...time }), [["1965-07-20 22:00:00", 1]]);
  assert.deepEqual(await ask({ interval: "minute", ...time }), [["1965-07-20 22:07:00", 1]]);
  const monthTo = (end_at: string) => ask({ interval: "year", end_at });
  assert.deepEqual(await monthTo("1965-08-20 22:07:15"), [["1965-01-01 00:00:00", 1]]);
  assert.deepEqual(await monthTo("1965-08-20 22:07:16"), [["1965-01-01 00:00:00", 0]]);
});
