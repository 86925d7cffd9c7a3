/** Reads the cells of a file as values of fields. */
import type { FieldCode } from "../../core/errors.ts";
import type { FieldOption } from "../../fields/fixed_fields.ts";
import { formatTimestamp } from "../../core/time.ts";
import type { Column } from "../columns/catalogue.ts";
import { type DateOrder, isEmptyDay, readDate, readTimestamp } from "../reading/dates.ts";
import { clearingMark, unguardText } from "../reading/guard.ts";
import { type DecimalSign, readNumber } from "../reading/numbers.ts";
import type { FileCell } from "../reading/rows.ts";
import { findCountry, findOption, readBoolean, splitValues } from "../reading/words.ts";

/** How the cells of a file are written. */
export interface Writing {
  readonly isCsv: boolean;
  readonly decimal: DecimalSign;
  readonly timeZone: string;
  /** The language of the company, such as `de`. */
  readonly language: string;
}

/** A value, null to clear; nothing; or why it does not read. */
export type ReadCell =
  | { readonly value: unknown }
  | { readonly fault: { readonly code: FieldCode; readonly message: string } }
  | null;

/** The longest text of a cell, in characters. */
const longest = 65_535;

const fault = (code: FieldCode, message: string): ReadCell => ({ fault: { code, message } });

/** Reads a cell for a column. Null: it is empty and changes nothing. */
export function readCell(
  cell: FileCell,
  column: Column,
  order: DateOrder | null,
  writing: Writing,
): ReadCell {
  if (cell === undefined || cell === "") return null;
  if (cell === null || (writing.isCsv && cell === clearingMark)) return { value: null };
  if (typeof cell === "string") return readText(cell, column, order, writing);
  const { type } = column;
  if (Array.isArray(cell) && type === "multiple_choice") {
    return readChoices(cell.map(String), listOptions(column, writing), column);
  }
  if (typeof cell === "number" && type === "numeric") return { value: cell };
  if (typeof cell === "boolean" && type === "boolean") return { value: cell };
  if (typeof cell === "number" || typeof cell === "boolean") {
    return readText(String(cell), column, order, writing);
  }
  return fault("type", "Must be a text, a number, true or false, or a list of choices.");
}

function readText(given: string, column: Column, order: DateOrder | null, writing: Writing): ReadCell {
  const text = writing.isCsv ? unguardText(given) : given;
  if (text.length > longest) return fault("max", `At most ${longest} characters.`);
  if (text.includes("\0") || !text.isWellFormed()) {
    return fault("format", "Must have no NUL and no half of a character.");
  }
  if (text.trim() === "") {
    return column.type === "text" || column.type === "multi_line" ? { value: text } : null;
  }
  switch (column.type) {
    case "text":
    case "multi_line":
      return { value: text };
    case "numeric": {
      const value = readNumber(text, writing.isCsv ? writing.decimal : ".");
      return value === null ? fault("type", "Must be a number.") : { value };
    }
    case "boolean": {
      const value = readBoolean(text);
      return value === null ? fault("type", "Must be true or false, yes or no, 1 or 0.") : { value };
    }
    case "date": {
      if (isEmptyDay(text)) return null;
      const value = readDate(text, order ?? "ymd");
      return value === null ? fault("format", "Must be a date that exists.") : { value };
    }
    case "timestamp": {
      if (isEmptyDay(text)) return null;
      const at = readTimestamp(text, order ?? "ymd", writing.timeZone);
      return at === null ? fault("format", "Must be a date that exists, or one with a time.") : {
        value: formatTimestamp(at),
      };
    }
    case "single_choice": {
      const { source } = column;
      if (source.kind === "fixed" && source.field.name === "country") {
        const value = findCountry(text, writing.language);
        return value === null ? fault("enum", "There is no such country.") : { value };
      }
      const option = findOption(text, listOptions(column, writing));
      return option ? { value: option.id } : fault("enum", "There is no such option.");
    }
    case "multiple_choice":
      return readChoices(splitValues(text), listOptions(column, writing), column);
  }
}

function listOptions({ source }: Column, _writing: Writing): readonly FieldOption[] {
  if (source.kind === "fixed") return source.field.options?.() ?? [];
  return source.kind === "custom" ? source.field.options : [];
}

function readChoices(
  values: readonly string[],
  options: readonly FieldOption[],
  { source }: Column,
): ReadCell {
  // Categories are made when they are missing.
  if (source.kind === "category") return { value: values };
  const found = values.map((value) => findOption(value, options));
  return found.some((option) => option === null)
    ? fault("enum", "There is no such option.")
    : { value: found.map((option) => option!.id) };
}
