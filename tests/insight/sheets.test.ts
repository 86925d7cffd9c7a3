import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { HyperFormula } from "hyperformula";
import readXlsxFile from "read-excel-file/universal";
import { writeCsv } from "../../src/insight/exports/csv.ts";
import { type CellValue, sliceRows, type WriteSheet } from "../../src/insight/exports/sheet.ts";
import { writeXlsx } from "../../src/insight/exports/xlsx.ts";

type Read = (bytes: Uint8Array<ArrayBuffer>) => Promise<(string | number | null)[][]>;

const formats: Record<string, { readonly write: WriteSheet; readonly read: Read }> = {
  csv: {
    write: writeCsv,
    // Spreadsheets begin a new row at each of these.
    read: (bytes) =>
      Promise.resolve(
        parse(new TextDecoder().decode(bytes), { record_delimiter: ["\r\n", "\n", "\r"] }),
      ),
  },
  xlsx: {
    write: writeXlsx,
    read: async (bytes) => {
      const [sheet] = await readXlsxFile(new Blob([bytes]), { trim: false });
      return sheet!.data as (string | number | null)[][];
    },
  },
};

/** The rows in three slices. */
function thirds<R>(rows: readonly R[]): R[][] {
  return [0, 1, 2].map((third) => rows.slice(third * sliceRows, (third + 1) * sliceRows));
}

const formulas = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "\t=1+1",
  "\r=1+1",
  '=HYPERLINK("http://127.0.0.1/","x")',
  "=cmd|' /C calc'!A0",
  "＝1+1",
  "\r=1+1\r",
];

Deno.test("a formula behind blanks, no-break and zero-width spaces is text too; csv quotes every text", async () => {
  const hidden = [" =1+1", "\u00a0=1+1", "\u200b=1+1", "\ufeff\u2060 @x"];
  const rows = [...hidden, "a;=1+1", " plain"].map((text) => [text]);
  const bytes = await writeCsv({ columns: ["a"], slices: [rows] });
  assert.deepEqual(new TextDecoder().decode(bytes).split("\r\n"), [
    '"a"',
    ...hidden.map((text) => `"'${text}"`),
    '"a;=1+1"',
    '" plain"',
    "",
  ]);
});

for (const [format, { write, read }] of Object.entries(formats)) {
  Deno.test(`${format}: no text evaluates as a formula`, async () => {
    const rows = formulas.map((text) => [text, 2]);
    const [columns, ...cells] = await read(await write({ columns: ["=1+1", "value"], slices: [rows] }));
    assert.deepEqual(columns, ["'=1+1", "value"]);
    assert.deepEqual(cells.map(([text]) => text), formulas.map((text) => `'${text}`));
    const opened = HyperFormula.buildFromArray(cells, { licenseKey: "gpl-v3" });
    assert.deepEqual(opened.getSheetFormulas(0), []);
    assert.deepEqual(opened.getSheetValues(0).map(([text]) => text), formulas);
    opened.destroy();
  });

  Deno.test(`${format}: text, numbers and empty cells stay what they are`, async () => {
    const texts = [
      "a,b",
      'say "hi"',
      "two\r\nlines",
      "line\n=1+1",
      "line\r=1+1",
      "Łódź 🚲 <&>",
      " spaced ",
      "_x0041_",
      "007",
      "2026-01-31 10:00:00",
    ];
    const numbers = [0, -3, 1.005, 1e21, 123_456_789.12];
    const rows: CellValue[][] = [
      ...texts.map((text) => [text, null]),
      ...numbers.map((number) => ["n", number]),
    ];
    const [, ...cells] = await read(await write({ columns: ["text", "number"], slices: [rows] }));
    assert.deepEqual(cells.slice(0, texts.length).map(([text]) => text), texts);
    const numbersRead = cells.slice(texts.length).map(([, number]) => number);
    assert.deepEqual(numbersRead, format === "csv" ? numbers.map(String) : numbers);
    assert.ok(cells.slice(0, texts.length).every(([, empty]) => empty === null || empty === ""));
  });

  Deno.test(`${format}: a sheet of several slices has every row once, and other work runs in between`, async () => {
    const rows = Array.from({ length: 3 * sliceRows }, (_, index) => [`row ${index}`, index]);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const bytes = await write({ columns: ["name", "value"], slices: thirds(rows) });
    clearInterval(timer);
    assert.ok(turns >= 2, `${turns} turns`);
    const [, ...cells] = await read(bytes);
    assert.deepEqual(cells.map(([, value]) => Number(value)), rows.map(([, value]) => value));
  });

  Deno.test(`${format}: a sheet without rows has its columns`, async () => {
    assert.deepEqual(await read(await write({ columns: ["indicator", "value"], slices: [] })), [[
      "indicator",
      "value",
    ]]);
  });
}

Deno.test("csv: begins with a byte order mark and ends lines with CRLF", async () => {
  const bytes = await writeCsv({ columns: ["a", "b"], slices: [[["é", 1.5]]] });
  assert.equal(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), '\ufeff"a","b"\r\n"é",1.5\r\n');
});

Deno.test("xlsx: text that XML does not allow and very long text are written", async () => {
  const text = `a\u0001b\ud800c${"x".repeat(40_000)}`;
  const [, cells] = await formats.xlsx!.read(await writeXlsx({ columns: ["a"], slices: [[[text]]] }));
  assert.equal(String(cells![0]).length, 32_767);
});

Deno.test("xlsx: a small workbook takes little memory, which stays taken until the next garbage collection", async () => {
  const sheet = { columns: ["a"], slices: [[["x"]]] };
  await writeXlsx(sheet);
  const before = Deno.memoryUsage().external;
  await writeXlsx(sheet);
  const taken = Deno.memoryUsage().external - before;
  assert.ok(taken < 1024 * 1024, `${taken} bytes`);
});
