/** Tables of facts: what happened, as it was. Triggers of the features write them; rows never change. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { factKinds } from "../core/fact_kinds.ts";

/** Seconds from an assignment to its acceptance: the ends of the classes by which an index has them. */
export const delayLimits = [3_600, 14_400, 86_400, 345_600, 1_382_400, 5_529_600, 31_536_000] as const;

/** SQL: the class of a value in seconds, the number of limits that it reaches. `value`: the name of the column. */
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
  /** The IANA time zone of the user then. */
  zone: text(),
  team_id: integer(),
  /** Its other properties: a row of `fact_dims`. */
  dim_id: integer(),
  /** The id of the record, where facts of one record are counted together. */
  subject: text(),
  flags: integer().notNull().default(0),
  /** How many it counts for; in a level how many come (positive) or go (negative). */
  weight: integer().notNull().default(1),
  /** An amount, a quantity, or seconds. */
  value: real(),
  value2: real(),
}, (table) => [
  // Questions read the facts of some kinds in a time from this index alone.
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
  // Of a time, finds acceptances whose assignment was before it: each class lies soon after the start of the time.
  index("facts_by_delay").on(table.company_id, sql.raw(delayClass("value")), table.at)
    .where(sql.raw(`kind = ${factKinds.assignment_accepted}`)),
  index("facts_by_subject").on(table.subject, table.kind).where(sql`${table.subject} is not null`),
]);

/** The moment of the running batch, epoch seconds: one row, which `commit` writes first. Facts of triggers take it. */
export const factMoments = sqliteTable("fact_moments", {
  id: integer().primaryKey(),
  at: integer().notNull(),
});

/** The names of deleted teams, groups, paths, types and products, which their facts outlive. */
export const deletedNames = sqliteTable("deleted_names", {
  company_id: integer().notNull(),
  /** The table that it was a row of. */
  kind: text().notNull(),
  id: text().notNull(),
  name: text().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.kind, table.id] })]);

/** Sets of properties that facts share, each once a company. */
export const factDims = sqliteTable("fact_dims", {
  id: integer().primaryKey(),
  company_id: integer().notNull(),
  /** JSON list of the properties in the order of the columns below. */
  key: text().notNull(),
  relations_path_id: text().generatedAlwaysAs(sql`key ->> 0`, { mode: "virtual" }),
  lead_type_id: text().generatedAlwaysAs(sql`key ->> 1`, { mode: "virtual" }),
  lead_source: text().generatedAlwaysAs(sql`key ->> 2`, { mode: "virtual" }),
  /** 1: a lead began it. */
  from_lead: integer().generatedAlwaysAs(sql`key ->> 3`, { mode: "virtual" }),
  /** JSON list of the ids of its activity types. */
  types: text().generatedAlwaysAs(sql`key ->> 4`, { mode: "virtual" }),
  /** JSON list of those that are milestones. */
  milestone_types: text().generatedAlwaysAs(sql`key ->> 5`, { mode: "virtual" }),
  /** JSON list of ids. */
  product_ids: text().generatedAlwaysAs(sql`key ->> 6`, { mode: "virtual" }),
  /** JSON list of the ids of the teams that the user belongs to; of calls. */
  teams: text().generatedAlwaysAs(sql`key ->> 7`, { mode: "virtual" }),
  /** The agency that looks after a lead without a team. */
  agency_team_id: integer().generatedAlwaysAs(sql`key ->> 8`, { mode: "virtual" }),
}, (table) => [uniqueIndex("fact_dims_key").on(table.company_id, table.key)]);
