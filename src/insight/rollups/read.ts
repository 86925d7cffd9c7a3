/** Reads of rollups. */
import { sql } from "../../db/statements.ts";
import { rollupVersion } from "./measures.ts";

/** SQL: the fact up to which rollups are worked out for the present measures; null when they are not. */
export const rolledTo =
  sql`(select r.seq from fact_rollup_reach r where r.id = 1 and r.version = ${rollupVersion})`;

/** SQL: rollups as a table; its users, teams and properties are null as those of facts. */
export const rolledRows = sql`(select company_id, measure, rollup, at, nullif(user_id, 0) as user_id,
  nullif(team_id, 0) as team_id, nullif(dim_id, 0) as dim_id, total from fact_rollups)`;
