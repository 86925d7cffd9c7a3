/**
 * Sheets as CSV: UTF-8 with a byte order mark, commas, CRLF, quotes by RFC 4180. Every text is quoted: where a
 * spreadsheet parts cells at semicolons, one inside a text would begin a cell, and a formula behind it would run.
 */
import { stringify } from "csv-stringify/sync";
import { joinChunks, plainText, type WriteSheet, yieldSlices } from "./sheet.ts";

export const writeCsv: WriteSheet = async (sheet) => {
  const encoder = new TextEncoder();
  const chunks = [encoder.encode("\ufeff")];
  for await (const rows of yieldSlices(sheet)) {
    const cells = rows.map((row) => row.map((cell) => typeof cell === "string" ? plainText(cell) : cell));
    const options = { record_delimiter: "windows", quoted_string: true };
    chunks.push(encoder.encode(stringify(cells, options)));
  }
  return joinChunks(chunks);
};
