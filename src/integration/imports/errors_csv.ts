/** The rows of a file that have failed, to mend and import again. */
import { type Answer, document } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { Encoding } from "../reading/encoding.ts";
import { clearingMark, guardText, unguardText } from "../reading/guard.ts";
import { type Cell, openRows } from "../reading/rows.ts";
import { joinValues } from "../reading/words.ts";
import { bytesOf } from "./file_rows.ts";
import type { Layout } from "./inspect.ts";
import { importOf, importRead } from "./queries.ts";

/** Returns a csv file: the columns of the import's file, and `error` behind them. */
export async function getErrorRows(ctx: Context, id: string): Promise<Answer<string>> {
  const { db, storage } = ctx.deps;
  const [found, errors] = await db.read([
    importRead(ctx.caller.companyId, id),
    sql`select row, group_concat(iif("column" is null, message, "column" || ': ' || message), ' ') as error
      from (select row, "column", message from import_errors where import_id = ${id} order by row, seq) group by row order by row`,
  ]);
  const row = importOf(ctx, found!);
  if (row.object_key === null) throw conflict("import_state", "The file of the import is gone.");
  const faults = new Map(errors!.rows.map(({ row, error }) => [Number(row), String(error)]));
  const { columns } = JSON.parse(row.reading) as Layout;
  const isCsv = row.format === "csv";
  const lines = [lineOf([...columns.map(({ name }) => name), "error"])];
  if (faults.size > 0) {
    const file = await openRows(await bytesOf(storage, row.object_key), {
      format: row.format,
      encoding: row.encoding as Encoding,
      delimiter: row.delimiter ?? ",",
    });
    let left = faults.size;
    for await (const { row: number, cells } of file.rows) {
      const fault = faults.get(number);
      if (fault === undefined) continue;
      const texts = columns.map((_, place) => textOf(cells?.[place], isCsv));
      lines.push(lineOf([...texts, guardText(fault)]));
      if (--left === 0) break;
    }
  }
  return document("text/csv; charset=utf-8", `\ufeff${lines.join("")}`, {
    "Content-Disposition": `attachment; filename="errors.csv"`,
  });
}

/** The cell as an import reads it again. */
function textOf(cell: Cell, isCsv: boolean): string {
  if (cell === undefined) return "";
  if (cell === null) return clearingMark;
  if (Array.isArray(cell)) return guardText(joinValues(cell.map(String)));
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  if (typeof cell !== "string") return guardText(JSON.stringify(cell));
  if (!isCsv) return guardText(cell);
  return cell === clearingMark ? cell : guardText(unguardText(cell));
}

function lineOf(cells: readonly string[]): string {
  return `${
    cells.map((cell) => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(",")
  }\r\n`;
}
