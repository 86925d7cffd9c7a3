/** Leases by name, in the table `leases`. One holder at a time has a lease, until it gives it back or it ends. */
import { isAhead, isPast } from "./moments.ts";
import { type Sql, sql } from "./statements.ts";

/**
 * SQL that ends an insert into `leases` which lasts for `ms` milliseconds from `now`: renews a lease of the same holder,
 * takes over one that has ended, and leaves those of others.
 */
export function unlessLeased(now: number, ms: number): Sql {
  return sql`on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or ${isPast(sql`leases.until`, now, ms)}`;
}

/** SQL over the row `l` of `leases`: it lasts for `ms` milliseconds from its beginning, and has not ended at `now`. */
export function isLeased(now: number, ms: number): Sql {
  return isAhead(sql`l.until`, now, ms);
}
