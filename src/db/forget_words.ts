/**
 * Rewrites the full-text indexes. They only mark the words of deleted rows as deleted, and drop them when parts
 * of the index are merged, which can take for ever in a quiet table.
 */
import { lifetimes } from "../core/lifetimes.ts";
import type { Database } from "../platform/database/database.ts";
import { identifier, literal, sql } from "./statements.ts";

/** Pages that a step writes, so that it holds the write lock for some milliseconds. */
const stepPages = 64;
/** Most steps of an index in one run. A later run continues with what is left. */
const mostSteps = 5_000;

/**
 * Drops the words of deleted rows from all indexes, once a week for all processes together. `now`: epoch
 * milliseconds. Returns the number of steps that changed an index.
 */
export async function forgetWords({ db }: { readonly db: Database }, now: number): Promise<number> {
  const until = now + lifetimes.deletedWords;
  const [claimed] = await db.write([
    sql`insert into leases (name, holder, until) values ('forget_words', '', ${until})
      on conflict (name) do update set until = excluded.until
      where leases.until <= ${now} or leases.until > ${until} returning name`,
  ]);
  if (claimed!.rows.length === 0) return 0;
  const [indexes] = await db.read([
    sql`select name from sqlite_master where type = 'table' and sql like 'create virtual table % using fts5%'`,
  ]);
  let steps = 0;
  for (const { name } of indexes!.rows) steps += await merge(db, name as string);
  return steps;
}

/** Merges an index into one part. A negative number of pages begins the merge, positive ones continue it. */
async function merge(db: Database, name: string): Promise<number> {
  const table = identifier(name);
  for (let step = 0; step < mostSteps; step++) {
    const pages = literal(step === 0 ? -stepPages : stepPages);
    const [before, , after] = await db.write([
      sql`select total_changes() as n`,
      sql`insert into ${table} (${table}, rank) values ('merge', ${pages})`,
      sql`select total_changes() as n`,
    ]);
    // The statement itself is one change.
    if (Number(after!.rows[0]!.n) - Number(before!.rows[0]!.n) < 2) return step;
  }
  return mostSteps;
}
