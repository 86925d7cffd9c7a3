/** Cells that are made to keep a reader busy: each reader takes a time that grows with the cell, not its square. */
import { simplifyName } from "../../../src/core/text.ts";
import assert from "node:assert/strict";
import { isEmptyDay, OrderJudge, readDate, readTimestamp } from "../../../src/integration/reading/dates.ts";
import { guardText, unguardText } from "../../../src/integration/reading/guard.ts";
import { readNumber } from "../../../src/integration/reading/numbers.ts";
import {
  findCountry,
  joinValues,
  readBoolean,
  splitName,
  splitValues,
} from "../../../src/integration/reading/words.ts";

/** Characters of the longest cell that is read. */
const longest = 65_535;
/** Parts of cells that make a careless pattern try one place again and again. */
const parts = [
  "T",
  "1",
  "1 ",
  "1,111",
  "'",
  "| ",
  "\\|",
  "\\",
  "-",
  ". ",
  "a ",
  "\u200b",
  "2026-01-01T",
  "van ",
  " ",
];
/** A square of the longest cell takes seconds, also on a fast machine; a busy one may need a fraction of one. */
const mostMs = 1_000;

const readers: Readonly<Record<string, (cell: string) => unknown>> = {
  readDate: (cell) => readDate(cell, "dmy"),
  isEmptyDay,
  readTimestamp: (cell) => readTimestamp(cell, "dmy", "Europe/Berlin"),
  OrderJudge: (cell) => new OrderJudge().add(cell),
  readNumber: (cell) => [readNumber(cell, ","), readNumber(cell, ".")],
  readBoolean,
  findCountry: (cell) => findCountry(cell, "de"),
  partName: splitName,
  partValues: splitValues,
  joinValues: (cell) => joinValues([cell]),
  guardText,
  unguardText,
  simplifyName,
};

for (const [name, read] of Object.entries(readers)) {
  Deno.test(`${name} reads the longest cell of each hostile kind without trying places again`, () => {
    for (const part of parts) {
      for (const end of ["", "x"]) {
        const cell = part.repeat(Math.ceil(longest / part.length)).slice(0, longest - end.length) + end;
        const start = performance.now();
        read(cell);
        const ms = performance.now() - start;
        assert.ok(ms < mostMs, `${JSON.stringify(part)} repeated, then "${end}": ${Math.round(ms)} ms`);
      }
    }
  });
}
