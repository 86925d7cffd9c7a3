/** The rows of a file that have failed, to mend and import again. */
import { type Answer, document } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { OuterCall } from "../../http/endpoint.ts";
import type { Row } from "../../platform/database/database.ts";
import type { Encoding } from "../reading/encoding.ts";
import { clearingMark, quoteText, unguardText, writeTextCell } from "../reading/guard.ts";
import { type FileCell, openRows } from "../reading/rows.ts";
import { joinValues } from "../reading/words.ts";
import { openStoredFile } from "./file_rows.ts";
import type { Layout } from "./inspect.ts";
import { requireImport, selectImport } from "./queries.ts";
import type { ImportRow } from "./table.ts";

/** Faults that are read at once. */
const mostFaults = 1_000;
/** Characters of a piece, and of a file that is made whole before it is sent. */
const pieceLength = 64 * 1024;
const mostWhole = 1024 * 1024;

const type = "text/csv; charset=utf-8";
const attachment = { "Content-Disposition": `attachment; filename="errors.csv"` };

/**
 * Returns a csv file: the columns of the import's file, and `error` behind them. A large one is sent as it is made,
 * so that it is never in memory.
 */
export async function getErrorRows(
  ctx: Context,
  id: string,
  outer: OuterCall | null,
): Promise<Answer<string>> {
  const [found, faults] = await ctx.deps.db.read([
    selectImport(ctx.caller.companyId, id),
    selectFaultsAfter(id),
  ]);
  const row = requireImport(ctx, found!);
  const { object_key } = row;
  if (object_key === null) throw conflict("import_state", "The file of the import is gone.");
  const pieces = yieldPieces(ctx.deps, { ...row, object_key }, faults!.rows as FaultRow[]);
  const made: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return document(type, made.join(""), attachment);
    made.push(value);
    length += value.length;
    if (length > mostWhole) break;
  }
  const headers = { "Content-Type": type, "Cache-Control": "private, no-cache", ...attachment };
  if (outer?.request.method === "HEAD") {
    await pieces.return(undefined);
    return { status: 200, body: null, headers };
  }
  return { status: 200, body: null, headers, stream: makeStream(made, pieces) };
}

type Failed = Pick<ImportRow, "id" | "format" | "reading" | "encoding" | "delimiter"> & {
  readonly object_key: string;
};

/** Yields the text of the file. */
async function* yieldPieces(
  { db, storage }: Deps,
  row: Failed,
  first: readonly FaultRow[],
): AsyncGenerator<string, void, undefined> {
  const { columns } = JSON.parse(row.reading) as Layout;
  const isCsv = row.format === "csv";
  let piece = `\ufeff${writeLine([...columns.map(({ name }) => name), "error"].map(writeTextCell))}`;
  const faults = yieldFaults(db, row.id, first);
  let next = await faults.next();
  if (!next.done) {
    const { rows } = await openRows(await openStoredFile(storage, row.object_key), {
      format: row.format,
      encoding: row.encoding as Encoding,
      delimiter: row.delimiter ?? ",",
    });
    for await (const { row: number, cells } of rows) {
      if (number !== next.value.row) continue;
      const written = columns.map((_, place) => writeCell(cells?.[place], isCsv));
      piece += writeLine([...written, writeTextCell(next.value.error)]);
      next = await faults.next();
      if (next.done) break;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
      // With a fast storage nothing else waits. Lets other calls run in between.
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  yield piece;
}

/** A row, and its faults in one text. */
interface Failing {
  readonly row: number;
  error: string;
}

type FaultRow = Row & {
  readonly row: number;
  readonly seq: number;
  readonly column: string | null;
  readonly message: string;
};

/** The next faults of an import, behind one of a row. */
function selectFaultsAfter(id: string, row = 0, seq = 0): Sql {
  return sql`select row, seq, "column", message from import_errors where import_id = ${id}
    and (row, seq) > (${row}, ${seq}) order by row, seq limit ${bindRows(mostFaults)}`;
}

/** Yields the rows that have faults. `first`: the first faults. */
async function* yieldFaults(
  db: Deps["db"],
  id: string,
  first: readonly FaultRow[],
): AsyncGenerator<Failing, void, undefined> {
  let open: Failing | undefined;
  for (let rows = first;;) {
    for (const { row, column, message } of rows) {
      const fault = column === null ? message : `${column}: ${message}`;
      if (open?.row === row) open.error += ` ${fault}`;
      else {
        if (open) yield open;
        open = { row, error: fault };
      }
    }
    if (rows.length < mostFaults) break;
    const { row, seq } = rows.at(-1)!;
    const [found] = await db.read([selectFaultsAfter(id, row, seq)]);
    rows = found!.rows as FaultRow[];
  }
  if (open) yield open;
}

function makeStream(begun: string[], rest: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = begun.shift() ?? (await rest.next()).value as string | undefined;
      if (piece === undefined) controller.close();
      else controller.enqueue(utf8.encode(piece));
    },
    async cancel() {
      await rest.return(undefined);
    },
  }, { highWaterMark: 0 });
}

/** The cell as an import reads it again. */
function writeCell(cell: FileCell, isCsv: boolean): string {
  if (cell === undefined || cell === "") return "";
  if (cell === null) return quoteText(clearingMark);
  if (Array.isArray(cell)) return writeTextCell(joinValues(cell.map(String)));
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  if (typeof cell !== "string") return writeTextCell(JSON.stringify(cell));
  if (!isCsv) return writeTextCell(cell);
  return cell === clearingMark ? quoteText(cell) : writeTextCell(unguardText(cell));
}

function writeLine(cells: readonly string[]): string {
  // A line without a character would be no row.
  return `${cells.join(",") || '""'}\r\n`;
}
