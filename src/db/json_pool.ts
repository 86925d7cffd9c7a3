/**
 * Stores the long constant parts of JSON, each once. A stored body has their names in their place, and stays
 * readable when a later version has other constants. Parts that companies define, such as the options of a
 * field, change with their definitions. They have the time of their last use, and are removed after the last
 * body that contains them.
 */
import { dayMs } from "../core/time.ts";
import { BoundedMap } from "../core/bounded_map.ts";
import { type Constant, type Json, nameLength, storedMark } from "../core/json.ts";
import type { Database } from "../platform/database/database.ts";
import { runInSteps, stepRows } from "./expiry.ts";
import { bindRows, type Remembered, sql } from "./statements.ts";

/** Encloses the name of a constant in bodies that were stored before. JSON never contains this character. */
const formerMark = "\u0001";

/** A constant that is stored in the database. */
interface Pooled {
  readonly text: string;
  /** When its use must be recorded again, epoch milliseconds; 0: not known when it was last recorded. */
  readonly until: number;
}

/** Bytes that a process remembers of a database's constants. */
const poolBytes = 64 * 1024 * 1024;

/** The company of the stored bodies, if they have one, and the time (epoch milliseconds). */
export interface Storing {
  readonly companyId: number | undefined;
  readonly now: number;
}

/** The constants that a database is known to have. */
export class JsonPool {
  readonly #db: Database;
  readonly #known = new BoundedMap<Pooled>(poolBytes);

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns statements that store the constants of the bodies, for the batch that stores the bodies; null
   * when there is nothing to store.
   */
  store(bodies: Iterable<Json>, { companyId, now }: Storing): Remembered | null {
    const missing = new Map<string, Constant>();
    for (const { constants } of bodies) {
      for (const each of constants) {
        const known = this.#known.get(each.name);
        const isRecorded = known && (each.shared || now < known.until && now >= known.until - dayMs);
        if (!isRecorded) missing.set(each.name, each);
      }
    }
    if (missing.size === 0) return null;
    return {
      statements: [...missing.values()].map(({ name, text, shared }) =>
        shared
          ? sql`insert or ignore into json_pool (name, text) values (${name}, ${text})`
          : sql`insert into json_pool (name, text, company_id, used_at) values (${name}, ${text}, ${companyId!}, ${now})
            on conflict (name) do update set used_at = max(used_at, excluded.used_at)`
      ),
      noteCommit: () => {
        for (const { name, text } of missing.values()) {
          this.#known.set(name, { text, until: now + dayMs }, text.length);
        }
      },
    };
  }

  /** Returns the text of a stored body. Reads only constants that this process does not know. */
  async expand(tag: string): Promise<string> {
    // Every second part is a name.
    const parts = splitBody(tag);
    const unknown = parts.filter((part, index) => index % 2 === 1 && this.#known.get(part) === undefined);
    if (unknown.length > 0) {
      const names = JSON.stringify(unknown);
      const [found] = await this.#db.read([
        sql`select name, text from json_pool where name in (select value from json_each(${names}))`,
      ]);
      for (const row of found!.rows) {
        const { name, text } = row as { name: string; text: string };
        this.#known.set(name, { text, until: 0 }, text.length);
      }
    }
    return parts.map((part, index) => index % 2 === 1 ? this.#known.get(part)?.text ?? "" : part).join("");
  }
}

/** Returns the parts of a stored body: text and names of constants in turns. */
function splitBody(tag: string): string[] {
  if (tag.includes(formerMark)) return tag.split(formerMark);
  if (!tag.includes(storedMark)) return [tag];
  const [first, ...others] = tag.split(storedMark) as [string, ...string[]];
  // A name ends with a quotation mark.
  return [first, ...others.flatMap((part) => [part.slice(0, nameLength), part.slice(nameLength + 1)])];
}

/**
 * Removes constants of companies that no stored body contains any more at `now` (epoch milliseconds): those
 * last used two days before the oldest event, because a process records a use once a day. Idempotency keys
 * live a day at most. Returns the number of constants.
 */
export async function removeUnusedConstants({ db }: { readonly db: Database }, now: number): Promise<number> {
  const first =
    sql`select unixepoch(min(created_at)) * 1000 from outbox where id = (select min(id) from outbox)`;
  const oldest = sql`min(${now}, coalesce((${first}), ${now}))`;
  return await runInSteps(db, [
    sql`delete from json_pool where rowid in (select rowid from json_pool where company_id is not null
      and used_at < ${oldest} - ${2 * dayMs} limit ${bindRows(stepRows)})`,
  ]);
}
