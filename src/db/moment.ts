/** The moment of a commit, for its triggers. */
import { type Sql, sql } from "./statements.ts";

/**
 * The first statement of a commit. Stores `now` (epoch milliseconds) as the moment of the facts that its
 * triggers record. Writes nothing in the same second as the last commit.
 */
export function setMoment(now: number): Sql {
  return sql`insert into fact_moments (id, at) values (1, ${Math.floor(now / 1000)})
    on conflict (id) do update set at = excluded.at where at <> excluded.at`;
}
