/** Reads a file to its end before anything is made of it: its columns, their first values, and how they are written. */
import { fieldError, invalid } from "../../core/errors.ts";
import { type Column, findColumn } from "../columns/catalogue.ts";
import { type DateOrder, findDateOrder, OrderJudge } from "../reading/dates.ts";
import { findDelimiter } from "../reading/delimiter.ts";
import { decoding, type Encoding } from "../reading/encoding.ts";
import { unguardText } from "../reading/guard.ts";
import { proposeMapping } from "../reading/headers.ts";
import { DecimalJudge, type DecimalSign } from "../reading/numbers.ts";
import { type FileCell, openRows, UnreadableFile } from "../reading/rows.ts";

/** The field of each column of the file; null: it is left out. */
export type Mapping = Readonly<Record<string, string | null>>;

export interface FileColumn {
  readonly name: string;
  /** Its first values that are not empty. */
  readonly samples: readonly string[];
  /** The order of its dates; null: it has none. */
  readonly date_format: DateOrder | null;
}

/** What is stored of a file, beside its encoding. */
export interface Layout {
  readonly columns: readonly FileColumn[];
  readonly mapping: Mapping;
}

/** What the caller says about the file. */
export interface Given {
  readonly format: "csv" | "ndjson";
  readonly mapping: Readonly<Record<string, string | null>> | null;
  readonly delimiter: string | null;
  readonly decimal: DecimalSign | null;
  readonly date_format: DateOrder | null;
}

/** A file that was read to its end. */
export interface Inspected extends Layout {
  /** The number of its rows, as far as it can be read. */
  readonly rows: number;
  readonly delimiter: string;
  readonly decimal: DecimalSign;
  /** Where the file cannot be read on, and why. */
  readonly fault: { readonly row: number; readonly message: string } | null;
}

/** The most columns of a file, and of the values that are shown of each. */
const mostColumns = 500;
const mostSamples = 3;
/** Characters of a shown value, and of the beginning in which the delimiter is found. */
const longestSample = 255;
const headLength = 64 * 1024;

/**
 * Inspects a file. `open` opens its bytes; `columns`: what can be set; `locale`: of the company. Throws 422 at
 * `file` for a file without anything to read, and at `mapping` for one that does not fit.
 */
export async function inspectFile(
  open: () => Promise<ReadableStream<Uint8Array>>,
  encoding: Encoding,
  given: Given,
  columns: readonly Column[],
  locale: string,
): Promise<Inspected> {
  const isCsv = given.format === "csv";
  const delimiter = given.delimiter ?? (isCsv ? findDelimiter(await readHead(open, encoding)) : ",");
  const samples: string[][] = [];
  const orders: OrderJudge[] = [];
  const decimals = new DecimalJudge();
  let [rows, fault, names]: [number, Inspected["fault"], readonly string[]] = [0, null, []];
  let mapping: Mapping = {};
  try {
    const file = await openRows(await open(), { format: given.format, encoding, delimiter });
    names = file.columns;
    if (isCsv) mapping = chooseMapping(names, given, columns);
    const numeric = new Set(
      names.flatMap((name, place) => findType(columns, mapping[name]) === "numeric" ? [place] : []),
    );
    for await (const { cells } of file.rows) {
      rows++;
      cells?.forEach((cell, place) => {
        const text = presentCellText(cell, isCsv);
        if (text === null) return;
        const shown = samples[place] ??= [];
        if (shown.length < mostSamples) shown.push(text.slice(0, longestSample));
        if (numeric.has(place)) decimals.add(text);
        if (typeof cell === "string") (orders[place] ??= new OrderJudge()).add(text);
      });
      if (names.length > mostColumns) break;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    fault = { row: error.row, message: error.message };
  }
  if (names.length === 0 && rows === 0 && !fault) throw unreadable("There is nothing to read in the file.");
  if (!isCsv || fault?.row === 0) mapping = chooseMapping(names, given, columns);
  const byLocale = given.date_format ?? findDateOrder(locale);
  return {
    rows,
    fault,
    delimiter,
    decimal: given.decimal ?? decimals.sign,
    mapping,
    columns: names.map((name, place) => ({
      name,
      samples: samples[place] ?? [],
      date_format: isDated(findType(columns, mapping[name]))
        ? given.date_format ?? orders[place]?.order ?? byLocale
        : null,
    })),
  };
}

/** 422 at `file`. */
export function unreadable(message: string) {
  return invalid(fieldError("file", "format", message));
}

const isDated = (type: Column["type"] | null) => type === "date" || type === "timestamp";

function findType(columns: readonly Column[], field: string | null | undefined): Column["type"] | null {
  return field ? findColumn(columns, field)?.type ?? null : null;
}

function presentCellText(cell: FileCell, isCsv: boolean): string | null {
  if (cell === undefined || cell === null || cell === "") return null;
  if (typeof cell === "string") return isCsv ? unguardText(cell) : cell;
  return JSON.stringify(cell);
}

async function readHead(
  open: () => Promise<ReadableStream<Uint8Array>>,
  encoding: Encoding,
): Promise<string> {
  let head = "";
  for await (const text of (await open()).pipeThrough(decoding(encoding))) {
    head += text;
    if (head.length >= headLength) break;
  }
  return head;
}

/** Returns the mapping that is given, checked, or the one that the names of the columns propose. */
function chooseMapping(names: readonly string[], { mapping }: Given, columns: readonly Column[]): Mapping {
  const named = names.filter((name) => name.trim() !== "");
  // A file may have a million columns: each is looked up once.
  const seen = new Set<string>();
  const twice = named.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) {
    throw invalid(fieldError("file", "unique", `The file has the column ${twice} twice.`));
  }
  if (names.length > mostColumns) {
    throw invalid(fieldError("file", "max", `A file has at most ${mostColumns} columns.`));
  }
  if (!mapping) return proposeFields(named, columns);
  const used = new Set<string>();
  // In the order of the file, because the members of an object have none of their own.
  const places = new Map(named.map((name, place) => [name, place]));
  const findPlace = ([column]: readonly [string, unknown]) => places.get(column) ?? named.length;
  const given = Object.entries(mapping).toSorted((one, other) => findPlace(one) - findPlace(other));
  const errors = given.flatMap(([column, field]) => {
    const at = `mapping.${column}`;
    if (!places.has(column)) return [fieldError(at, "exists", "The file has no such column.")];
    if (field === null) return [];
    if (!findColumn(columns, field)) return [fieldError(at, "unknown_field", "There is no such field.")];
    if (used.has(field)) return [fieldError(at, "unique", "Another column sets this field.")];
    used.add(field);
    return [];
  });
  if (errors.length > 0) throw invalid(...errors);
  // A column may have the name of what each object has, such as `constructor`.
  return Object.fromEntries(
    named.map((name) => [name, Object.hasOwn(mapping, name) ? mapping[name] ?? null : null]),
  );
}

/** Proposes fields by the names of columns. Each key of `lead_data` is a field of its own. */
function proposeFields(names: readonly string[], columns: readonly Column[]): Mapping {
  const settable = columns.filter(({ name }) => findColumn(columns, name));
  const mapping = proposeMapping(names, settable);
  const used = new Set(Object.values(mapping));
  for (const name of names) {
    const key = /^\s*lead[\s\-_]*data\s*\.(.*)$/is.exec(name)?.[1]?.trim();
    if (mapping[name] || !key || !findColumn(columns, `lead_data.${key}`)) continue;
    const field = `lead_data.${key}`;
    if (!used.has(field)) mapping[name] = field;
    used.add(field);
  }
  return mapping;
}
