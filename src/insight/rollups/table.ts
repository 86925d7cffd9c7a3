import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { declareReferences } from "../../db/references.ts";

/**
 * Sums of facts by periods of UTC, so that figures of a long time read few rows. A job keeps them up to
 * date. The table has no rowid: its key is the order in which figures read it.
 */
export const factRollups = sqliteTable("fact_rollups", {
  company_id: integer().notNull(),
  /** What is summed up: the id of a measure. */
  measure: integer().notNull(),
  /** The position in `rollupKinds`: how long its periods are, and whether it is by user or by properties. */
  rollup: integer().notNull(),
  /** When the period begins, epoch seconds. */
  at: integer().notNull(),
  /** 0: facts without a user, or all facts if the rollup is not by user. */
  user_id: integer().notNull(),
  /** 0: facts without a team. */
  team_id: integer().notNull(),
  /** A row of `fact_dims`. 0: facts without one, or all facts if the rollup is not by properties. */
  dim_id: integer().notNull(),
  total: real().notNull(),
}, (table) => [
  primaryKey({
    columns: [
      table.company_id,
      table.measure,
      table.rollup,
      table.at,
      table.user_id,
      table.team_id,
      table.dim_id,
    ],
  }),
]);

/** The last fact that rollups include. The table has one row. */
export const factRollupReach = sqliteTable("fact_rollup_reach", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
  /** The version of the measures; empty while rollups of another version are removed. */
  version: text().notNull(),
});

/** What its columns name, and what happens when that is deleted. */
export const rollupReferences = declareReferences(factRollups, {
  user_id: { user: "keep" },
  team_id: { team: "keep" },
  dim_id: "a set of properties, which is never removed",
});
