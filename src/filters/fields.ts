/**
 * The port of the filter engine: the fields of a kind of record, the records they belong to, and where their values
 * are stored. Features describe their fields; the engine knows none of them.
 */
import { byAlias, identifier, type Sql, sql } from "../db/statements.ts";
import type { ListCondition } from "../lists/conditions.ts";
import type { TableIndex } from "../lists/indexes.ts";
import type { TextIndex } from "./text_index.ts";

export const operators = [
  "eq",
  "neq",
  "sw",
  "ew",
  "ct",
  "nct",
  "exists",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
] as const;
export type Operator = (typeof operators)[number];

/**
 * `text`: compared without case. `uuid`: an id that is compared as text. `choice`: one of the field's
 * choices. `reference`: an id that is compared as a choice. `timestamp`: to the second. `date`: a day.
 */
export type FilterType =
  | "text"
  | "uuid"
  | "choice"
  | "reference"
  | "integer"
  | "number"
  | "boolean"
  | "timestamp"
  | "date";

const every = ["eq", "neq", "exists", "in", "nin"] as const;
const texts = [...every, "sw", "ew", "ct", "nct"] as const;
const ordered = [...every, "gt", "gte", "lt", "lte"] as const;

export const operatorsOf: Readonly<Record<FilterType, readonly Operator[]>> = {
  text: texts,
  uuid: texts,
  choice: every,
  reference: every,
  integer: ordered,
  number: ordered,
  boolean: every,
  timestamp: ordered,
  date: ordered,
};

/**
 * Operators that no index serves: they read all of the company's records that the other conditions leave.
 * `ct` is an exception if the field has a trigram index and the text has at least three letters.
 */
export const scans: readonly Operator[] = ["ct", "ew", "neq", "nct", "nin"];

/** A kind of record that conditions are about, and its link to the kind above it. */
export interface Relation {
  /** The name in the catalogue, such as `case.tasks`. */
  readonly name: string;
  /** The relation that this one belongs to; null for the filtered records themselves. */
  readonly above: Relation | null;
  /** Whether a record above can have several records of this kind. */
  readonly many: boolean;
  readonly table: string;
  /** A select in parentheses that is read instead of the table. */
  readonly rows?: Sql;
  /** SQL: the row `own` belongs to the row `above`. */
  readonly link: (own: string, above: string) => Sql;
  /**
   * The same link for a search from `own` up to `above`, if SQLite needs it in other words for that
   * direction.
   */
  readonly up?: (own: string, above: string) => Sql;
  /**
   * SQL: limits the records that count. `all`: a condition asks for hidden records, too. Null: all records
   * count.
   */
  readonly counts: ((own: string, all: boolean) => Sql) | null;
  /** The indexes of the table. */
  readonly indexes: readonly TableIndex[];
  /** SQL: the id of the filtered record in the row, if the row refers to it directly. */
  readonly party?: (own: string) => Sql;
  /** The first column of an index that continues with the column of `party`. */
  readonly by?: string;
  /**
   * The same records, linked to the filtered ones directly. For filters without a condition on the records in
   * between.
   */
  readonly straight?: Relation;
}

/** A value in the row itself. */
export interface Column {
  readonly kind: "column";
  /** SQL of the value; texts are in lower case. */
  readonly sql: (own: string) => Sql;
  /** The trigram index of the text, and the column of the text in it. */
  readonly parts?: { readonly index: TextIndex; readonly column: string };
  /** A column by which lists are sorted. It begins with the ASCII characters that the text begins with. */
  readonly sortKey?: string;
}

/** Values in rows of their own; a field may have several. */
export interface Values {
  readonly kind: "values";
  /** SQL after `from`, with the alias `v`. `of`: the condition that the values belong to the row `own`. */
  readonly from: Sql;
  /** The index for the values of one row, in case SQLite would choose a worse one. */
  readonly index?: string;
  readonly of: (own: string) => Sql;
  readonly sql: Sql;
  /**
   * How rows are found by a value: `field` is the condition on `v` that names the field, and the column `key`
   * of `v` equals the column `owner` of the row. Null: they are not found by a value.
   */
  readonly found: Found | null;
}

export interface Found {
  readonly field: Sql;
  readonly key: string;
  readonly owner: string;
  /**
   * Set if the key is the filtered record's `seq` and the value's row has that record's `b2c` and `team_id`:
   * the index that finds a record's value among equal ones, and whether a record may have several values.
   */
  readonly embedded?: { readonly index: string; readonly several: boolean };
}

export interface FilterField {
  readonly type: FilterType;
  readonly relation: Relation;
  readonly value: Column | Values;
  /**
   * How `eq`, `neq`, `in` and `nin` compare, if equal values are written in several ways: by a column of its
   * own, and the values of it that equal a given one, or what stands for them: `select` returns SQL that selects the
   * values.
   */
  readonly equal?: {
    readonly value: Column;
    readonly forms: (given: string) => readonly string[];
    readonly select: (forms: readonly string[], companyId: number) => Sql;
  };
  /**
   * The form in which a text is stored, if that is not one line without white space at its ends: `lines`, as it was
   * typed; `url`, with a scheme; `email`, compared with its domain in ASCII.
   */
  readonly written?: "lines" | "url" | "email";
  /** The choices that exist, for the type `choice`, and for texts that have one of a few values. */
  readonly choices?: ReadonlySet<string>;
  /** The names of choices by id, if the ids mean nothing to a reader. */
  readonly labels?: () => ReadonlyMap<string, string>;
  /** Whether only choices that exist count as a value. Values of removed choices may still be stored. */
  readonly live?: boolean;
  /** The kind of filtered record that has the field. The condition matches no other kind. */
  readonly only?: ListCondition;
  readonly deprecated?: boolean;
  /** The estimated share of the records that one value has, if many records share one. */
  readonly share?: number;
  /** Whether a condition on the field includes hidden records. */
  readonly reveals?: boolean;
}

/** The fields of a kind of record. `field` returns null for an unknown name. */
export interface Catalogue {
  readonly companyId: number;
  readonly root: Relation;
  readonly field: (name: string) => FilterField | null;
  /** Every name that `field` knows, without the ids of fields. */
  readonly names: () => readonly string[];
}

/** A value in a column of the row. */
export function column(name: string): Column {
  return expression((own) => identifier(own, name));
}

/** A value that SQL computes from the row. */
export function expression(of: (own: string) => Sql): Column {
  return { kind: "column", sql: byAlias(of) };
}

/** Links a row to the row above by the column that has its id. */
export function linkBy(column: string): Relation["link"] {
  return (own, above) => sql`${identifier(own, column)} = ${identifier(above, "id")}`;
}
