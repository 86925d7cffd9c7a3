/** Reads the rows of a file, one after the other. */
import { readCsvRows, UnreadableCsv } from "../../platform/csv_rows.ts";
import { decoding, type Encoding } from "./encoding.ts";
import { unguardText } from "./guard.ts";

/** How a file is read. `delimiter` is of csv alone. */
export interface Reading {
  readonly format: "csv" | "ndjson";
  readonly encoding: Encoding;
  readonly delimiter: string;
}

/** A value as the file has it: text in csv, any JSON value in ndjson, absent as undefined. */
export type FileCell = unknown;

export interface FileRow {
  /** From 1, without the header. */
  readonly row: number;
  /** The cells in the order of the columns; null: a line of ndjson that is no object, or too long. */
  readonly cells: readonly FileCell[] | null;
  /** Whether it is a line of ndjson with more than `longestLine` characters, which are not read. */
  readonly isTooLong?: boolean;
}

/** A file that cannot be read to its end. `row` is counted as in FileRow; 0 is the header. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";

  constructor(readonly row: number, message: string) {
    super(message);
  }
}

/** The columns of a file, and its rows. */
export interface FileRows {
  /** The names of the columns that are known so far; ndjson may add some with each row. */
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<FileRow>;
}

/** Opens a file. A csv file has its names in its first row. Throws UnreadableFile. */
export async function openRows(bytes: ReadableStream<Uint8Array>, reading: Reading): Promise<FileRows> {
  const text = bytes.pipeThrough(decoding(reading.encoding));
  return reading.format === "csv" ? await openCsv(text, reading.delimiter) : openLines(text);
}

async function openCsv(text: ReadableStream<string>, delimiter: string): Promise<FileRows> {
  const found = readCsvRows(text, delimiter);
  const columns = (await readNext(found) ?? []).map(unguardText);
  return {
    columns,
    rows: (async function* () {
      let row = 0;
      for (let cells = await readNext(found); cells; cells = await readNext(found)) {
        yield { row: ++row, cells: columns.map((_, index) => cells![index]) };
      }
    })(),
  };
}

/** Returns the next row, null at the end. */
async function readNext(rows: AsyncGenerator<string[]>): Promise<string[] | null> {
  try {
    const { done, value } = await rows.next();
    return done ? null : value;
  } catch (error) {
    if (error instanceof UnreadableCsv) throw new UnreadableFile(error.row - 1, error.message);
    throw error;
  }
}

/** Characters of a line of ndjson: as many as the body of a call has bytes, and more than any record takes. */
export const longestLine = 1024 * 1024;

function openLines(text: ReadableStream<string>): FileRows {
  const columns: string[] = [];
  const places = new Map<string, number>();
  return {
    columns,
    rows: (async function* () {
      let row = 0;
      for await (const line of splitLines(text)) {
        if (line === null) {
          yield { row: ++row, cells: null, isTooLong: true };
          continue;
        }
        const record = parseObject(line);
        for (const name of Object.keys(record ?? {})) {
          if (!places.has(name)) places.set(name, columns.push(name) - 1);
        }
        yield {
          row: ++row,
          cells: record && columns.map((name) => Object.hasOwn(record, name) ? record[name] : undefined),
        };
      }
    })(),
  };
}

/** Returns the object of a line, null when it is none. */
function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : null;
  } catch {
    return null;
  }
}

/** Returns the lines that have a character; null for one that is too long, which is not kept. */
async function* splitLines(text: ReadableStream<string>): AsyncGenerator<string | null> {
  /** Pieces of the line that has not ended yet: joining them at once would read a long line again and again. */
  let pieces: string[] = [];
  let length = 0;
  const line = () => length > longestLine ? null : pieces.join("");
  for await (const piece of text) {
    // Lines without a character are left out, so each half of a line end may count as one.
    for (const [place, part] of piece.split(/[\r\n]/).entries()) {
      if (place > 0) {
        if (length > 0) yield line();
        [pieces, length] = [[], 0];
      }
      length += part.length;
      if (length > longestLine) pieces = [];
      else pieces.push(part);
    }
  }
  if (length > 0) yield line();
}
