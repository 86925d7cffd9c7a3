/** Writes rows as the bytes of a file, some rows at a time. */
import { writeTextCell } from "../reading/guard.ts";
import { joinValues } from "../reading/words.ts";
import type { Cell } from "./cells.ts";
import type { ExportFormat } from "./table.ts";

type Slices = AsyncIterable<readonly (readonly Cell[])[]>;

/** Makes the bytes of a file. Reads no more rows than it needs for the next bytes. */
type Write = (columns: readonly string[], slices: Slices) => AsyncIterable<Uint8Array>;

export const writers: Readonly<Record<ExportFormat, Write>> = {
  csv: writeCsv,
  ndjson: writeNdjson,
  xlsx: writeXlsx,
};

/** The most rows of a sheet, besides its head. */
export const mostSheetRows = 1_048_575;

const encoder = new TextEncoder();

async function* writeCsv(columns: readonly string[], slices: Slices): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`\ufeff${writeLine(columns)}`);
  for await (const rows of slices) yield encoder.encode(rows.map(writeLine).join(""));
}

function writeLine(cells: readonly Cell[]): string {
  // A line without a character would be no row.
  return `${cells.map(writeCsvCell).join(",") || '""'}\r\n`;
}

function writeCsvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  return writeTextCell(typeof cell === "string" ? cell : joinValues(cell));
}

async function* writeNdjson(columns: readonly string[], slices: Slices): AsyncGenerator<Uint8Array> {
  for await (const rows of slices) {
    const lines = rows.map((cells) =>
      `${JSON.stringify(Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? null])))}\n`
    );
    yield encoder.encode(lines.join(""));
  }
}

async function* writeXlsx(columns: readonly string[], slices: Slices): AsyncGenerator<Uint8Array> {
  // Loaded on first use.
  const { writeXlsxChunks } = await import("../../insight/exports/xlsx.ts");
  yield* writeXlsxChunks({ columns, slices: yieldTexts(slices) }, { name: "Export", isGuarded: false });
}

async function* yieldTexts(slices: Slices) {
  for await (const rows of slices) {
    yield rows.map((cells) =>
      cells.map((cell) => {
        if (typeof cell === "boolean") return String(cell);
        return typeof cell === "object" && cell !== null ? joinValues(cell) : cell;
      })
    );
  }
}
