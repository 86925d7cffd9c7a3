/**
 * The apostrophe in front of texts that a spreadsheet would run as a formula, or that an import would take for
 * the mark that clears a value. It is reversible: what is guarded, unguarded is the text as it was.
 */

/** In csv, the cell that clears a value. */
export const clearingMark = "#N/A";

/** Apostrophes, blanks, no-break and zero-width characters, and then what begins a formula. */
const formula = /^['\s\u200b-\u200f\u2060\ufeff]*(?:[=+\-@]|[\t\r\n])/;

/** Returns the text without anything that a spreadsheet would run. */
export function guardText(text: string): string {
  return needsGuard(text) ? `'${text}` : text;
}

/**
 * Returns the text as the cell of a csv file. Every text is quoted: where a spreadsheet parts cells at semicolons, one
 * inside a text would begin a cell, and a formula behind it would run.
 */
export function writeTextCell(text: string): string {
  return quoteText(guardText(text));
}

/** Returns a quoted cell with exactly this text. */
export function quoteText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Returns the text of a csv cell without the apostrophe that `guardText` has put in front. */
export function unguardText(cell: string): string {
  return cell.startsWith("'") && needsGuard(cell.slice(1)) ? cell.slice(1) : cell;
}

function needsGuard(text: string): boolean {
  return formula.test(text) || (text.endsWith(clearingMark) && /^'*#N\/A$/.test(text));
}
