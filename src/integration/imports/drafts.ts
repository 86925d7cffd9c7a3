/** Makes bodies of calls of the rows of a file, and leads faults of calls back to the cells. */
import { type FieldCode, type FieldError, fieldError, mostErrors, Problem } from "../../core/errors.ts";
import { externalId, refuseExternalId } from "../../customers/external_id.ts";
import type { ConsentBody } from "../../customers/contacts/record.ts";
import { parseValid } from "../../http/validate.ts";
import type { Column, ColumnOwner } from "../columns/catalogue.ts";
import type { DateOrder } from "../reading/dates.ts";
import { type FileCell, type FileRow, longestLine } from "../reading/rows.ts";
import { splitName } from "../reading/words.ts";
import { readCell, type Writing } from "./cells.ts";

/** A fault of a row. */
export interface RowFault {
  readonly column: string | null;
  readonly path: string | null;
  readonly code: string;
  readonly message: string;
  /** As in the file. */
  readonly value: string | null;
}

/** A column of the file that sets a field. */
export interface MappedColumn {
  readonly place: number;
  readonly name: string;
  readonly column: Column;
  readonly order: DateOrder | null;
}

/** A cell, for the faults of its value. */
interface Place {
  readonly column: string | null;
  readonly path: string;
  readonly value: string | null;
}

/** The values of a record that a row has. */
export interface Part {
  /** Whether the row has any value of it. */
  isGiven: boolean;
  readonly fixed_fields: { readonly name: string; readonly value: unknown }[];
  readonly custom_fields: { readonly id: string; readonly value: unknown }[];
  readonly consent: { -readonly [C in keyof ConsentBody]?: { consent_given: boolean | null } };
  external_id?: string | null;
}

export interface Draft {
  readonly row: number;
  readonly faults: RowFault[];
  readonly self: Part;
  readonly account: Part;
  readonly contact: Part;
  /** Properties that are no fields, by name, such as `b2c` and `created_at`. */
  readonly properties: Record<string, unknown>;
  readonly lead_data: Record<string, string>;
  categories: readonly string[] | null | undefined;
  /** The cells of values, by owner and path of the call. */
  readonly places: Map<string, Place>;
  /** The cells without a value, by the path of their field: a value that is missing is missing there. */
  readonly empty: Map<string, Place>;
}

function makePart(): Part {
  return { isGiven: false, fixed_fields: [], custom_fields: [], consent: {} };
}

/** Characters of a value that is shown beside its fault. */
const longestShown = 255;

/** The names of a contact, by the names of their columns. */
const ownPaths: Readonly<Record<ColumnOwner, string>> = {
  self: "",
  account: "account.",
  contact: "contact.",
};

export function makeDraft(
  { row, cells, isTooLong = false }: FileRow,
  mapped: readonly MappedColumn[],
  writing: Writing,
): Draft {
  const draft: Draft = {
    row,
    faults: [],
    self: makePart(),
    account: makePart(),
    contact: makePart(),
    properties: {},
    lead_data: {},
    categories: undefined,
    places: new Map(),
    empty: new Map(),
  };
  if (cells === null) {
    draft.faults.push({
      column: null,
      path: null,
      code: isTooLong ? "max" : "format",
      message: isTooLong ? `At most ${longestLine} characters on a line.` : "The line is no JSON object.",
      value: null,
    });
    return draft;
  }
  for (const { place, name, column, order } of mapped) {
    const cell = cells[place];
    const read = readCell(cell, column, order, writing);
    const at: Place = { column: name, path: column.name, value: presentCell(cell) };
    if (read === null) {
      draft.empty.set(at.path, at);
      continue;
    }
    if ("fault" in read) draft.faults.push({ ...at, ...read.fault });
    else put(draft, column, read.value, at);
  }
  return draft;
}

function put(draft: Draft, { source }: Column, value: unknown, at: Place): void {
  const part = draft[source.of];
  const prefix = ownPaths[source.of];
  if (value !== null) part.isGiven = true;
  const putFixed = (name: string, value: unknown) => {
    const place = part.fixed_fields.push({ name, value }) - 1;
    draft.places.set(`${prefix}fixed_fields[${place}]`, at);
  };
  switch (source.kind) {
    case "fixed":
      return putFixed(source.field.name, value);
    case "custom": {
      const place = part.custom_fields.push({ id: source.field.id, value }) - 1;
      return void draft.places.set(`${prefix}custom_fields[${place}]`, at);
    }
    case "full_name": {
      const names = value === null ? { first_name: null, last_name: null } : splitName(String(value));
      putFixed("first_name", names.first_name);
      return putFixed("last_name", names.last_name);
    }
    case "consent":
      part.consent[source.channel as keyof ConsentBody] = { consent_given: value as boolean | null };
      return void draft.places.set(`${prefix}consent.${source.channel}`, at);
    case "property":
      draft.places.set(`${prefix}${source.property}`, at);
      if (source.property !== "external_id") return void (draft.properties[source.property] = value);
      try {
        part.external_id = value === null ? null : parseValid(externalId, value, "external_id");
      } catch (error) {
        addFaults(draft, error, source.of);
      }
      return;
    case "category":
      draft.places.set("category", at);
      draft.categories = value as readonly string[] | null;
      return;
    case "lead_data":
      if (source.key === null || value === null) return;
      draft.places.set(`lead_data[${Object.keys(draft.lead_data).length}]`, at);
      draft.lead_data[source.key] = String(value);
  }
}

