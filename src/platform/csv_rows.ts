/** Reads csv from a stream, by `csv-parse`. It is loaded where it is first used. */
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** A file that cannot be read on: `row` is where, from 1, the first line included. */
export class UnreadableCsv extends Error {
  override readonly name = "UnreadableCsv";

  constructor(readonly row: number, message: string) {
    super(message);
  }
}

/** Bytes of a row: 500 cells of the longest text. An unclosed quote would collect the rest of the file. */
const mostBytes = 33 * 1024 * 1024;

/**
 * Returns the rows of a text: quotes by RFC 4180, line ends of every kind. Leaves out lines without a
 * character. Reads no further than the rows are taken. Throws UnreadableCsv.
 */
export async function* readCsvRows(
  text: ReadableStream<string>,
  delimiter: string,
): AsyncGenerator<string[]> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: mostBytes,
  });
  const source = Readable.fromWeb(text as NodeStream<string>);
  source.on("error", (error) => parser.destroy(error));
  let row = 0;
  try {
    for await (const cells of source.pipe(parser)) {
      row++;
      yield cells as string[];
    }
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith("CSV_")) {
      throw new UnreadableCsv(row + 1, faults[code] ?? "The line cannot be read.");
    }
    throw error;
  } finally {
    source.destroy();
  }
}

const faults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "A quote is not closed.",
  CSV_MAX_RECORD_SIZE: "The row is too long: a quote may not be closed.",
};
