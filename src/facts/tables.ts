/**
 * Tables of facts: what happened, as it was at that moment. Features write them by triggers or by statements
 * of a commit; they never change.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { factKinds } from "../core/fact_kinds.ts";
import { declareReferences } from "../db/references.ts";

/** Delays from an assignment to its acceptance, in seconds: the limits of the classes in `facts_by_delay`. */
export const delayLimits = [3_600, 14_400, 86_400, 345_600, 1_382_400, 5_529_600, 31_536_000] as const;

/**
 * SQL: the class of a delay in seconds: the number of limits that it reaches. `value`: the name of the
 * column.
 */
export function delayClass(value: string): string {
  return delayLimits.map((limit) => `(${value} >= ${limit})`).join(" + ");
}

export const facts = sqliteTable("facts", {
  /** The order of recording. */
  seq: integer().primaryKey(),
  company_id: integer().notNull(),
  /** A number of `factKinds`. */
  kind: integer().notNull(),
  /** When it happened, epoch seconds. */
  at: integer().notNull(),
  /** When it was recorded, epoch seconds. */
  recorded_at: integer().notNull(),
  user_id: integer(),
  /** The IANA time zone of the user at that moment. */
  zone: text(),
  team_id: integer(),
  /** Its other properties: a row of `fact_dims`. */
  dim_id: integer(),
  /** The id of the record, where facts of one record are counted together. */
  subject: text(),
  flags: integer().notNull().default(0),
  /** The count that the fact adds. In a level, how many are added (positive) or removed (negative). */
  weight: integer().notNull().default(1),
  /** An amount, a quantity, or seconds. */
  value: real(),
  value2: real(),
}, (table) => [
  // A covering index: a question reads the facts of some kinds in a time span from it alone.
  index("facts_by_kind").on(
    table.company_id,
    table.kind,
    table.at,
    table.user_id,
    table.team_id,
    table.dim_id,
    table.flags,
    table.weight,
    table.value,
    table.value2,
  ),
  // Finds the acceptances in a time span whose assignment was before it. Those of each class are soon after
  // the start of the span.
  index("facts_by_delay").on(table.company_id, sql.raw(delayClass("value")), table.at)
    .where(sql.raw(`kind = ${factKinds.assignment_accepted}`)),
  index("facts_by_subject").on(table.subject, table.kind).where(sql`${table.subject} is not null`),
]);

/** The names of deleted teams, groups, paths, types and products, because their facts remain. */
export const deletedNames = sqliteTable("deleted_names", {
  company_id: integer().notNull(),
  /** The table of the deleted row. */
  kind: text().notNull(),
  id: text().notNull(),
  name: text().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.kind, table.id] })]);

/** Sets of properties that facts share. A company has each set once. */
export const factDims = sqliteTable("fact_dims", {
  id: integer().primaryKey(),
  company_id: integer().notNull(),
  /** JSON list of the properties in the order of the columns below. */
  key: text().notNull(),
  relations_path_id: text().generatedAlwaysAs(sql`key ->> 0`, { mode: "virtual" }),
  lead_type_id: text().generatedAlwaysAs(sql`key ->> 1`, { mode: "virtual" }),
  lead_source: text().generatedAlwaysAs(sql`key ->> 2`, { mode: "virtual" }),
  /** 1: it began with a lead. */
  from_lead: integer().generatedAlwaysAs(sql`key ->> 3`, { mode: "virtual" }),
  /** JSON list of the ids of its activity types. */
  types: text().generatedAlwaysAs(sql`key ->> 4`, { mode: "virtual" }),
  /** JSON list of the ids of its activity types that are milestones. */
  milestone_types: text().generatedAlwaysAs(sql`key ->> 5`, { mode: "virtual" }),
  /** JSON list of ids. */
  product_ids: text().generatedAlwaysAs(sql`key ->> 6`, { mode: "virtual" }),
  /** JSON list of the ids of the user's teams, for facts of calls. */
  teams: text().generatedAlwaysAs(sql`key ->> 7`, { mode: "virtual" }),
  /** The agency that looks after a lead. */
  agency_team_id: integer().generatedAlwaysAs(sql`key ->> 8`, { mode: "virtual" }),
}, (table) => [uniqueIndex("fact_dims_key").on(table.company_id, table.key)]);

/** What its columns name, and what happens when that is deleted. */
export const factReferences = declareReferences(facts, {
  user_id: { user: "keep" },
  team_id: { team: "keep" },
  dim_id: "a set of properties, which is never removed",
});
export const factDimReferences = declareReferences(factDims, {
  relations_path_id: { relations_path: "keep" },
  lead_type_id: { lead_type: "keep" },
  types: { activity_type: "keep" },
  milestone_types: { activity_type: "keep" },
  product_ids: { product: "keep" },
  teams: { team: "keep" },
  agency_team_id: { team: "keep" },
});
