/**
 * What happens to a record when something that it names is deleted. Each feature declares it beside its tables, for
 * every column and JSON member that names a record. Tests compare the declarations with the tables and with what
 * deletions do. All columns `company_id` are left out: the rows of a deleted company are erased.
 */
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Sql } from "./statements.ts";

/** Records that can be deleted, and that others name. */
export const deletableKinds = [
  "account",
  "activity",
  "activity_type",
  "application",
  "automated_communication",
  "automated_message",
  "campaign",
  "case",
  "category",
  "company",
  "contact",
  "delivery",
  "device",
  "export",
  "field",
  "file",
  "folder",
  "group",
  "indicator_set",
  "lead",
  "lead_type",
  "option",
  "product",
  "rank",
  "relations_path",
  "role",
  "scheduled_report",
  "task",
  "team",
  "template",
  "user",
  "webhook",
] as const;
export type DeletableKind = (typeof deletableKinds)[number];

/**
 * - `cascade`: the record goes, too. With `cascadeAtOnce` the declaration does it.
 * - `reassign`: it names the successor. With `reassignAtOnce` the declaration does it.
 * - `clear`: it no longer names the deleted record. With `clearAtOnce` the declaration does it.
 * - `keep`: it still names the deleted record, and means the same. With `keepFor` only its maker and admins see it.
 * - `step`: code of the feature decides.
 *
 * Where events are owed, the rows are too many for a commit, or the record changes in other ways too, code does it, and
 * the declaration names the code with `leaveTo`.
 */
export type Word = "cascade" | "reassign" | "clear" | "keep" | "step";

/** A function that is exported below `src`, such as `sales/deletion/remove_cases.ts#deleteCaseRows`. */
export type Handler = `${string}.ts#${string}`;

/** Code does it. */
export interface Handled {
  readonly then: Word;
  readonly by: Handler;
}

/** The record stops acting and says why. Its column then changes by `then`. */
export interface Stop {
  readonly stop: string;
  /** Absent: the `stops` of the table, see `makeStopNaming`. */
  readonly by?: Handler;
  /** SQL: the rows that name the record. Absent: by the column. */
  readonly rows?: (id: Deleted["id"]) => Sql;
  readonly then: "keep" | Handled | Reassign | Keep;
}

/** The deletion is refused while such records exist. The impact names them. */
export interface Block {
  /** Their type. */
  readonly block: string;
  readonly by: Blocking;
}

export interface Blocking {
  /** Their attribute that names the deleted record; absent: as the column. */
  readonly attribute?: string;
  /** SQL: which of them prevent the deletion; absent: all. */
  readonly where?: string;
  /** The column of the company, where the index of the column begins with it. */
  readonly company?: string;
  /** SQL after `from`, for a column that does not hold the id alone. */
  readonly rows?: (id: Sql, companyId: number) => Sql;
  /** What a forced deletion makes of the column. */
  readonly forced?: Handled | Clear;
}

/**
 * The record goes in the commit of the deletion, and so do rows that name it with the same word: an index finds it by the
 * column, and no event is owed.
 */
export interface Cascade {
  readonly then: "cascade";
  readonly atOnce: true;
}

/**
 * The column loses the deleted record in the commit of the deletion, and the record that shows it gets a new version. An
 * index finds the rows by the company, no event is owed, and the rows are few.
 */
export interface Clear {
  readonly then: "clear";
  readonly atOnce: true;
  /** The column has a JSON list of ids, and loses one of them. Else it becomes null. */
  readonly list?: true;
  /** The table of the record that shows the row as a part, and the row's column with its id. Absent: the row itself. */
  readonly partOf?: { readonly table: string; readonly by: string };
}

/**
 * The column names the successor in the commit of the deletion, and the record that shows it gets a new version. An index
 * finds the rows by the company, no event is owed, and the rows are few.
 */
export interface Reassign {
  readonly then: "reassign";
  readonly atOnce: true;
  /** The column that gets the id of the successor, where this one follows from it. Absent: this one. */
  readonly set?: string;
  /** SQL: the rows, where an index finds them by another column. */
  readonly rows?: (id: Deleted["id"]) => Sql;
}

/** The column keeps the deleted record. In the commit of the deletion `kept_for` names the maker. */
export interface Keep {
  readonly then: "keep";
  readonly atOnce: true;
  /** The column with the maker. */
  readonly maker: string;
  readonly rows?: Reassign["rows"];
}

/** A deleted record. */
export interface Deleted {
  readonly company_id: number;
  readonly id: number | string;
}

export type Effect = "keep" | Handled | Stop | Block | Cascade | Clear | Reassign | Keep;

/** One effect, or two: with a successor (`assign_to`), and without one. */
export type Effects =
  | Exclude<Effect, Reassign>
  | readonly [withSuccessor: Effect, without: Exclude<Effect, Reassign>];

/** The effects by what a column names. A text says why a column that looks like a reference is none. */
export type Declared = Readonly<Partial<Record<DeletableKind, Effects>>> | string;

/** The declarations of a table, by column. */
export class References {
  constructor(
    readonly table: string,
    readonly columns: Readonly<Record<string, Declared>>,
    /** How further rows name those of the table that go at once. */
    readonly as?: NamedAs,
  ) {}
}

/** The kind of the rows of a table, and the column by which others name them. */
export interface NamedAs {
  readonly kind: DeletableKind;
  readonly key: string;
}

/** Declares what the columns of a table name. */
export function declareReferences<T extends SQLiteTable>(
  table: T,
  columns: { readonly [C in keyof T["_"]["columns"]]?: Declared },
  as?: NamedAs & { readonly key: keyof T["_"]["columns"] },
): References {
  return new References(getTableName(table), columns as Readonly<Record<string, Declared>>, as);
}

/** The rows are deleted in the commit of the deletion, see `makeDeleteNaming`. */
export const cascadeAtOnce: Cascade = { then: "cascade", atOnce: true };

/** The column is cleared in the commit of the deletion, see `makeClearNaming`. */
export function clearAtOnce(how: Pick<Clear, "list" | "partOf"> = {}): Clear {
  return { then: "clear", atOnce: true, ...how };
}

/** The successor is named in the commit of the deletion, see `makeReassignNaming`. */
export function reassignAtOnce(how: Pick<Reassign, "set" | "rows"> = {}): Reassign {
  return { then: "reassign", atOnce: true, ...how };
}

/** The column `maker` names the only user who sees the record after the deletion, beside admins. */
export function keepFor(maker: string, how: Pick<Keep, "rows"> = {}): Keep {
  return { then: "keep", atOnce: true, maker, ...how };
}

/** Code does what the word says, or, for a user or team, what the two say: with a successor, and without one. */
export function leaveTo(by: Handler, word: Word): Handled;
export function leaveTo(by: Handler, withSuccessor: Word, without: Word): readonly [Handled, Handled];
export function leaveTo(by: Handler, word: Word, without?: Word): Handled | readonly [Handled, Handled] {
  return without === undefined ? { then: word, by } : [{ then: word, by }, { then: without, by }];
}

/** The record stops, with the reason as the end of a sentence such as "It no longer runs, because …". */
export function stop(reason: string, how: Partial<Pick<Stop, "by" | "rows" | "then">> = {}): Stop {
  return { stop: reason, then: "keep", ...how };
}

/** The deletion is refused while records of the type name the record. */
export function block(type: string, by: Blocking = {}): Block {
  return { block: type, by };
}