function presentCell(cell: FileCell): string | null {
  if (cell === undefined || cell === null) return null;
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  return text.slice(0, longestShown).toWellFormed().replaceAll("\0", "\ufffd");
}

/** What the faults of missing values are about, by owner: where an owner has no name, any will do. */
const needed: Readonly<Record<ColumnOwner, string>> = { self: "", account: "name", contact: "last_name" };

/**
 * Adds the faults of a call about the record of an owner. Throws errors that are no refusals. `nameOf`: the
 * field that is missing when the record has no name.
 */
export function addFaults(draft: Draft, error: unknown, of: ColumnOwner, nameOf = needed[of]): void {
  if (!(error instanceof Problem)) throw error;
  const { errors = [] } = error.more;
  if (errors.length === 0) {
    draft.faults.push({ column: null, path: null, code: error.code, message: error.detail, value: null });
  }
  const unread = draft.faults.map(({ path }) => path);
  for (const fault of errors) {
    if (fault.code === "required" && isUnread(unread, ownPaths[of], fault.path, nameOf)) continue;
    if (draft.faults.length < mostErrors) addOnce(draft, makeCellFault(draft, fault, of, nameOf));
  }
}

/** The columns each of which will do where the one is missing. */
const insteadOf: Readonly<Record<string, readonly string[]>> = {
  last_name: ["first_name", "last_name", "full_name", "email"],
  name: ["name", "external_id"],
};

/** Returns whether one of the columns that do not read would bring what is missing: then it is not missing. */
function isUnread(
  unread: readonly (string | null)[],
  prefix: string,
  path: string,
  nameOf: string,
): boolean {
  const missing = prefix + (path === "fixed_fields" ? nameOf : columnsOfPaths[path] ?? path);
  const [, owner = "", name = ""] = /^(.*\.)?([^.]*)$/.exec(missing) ?? [];
  const enough = insteadOf[name]?.map((each) => owner + each) ?? [missing];
  return unread.some((at) =>
    at === null || enough.some((column) => at === column || at.startsWith(`${column}.`))
  );
}

/** The columns of values that a call of another shape lacks, by their paths there. */
const columnsOfPaths: Readonly<Record<string, string>> = {
  "account.fixed_fields": "account.name",
  "contact.fixed_fields": "contact.last_name",
  lead_type_id: "lead_type",
};

function makeCellFault(
  draft: Draft,
  { path, code, message }: FieldError,
  of: ColumnOwner,
  nameOf: string,
): RowFault {
  const prefix = ownPaths[of];
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const place = draft.places.get(prefix + at);
    if (place) return { ...place, code, message };
  }
  const missing = path === "fixed_fields" ? nameOf : columnsOfPaths[path] ?? path;
  const named = draft.empty.get(prefix + missing) ??
    draft.places.values().find((place) => place.path === prefix + missing);
  if (named) return { ...named, code, message };
  return { column: null, path: prefix + missing, code, message, value: null };
}

/** Adds a fault at the cell of a field, by the path of the call. */
export function addFault(
  draft: Draft,
  of: ColumnOwner,
  path: string,
  code: FieldCode,
  message: string,
): void {
  addOnce(draft, makeCellFault(draft, fieldError(path, code, message), of, needed[of]));
}

/** Adds that another record has the external id, beside the other faults of the row. */
export function addTakenId(draft: Draft, of: ColumnOwner): void {
  addFaults(draft, refuseExternalId(), of);
}

function addOnce({ faults }: Draft, fault: RowFault): void {
  if (!faults.some(({ path, code }) => path === fault.path && code === fault.code)) faults.push(fault);
}

/** Returns the value of a fixed field that a row sets; undefined when it does not. */
export function findFixedValue({ fixed_fields }: Part, name: string): unknown {
  return fixed_fields.findLast((field) => field.name === name)?.value;
}

/** Returns the path of a fixed field in the call. */
export function findFixedPath({ fixed_fields }: Part, name: string): string {
  return `fixed_fields[${fixed_fields.findLastIndex((field) => field.name === name)}]`;
}
