/**
 * Caches callers, so that most requests need no lookup of their token.
 *
 * In a database file, an entry is valid until its source rows change. The stamp of the file shows that
 * another connection wrote something, and the counter `caller_changes` shows whether it changed callers.
 * Commits of this process report what they changed. In a remote database, an entry is valid for at most five
 * seconds.
 */
import { BoundedMap } from "../core/bounded_map.ts";
import type { Caller, Client } from "../core/access.ts";
import type { CallerState } from "./caller_guard.ts";
import type { CompanyFields } from "../fields/field_sets.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { sql } from "./statements.ts";

export interface CachedCaller {
  readonly client: Client;
  readonly caller: Caller | null;
  readonly fields: CompanyFields;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly state: CallerState;
}

const remoteTtl = 5_000;
/** Sizes in bytes: of all cached callers, of a caller without ids and fields, and of an id. */
const budget = 64 * 1024 * 1024;
const bareBytes = 3_000;
const idBytes = 32;

export class CallerCache {
  readonly #db: Database;
  readonly #known = new BoundedMap<{ known: CachedCaller; from: number; until: number }>(budget);
  #stamp: number | null = null;
  #changes: number | null = null;
  /** Increases each time the cache is cleared. */
  generation = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns the caller of a token; null when it is not cached, or may have changed since. */
  async get(token: string, now: number): Promise<CachedCaller | null> {
    const stamp = this.#db.stamp();
    if (stamp !== this.#stamp) await this.#renew(stamp);
    const entry = this.#known.get(token);
    // A clock that is set back does not extend an entry.
    if (!entry || entry.until <= now || now < entry.from) return null;
    return entry.known;
  }

  /**
   * Caches a caller that was read because `get` did not return it. Does nothing when the cache was cleared
   * since `generation`, at which the read began, because the read could be older than the change.
   */
  put(token: string, known: CachedCaller, now: number, generation: number): void {
    if (generation !== this.generation) return;
    const lasting = this.#stamp !== null;
    this.#known.set(token, {
      known,
      from: now,
      until: lasting ? known.expiresAt : Math.min(known.expiresAt, now + remoteTtl),
    }, estimateBytes(known));
  }

  /** Removes one entry that turned out to be outdated. */
  forget(token: string): void {
    this.#known.delete(token);
  }

  /** Clears the cache when a batch changed rows that callers are read from. */
  noteCommit(statements: readonly Statement[]): void {
    for (const { sql: text } of statements) {
      let touches = judged.get(text);
      if (touches === undefined) {
        touches = madeOf.test(text);
        if (judged.size < 5_000 && text.length < longestJudged) judged.set(text, touches);
      }
      if (touches) return this.#forget();
    }
  }

  /** Clears the cache if another connection changed callers. */
  async #renew(stamp: number | null): Promise<void> {
    const [read] = await this.#db.read([changesOf]);
    const changes = Number(read!.rows[0]?.n);
    if (changes !== this.#changes) this.#forget();
    this.#changes = changes;
    // The stamp was taken before the counter was read, so the next call sees any later change.
    this.#stamp = stamp;
  }

  #forget(): void {
    this.#known.clear();
    this.generation++;
  }
}

function estimateBytes({ caller, fields, state }: CachedCaller): number {
  if (!caller) return bareBytes;
  const { teamIds, visibleTeamIds, groupIds, rights } = caller;
  const ids = teamIds.length + visibleTeamIds.length + groupIds.length + rights.size;
  return bareBytes + ids * idBytes + fields.bytes + JSON.stringify(state).length;
}

const changesOf = sql`select n from caller_changes`;

/** Tables that callers are read from. Their triggers increase `caller_changes`. */
export const callerTables = [
  "users",
  "teams",
  "team_members",
  "groups",
  "user_roles",
  "roles",
  "role_rights",
  "applications",
  "companies",
  "fields",
  "field_orders",
] as const;

const madeOf = new RegExp(
  `^\\s*(?:insert (?:or \\w+ )?into|update|delete from)\\s+"?(?:${callerTables.join("|")})"?\\s|` +
    '^\\s*(?:update|delete from)\\s+"?access_tokens"?\\s',
  "i",
);
const judged = new Map<string, boolean>();
/** Most characters of a statement whose check is cached; longer statements are rarely repeated. */
const longestJudged = 10_000;
