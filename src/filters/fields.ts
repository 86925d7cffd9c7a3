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
 * `text`: compared without case. `uuid`: an id that is compared as text. `choice`: one of the field's choices.
 * `reference`: an id, chosen. `integer`, `number`. `boolean`. `timestamp`: a second. `date`: a day.
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
 * Operators that read, of the company's records, all that the other conditions leave. `ct` does not where parts
 * of the text are indexed, and the part has three letters.
 */
export const scans: readonly Operator[] = ["ct", "ew", "neq", "nct", "nin"];

/** A kind of record that conditions are about, and how it hangs on the kind above it. */
export interface Relation {
  /** In the words of the catalogue, such as `case.tasks`. */
  readonly name: string;
  /** Null: the records that are filtered. */
  readonly above: Relation | null;
  /** Whether a record above can have several of them. */
  readonly many: boolean;
  readonly table: string;
  /** A select in parentheses that is read instead of the table. */
  readonly rows?: Sql;
  /** SQL: the row `own` belongs to the row `above`. */
  readonly link: (own: string, above: string) => Sql;
  /** The same, searched from below, where SQLite needs it in other words for that. */
  readonly up?: (own: string, above: string) => Sql;
  /** Limits the records that count; `all`: a condition asks for hidden ones, too. Null: all count. */
  readonly counts: ((own: string, all: boolean) => Sql) | null;
  /** Those of the table. */
  readonly indexes: readonly TableIndex[];
  /** SQL: the id of the filtered record in the row, where it hangs on that record directly. */
  readonly party?: (own: string) => Sql;
  /** The column of an index that goes on with that one. */
  readonly by?: string;
  /** The same records hanging on the filtered ones directly, for conditions that ask nothing of those between. */
  readonly straight?: Relation;
}

/** A value in the row itself. */
export interface Column {
  readonly kind: "column";
  /** In lower case, for texts. */
  readonly sql: (own: string) => Sql;
  /** Where parts of the text are indexed, and its column there. */
  readonly parts?: { readonly index: TextIndex; readonly column: string };
  /** A column by which lists are sorted. It begins with the ASCII characters that the text begins with. */
  readonly sortKey?: string;
}

/** Values in rows of their own; a field may have several. */
export interface Values {
  readonly kind: "values";
  /** `from` with the alias `v`, and the condition that they are of the row `own`. */
  readonly from: Sql;
  /** The index by which the values of one row are read, where SQLite might take another for better. */
  readonly index?: string;
  readonly of: (own: string) => Sql;
  readonly sql: Sql;
  /** How rows are found by a value: the condition on `v` that names the field, and the row's key there. */
  readonly found: Found | null;
}

export interface Found {
  readonly field: Sql;
  readonly key: string;
  readonly owner: string;
  /**
   * Where the key is the filtered record's `seq` and the value's row has that record's `b2c` and `team_id`: the
   * index that finds a record's value among equal ones, and whether a record may have several of them.
   */
  readonly embedded?: { readonly index: string; readonly several: boolean };
}

export interface FilterField {
  readonly type: FilterType;
  readonly relation: Relation;
  readonly value: Column | Values;
  /** Of a choice: those that there are. */
  readonly choices?: ReadonlySet<string>;
  /** The names of choices whose ids say nothing. */
  readonly labels?: () => ReadonlyMap<string, string>;
  /** Whether only choices that there are count as a value, since values of others may still be stored. */
  readonly live?: boolean;
  /** The kind of the filtered record outside of which the condition never matches. */
  readonly only?: ListCondition;
  readonly deprecated?: boolean;
  /** Whether its values are few, so that many records have the same, as with choices. */
  readonly broad?: boolean;
  /** Whether a condition on it asks for hidden records, too. */
  readonly reveals?: boolean;
}

/** The fields of a kind of record by name; null: there is none of that name. */
export interface Catalogue {
  readonly root: Relation;
  readonly field: (name: string) => FilterField | null;
  /** Every name that `field` knows, ids of fields aside. */
  readonly names: () => readonly string[];
}

/** A value in a column of the row. */
export function column(name: string): Column {
  return expression((own) => identifier(own, name));
}

/** A value that SQL makes of the row. */
export function expression(of: (own: string) => Sql): Column {
  return { kind: "column", sql: byAlias(of) };
}

/** Links a row to the one above whose id is in the column. */
export function linkBy(column: string): Relation["link"] {
  return (own, above) => sql`${identifier(own, column)} = ${identifier(above, "id")}`;
}
