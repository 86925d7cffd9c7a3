import assert from "node:assert/strict";
import { computeFurthest, isStillAhead } from "../../src/core/clocks.ts";
import { isAhead, isPast } from "../../src/db/moments.ts";
import { literal, sql } from "../../src/db/statements.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { readSources } from "../structure/imports.ts";

const now = 1_000_000;
const day = 86_400_000;

/** Moments that are a day ahead at most when they are written, and whether they are to come. */
const moments: readonly (readonly [number, boolean])[] = [
  [now - 1, false],
  [now, false],
  [now + 1, true],
  [now + day, true],
  // Another process whose clock is a little ahead wrote it.
  [now + day + 60_000, true],
  // Nobody can have written it at this time.
  [now + day + 60_001, false],
];

Deno.test("a moment further away than any of its kind counts as past", () => {
  assert.deepEqual(
    moments.map(([moment]) => isStillAhead(moment, now, day)),
    moments.map(([, ahead]) => ahead),
  );
  assert.equal(computeFurthest(now, day), now + day + 60_000);
});

Deno.test("statements judge moments as the program does", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`);
    try {
      const reads = moments.flatMap(([moment]) =>
        [day, sql`${literal(day)}`].map((longest) => {
          const at = sql`${moment}`;
          return sql`select ${isAhead(at, now, longest)} as ahead, ${isPast(at, now, longest)} as past`;
        })
      );
      const found = (await db.read(reads)).map(({ rows }) => [rows[0]!.ahead, rows[0]!.past]);
      const each = moments.map(([, ahead]) => ahead ? [1, 0] : [0, 1]);
      assert.deepEqual(found, each.flatMap((one) => [one, one]));
    } finally {
      await db.close();
    }
  }));

/** Sources that compare a moment with the longest wait themselves, and why. */
const others: Readonly<Record<string, string>> = {
  "src/core/clocks.ts": "defines it",
  "src/db/objects.ts": "selects the objects kept for a moment, among those that wait longer",
  "src/http/call_limit.ts": "windows in memory, which one clock writes and reads",
  "src/insight/scheduled/periods.ts": "the calendar moves such a date to the present period",
};

Deno.test("no other source bounds moments by the clock", () => {
  const bound = /<= (?:\$\{\s*)?(?:(?:now|at) \+|computeFurthest\()/;
  const found = readSources(new URL("../../", import.meta.url)).filter(({ text }) => bound.test(text));
  assert.deepEqual(found.map(({ path }) => path).sort(), Object.keys(others));
});
