/** What the formats of exports share: a table of values, and text that no spreadsheet takes for a formula. */

export type CellValue = string | number | null;

/** A table whose first row has the names of the columns. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CellValue[])[];
}

/** Writes a sheet as the bytes of a file. Gives other calls their turn after each `sliceRows`. */
export type WriteSheet = (sheet: Sheet) => Promise<Uint8Array<ArrayBuffer>>;

/** Rows that are written at a time: a few milliseconds. */
export const sliceRows = 250;

/** Characters that begin a formula in Excel, LibreOffice or Google Sheets, in their wide forms too. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** Puts `'` in front of text that a spreadsheet would take for a formula. */
export function plainText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** Yields the rows in slices, the names of the columns first. */
export async function* slicesOf({ columns, rows }: Sheet): AsyncGenerator<(readonly CellValue[])[]> {
  for (let from = 0; from <= rows.length; from += sliceRows) {
    const slice = rows.slice(from, from + sliceRows);
    yield from === 0 ? [columns, ...slice] : slice;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Joins chunks of bytes. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
