/**
 * Long constant parts of stored JSON. A stored body has names in their place, and each part is stored once.
 * So stored bodies stay readable when a later version has other constants. Parts that companies define, such
 * as the options of a field, change with their definitions; they carry the time of their last use and are
 * removed after the last body with them.
 */
import { type Constant, constantsIn, expand, type Json, madeConstant } from "../core/json.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { inSteps, stepRows } from "./expiry.ts";
import { bounded, sql } from "./statements.ts";

const day = 24 * 3_600_000;
/** How many constants a process remembers as stored. */
const mostHeld = 20_000;

/**
 * Constants that the database is known to have, each with the end of the day for which its use is recorded.
 */
const held = new WeakMap<Database, Map<string, number>>();

export interface PooledJson {
  /** Statements for the batch that stores the bodies. */
  readonly statements: Statement[];
  /** Call after the commit. */
  committed(): void;
}

/** The company of the stored bodies, if they have one, and the time (epoch milliseconds). */
export interface Storing {
  readonly companyId: number | undefined;
  readonly now: number;
}

/** Returns the constants to store with the bodies, unless the database is known to have them. */
export function poolJson(db: Database, bodies: Iterable<Json>, storing: Storing): PooledJson {
  let there = held.get(db);
  if (!there) held.set(db, there = new Map());
  const known = there;
  const missing = new Map<string, Constant>();
  for (const { tag, text } of bodies) {
    if (tag === text) continue;
    for (const [name, found] of constantsIn(tag)) {
      const until = known.get(name);
      if (until !== undefined && storing.now < until && storing.now >= until - day) continue;
      if (found === null) throw new Error(`A constant is not known: ${name}`);
      if (!found.shared || until === undefined) missing.set(name, found);
    }
  }
  return {
    statements: [...missing].map(([name, { text, shared }]) =>
      shared
        ? sql`insert or ignore into json_pool (name, text) values (${name}, ${text})`
        : sql`insert into json_pool (name, text, company_id, used_at) values (${name}, ${text}, ${storing
          .companyId!}, ${storing.now})
          on conflict (name) do update set used_at = max(used_at, excluded.used_at)`
    ),
    committed: () => {
      if (known.size > mostHeld) known.clear();
      for (const name of missing.keys()) known.set(name, storing.now + day);
    },
  };
}

/** Returns the text of a stored body. Reads only constants that this process does not know. */
export async function expandStored(db: Database, tag: string): Promise<string> {
  const unknown: string[] = [];
  const expanded = expand(tag, unknown);
  if (unknown.length === 0) return expanded;
  const [found] = await db.read([
    sql`select name, text from json_pool where name in (select value from json_each(${
      JSON.stringify(unknown)
    }))`,
  ]);
  for (const { name, text } of found!.rows) madeConstant(String(name), String(text));
  return expand(tag);
}

/**
 * Removes constants of companies that no stored body has any more at `now` (epoch milliseconds): last used
 * two days before the oldest event, because a process records a use once a day. Idempotency keys live a day
 * at most.
 */
export async function removeUnusedConstants({ db }: { readonly db: Database }, now: number): Promise<number> {
  const first =
    sql`select unixepoch(min(created_at)) * 1000 from outbox where id = (select min(id) from outbox)`;
  const oldest = sql`min(${now}, coalesce((${first}), ${now}))`;
  return await inSteps(db, [
    sql`delete from json_pool where rowid in (select rowid from json_pool where company_id is not null
      and used_at < ${oldest} - ${2 * day} limit ${bounded(stepRows)})`,
  ]);
}
