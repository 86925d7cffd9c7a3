/** Sheets as CSV: UTF-8 with a byte order mark, commas, CRLF, quotes by RFC 4180. */
import { stringify } from "csv-stringify/sync";
import { joinChunks, plainText, slicesOf, type WriteSheet } from "./sheet.ts";

/** Spreadsheets begin a row at a lone CR or LF too; the library quotes CRLF only. */
const lineBreak = /[\r\n]/;

export const writeCsv: WriteSheet = async (sheet) => {
  const encoder = new TextEncoder();
  const chunks = [encoder.encode("\ufeff")];
  for await (const rows of slicesOf(sheet)) {
    const cells = rows.map((row) => row.map((cell) => typeof cell === "string" ? plainText(cell) : cell));
    const options = { record_delimiter: "windows", quoted_match: lineBreak };
    chunks.push(encoder.encode(stringify(cells, options)));
  }
  return joinChunks(chunks);
};
