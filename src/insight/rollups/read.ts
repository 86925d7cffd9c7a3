/** Reads of rollups. */
import { sql } from "../../db/statements.ts";
import { rollupVersion } from "./measures.ts";

/**
 * SQL: the `seq` of the last fact that rollups include; null when they are of another version of the
 * measures.
 */
export const rolledTo =
  sql`(select r.seq from fact_rollup_reach r where r.id = 1 and r.version = ${rollupVersion})`;

/** SQL: rollups as a table. Missing users, teams and properties are null, as in facts. */
export const rolledRows = sql`(select company_id, measure, rollup, at, nullif(user_id, 0) as user_id,
  nullif(team_id, 0) as team_id, nullif(dim_id, 0) as dim_id, total from fact_rollups)`;
