import assert from "node:assert/strict";
import { composeStampedId } from "../../src/db/outbox.ts";
import { sql } from "../../src/db/statements.ts";
import { start, startApp } from "../support/app.ts";

Deno.test("ids from a statement are unique, have version 7 and its moment, and rise from statement to statement", async () => {
  await using app = await startApp();
  const rows = JSON.stringify(Array.from({ length: 1000 }));
  const given: string[][] = [];
  for (let n = 0; n < 3; n++) {
    const { sql: id, args } = composeStampedId(start, sql`key`);
    given.push(
      (await app.sql(`select ${id} as id from json_each(?)`, ...args, rows)).map(({ id }) => String(id)),
    );
  }
  const time = start.toString(16).padStart(12, "0");
  for (const id of given.flat()) {
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    assert.equal(id.replace("-", "").slice(0, 12), time);
  }
  assert.equal(new Set(given.flat()).size, 3000);
  const [first, second, third] = given.map((ids) => ids.toSorted());
  assert.ok(first!.at(-1)! < second![0]! && second!.at(-1)! < third![0]!);
});
