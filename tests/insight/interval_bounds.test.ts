import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

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
