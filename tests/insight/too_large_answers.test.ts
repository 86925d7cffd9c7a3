import assert from "node:assert/strict";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { largest } from "./largest_series.ts";

Deno.test("an answer that long names make too large is refused by name", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  // Longer than the API accepts. With accepted lengths, it takes six groups with names to make rows of this
  // size.
  await app.deps.db.write([sql`update companies set name = ${"x".repeat(500)} where id = ${company.id}`]);
  const { status, body } = await admin.call("GET", `/v1/reports/time-series?${largest}`);
  assert.deepEqual([status, body.errors?.map(({ path, code }: Record<string, string>) => [path, code])], [
    422,
    [["query.group_by", "max"]],
  ]);
  assert.match(body.detail, /25 MiB/);
});
