/** What the formats of exports share: a table of values, and text that no spreadsheet takes for a formula. */

export type CellValue = string | number | null;

export type SheetRow = readonly CellValue[];

/** A table with the names of its columns, whose rows are read a slice at a time: about `sliceRows`. */
export interface Sheet {
  readonly columns: readonly string[];
  readonly slices: AsyncIterable<readonly SheetRow[]> | Iterable<readonly SheetRow[]>;
}

/** Writes a sheet as the bytes of a file. Gives other calls their turn after each slice. */
export type WriteSheet = (sheet: Sheet) => Promise<Uint8Array<ArrayBuffer>>;

/** The rows of a slice, which takes a few milliseconds to write. */
export const sliceRows = 250;

/**
 * Characters that begin a formula in Excel, LibreOffice or Google Sheets, in their wide forms too, also behind
 * white space and characters without width, which some of them skip.
 */
const formulaStart = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;

/** Puts `'` in front of text that a spreadsheet would take for a formula. */
export function plainText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** Yields the names of the columns, and then the slices. */
export async function* yieldSlices({ columns, slices }: Sheet): AsyncGenerator<readonly SheetRow[]> {
  yield [columns];
  for await (const rows of slices) {
    yield rows;
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
