import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Sums of facts by week, month and year of UTC, so that figures of a long time read few rows. A job keeps them up to
 * date. The table has no rowid: its key is the order in which figures read it.
 */
export const factRollups = sqliteTable("fact_rollups", {
  company_id: integer().notNull(),
  /** What is summed up: the id of a measure. */
  measure: integer().notNull(),
  /** The position in `periods`. */
  period: integer().notNull(),
  /** When the period begins, epoch seconds. */
  at: integer().notNull(),
  /** 0: facts without a user. */
  user_id: integer().notNull(),
  /** 0: facts without a team. */
  team_id: integer().notNull(),
  total: real().notNull(),
}, (table) => [
  primaryKey({
    columns: [table.company_id, table.measure, table.period, table.at, table.user_id, table.team_id],
  }),
]);

/** The fact up to which rollups are worked out: one row. */
export const factRollupReach = sqliteTable("fact_rollup_reach", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
  /** The version of the measures that they are worked out for; empty while those of others are removed. */
  version: text().notNull(),
});
