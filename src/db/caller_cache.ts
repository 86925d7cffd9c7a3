/**
 * What is remembered of callers, so that a request need not look its token up each time. On a file an
 * entry holds while nothing that it was made of has changed: when the stamp tells that another connection wrote
 * something, a counter in the database tells whether it was that; a commit here says itself what it touched. Far
 * away an entry holds for five seconds at most.
 */
import { BoundedMap } from "../core/bounded_map.ts";
import type { Caller, Client } from "../core/access.ts";
import type { CallerState } from "./caller_guard.ts";
import type { CompanyFields } from "./fields.ts";
import type { Database, Statement } from "../platform/database/database.ts";

export interface CachedCaller {
  readonly client: Client;
  readonly caller: Caller | null;
  readonly fields: CompanyFields;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly state: CallerState;
}

const remoteTtl = 5_000;
/** Bytes that all callers take, and what one takes beside its ids and fields. */
const budget = 64 * 1024 * 1024;
const bareBytes = 3_000;
const idBytes = 32;

export class CallerCache {
  readonly #db: Database;
  readonly #known = new BoundedMap<{ known: CachedCaller; from: number; until: number }>(budget);
  #stamp: number | null = null;
  #changes: number | null = null;
  #generation = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Moves on whenever all are forgotten. */
  get generation(): number {
    return this.#generation;
  }

  /** What has to be awaited before `get` where another connection wrote something; else null. */
  renewal(): Promise<void> | null {
    const stamp = this.#db.stamp();
    return stamp === this.#stamp ? null : this.#renew(stamp);
  }

  get(token: string, now: number): CachedCaller | null {
    const entry = this.#known.get(token);
    // A clock that was set back does not make an entry last longer.
    if (!entry || entry.until <= now || now < entry.from) return null;
    return entry.known;
  }

  /**
   * Remembers what was read at the stamp that `renewal` saw, unless all were forgotten since the read began
   * (in the generation given): then it may be from before the change.
   */
  put(token: string, known: CachedCaller, now: number, generation: number): void {
    if (generation !== this.#generation) return;
    const lasting = this.#stamp !== null;
    this.#known.set(token, {
      known,
      from: now,
      until: lasting ? known.expiresAt : Math.min(known.expiresAt, now + remoteTtl),
    }, bytesOf(known));
  }

  /** Forgets one: what is remembered of it turned out to be old. */
  forget(token: string): void {
    this.#known.delete(token);
  }

  /** Forgets everybody when a batch touched what callers are made of. */
  committed(statements: readonly Statement[]): void {
    if (statements.some(touchesCallers)) this.#forget();
  }

  async #renew(stamp: number | null): Promise<void> {
    const [read] = await this.#db.read([changesOf]);
    const changes = Number(read!.rows[0]?.n);
    if (changes !== this.#changes) this.#forget();
    this.#changes = changes;
    // Read before the counter: what came between is seen at the next call.
    this.#stamp = stamp;
  }

  #forget(): void {
    this.#known.clear();
    this.#generation++;
  }
}

function bytesOf({ caller, fields, state }: CachedCaller): number {
  if (!caller) return bareBytes;
  const { teamIds, visibleTeamIds, groupIds, rights } = caller;
  const ids = teamIds.length + visibleTeamIds.length + groupIds.length + rights.size;
  return bareBytes + ids * idBytes + fields.bytes + JSON.stringify(state).length;
}

const changesOf = { sql: "select n from caller_changes", args: [] };

/** What callers are made of: triggers of these tables count `caller_changes`. */
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
/** Characters of a statement's text; longer ones are made for one call. */
const longestJudged = 10_000;

function touchesCallers(statement: Statement): boolean {
  let touches = judged.get(statement.sql);
  if (touches === undefined) {
    touches = madeOf.test(statement.sql);
    if (judged.size < 5_000 && statement.sql.length < longestJudged) judged.set(statement.sql, touches);
  }
  return touches;
}
