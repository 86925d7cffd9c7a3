/** Counts failed attempts in the database, so that all processes share the count. */
import { rateLimited, Stale } from "../../core/errors.ts";
import { declareLimits, type LimitStates, type Policy, reportLimit } from "../../core/rate_limits.ts";
import type { Author } from "../../db/commit.ts";
import { guardUnanswered, KeyTaken } from "../../db/idempotency_keys.ts";
import { isAhead, isPast } from "../../db/moments.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { GuardRefused, guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { hashWithKey } from "../../platform/crypto.ts";
import type { Limit } from "./limits.ts";

/** The parts of a call that counting its failures needs. */
export interface Counting extends Author {
  /** The caller's network address. */
  readonly address: () => string;
  readonly limitStates: LimitStates;
}

/**
 * The limits that apply to a call. Put `read` into the batch of reads and `check` its result before trying
 * anything. Put `guard` into the commit of a success; call `countFailure` to count a failure.
 */
export class Attempts {
  readonly #counting: Counting;
  readonly #limits: readonly Limit[];

  constructor(counting: Counting, limits: readonly Limit[]) {
    this.#counting = counting;
    this.#limits = hashKeys(counting, limits);
  }

  get read(): Statement {
    return selectFailures(this.#limits, this.#counting.now);
  }

  /** Throws 429 when a limit is used up, even for a correct attempt. */
  check(found: Result): void {
    const spent = this.spent(found);
    if (spent) throw rateLimited("Too many attempts", spent.seconds);
  }

  /** Returns the used-up limit with the longest wait, and that wait in seconds; null when none is used up. */
  spent(found: Result): { readonly policy: Policy; readonly seconds: number } | null {
    this.#report(found);
    let longest: { policy: Policy; seconds: number } | null = null;
    for (const { policy, key } of this.#limits) {
      const row = found.rows.find((row) => row.key === key);
      if (!row || (row.failures as number) < policy.quota) continue;
      const seconds = this.#seconds(row.until as number);
      if (seconds > (longest?.seconds ?? 0)) longest = { policy, seconds };
    }
    return longest;
  }

  /** Refuses the batch of a success when concurrent failures have used up a limit. */
  get guard(): Statement {
    return guardThat("attempts", sql`not exists (${selectSpent(asJson(this.#limits), this.#counting.now)})`);
  }

  /**
   * Runs a commit that contains `guard` but had no `check` before. When the guard refuses, reads the limits
   * and throws 429.
   */
  async within<T>(commit: () => Promise<T>): Promise<T> {
    declareLimits(this.#counting.limitStates, this.#limits.map(({ policy }) => policy));
    try {
      return await commit();
    } catch (error) {
      if (error instanceof Stale && error.what === "attempts") {
        const [found] = await this.#counting.deps.db.read([this.read]);
        this.check(found!);
      }
      throw error;
    }
  }

  /** Counts one attempt; commit it after `guard`. */
  get count(): Statement {
    return this.countSeveral(1);
  }

  /** Counts several attempts of one call, which may exceed what was left; commit it after `guard`. */
  countSeveral(number: number): Statement {
    return insertFailures(this.#limits, this.#counting.now, number);
  }

  /** Returns what the least limit leaves; infinite without a limit. `found`: the result of `read`. */
  countLeft(found: Result): number {
    const left = this.#limits.map(({ policy, key }) =>
      policy.quota - Number(found.rows.find((row) => row.key === key)?.failures ?? 0)
    );
    return Math.max(0, Math.min(Infinity, ...left));
  }

  /** Counts amounts that fit into the limits, and refuses the batch when concurrent ones have taken the room. */
  countWithin(number: number): Statement[] {
    if (number === 0 || this.#limits.length === 0) return [];
    const exceeded = sql`select 1 from json_each(${asJson(this.#limits)}) l
      cross join attempts a on a.key = l.value ->> 'key' where a.failures > l.value ->> 'quota'`;
    return [this.guard, this.countSeveral(number), guardThat("attempts", sql`not exists (${exceeded})`)];
  }

  /** Reverts a `count` that began its window. So a call does the same work as others but counts nothing. */
  get uncount(): Statement {
    return sql`delete from attempts
      where key in (select value ->> 'key' from json_each(${asJson(this.#limits)})) and failures = 1`;
  }

  /**
   * Counts a failure. Throws `Stale` when concurrent calls used the limit up: revealing the result would
   * allow more attempts than the limit.
   */
  async countFailure(): Promise<void> {
    const counted = await this.#countUnanswered();
    if (counted.rows.length === 0) throw new Stale("attempts");
    this.#report(counted);
  }

  /** Throws `KeyTaken`, and counts nothing, when another process has answered under the idempotency key. */
  async #countUnanswered(): Promise<Result> {
    const { deps } = this.#counting;
    try {
      return (await deps.db.write([...guardUnanswered(this.#counting), this.count])).at(-1)!;
    } catch (error) {
      throw error instanceof GuardRefused ? new KeyTaken() : error;
    }
  }

  #report(found: Result): void {
    const { limitStates } = this.#counting;
    for (const { policy, key, quiet } of this.#limits) {
      if (quiet === "always") continue;
      const row = found.rows.find((row) => row.key === key);
      const left = policy.quota - ((row?.failures ?? 0) as number);
      if (quiet && left > 0) declareLimits(limitStates, [policy]);
      else reportLimit(limitStates, policy, left, row ? this.#seconds(row.until as number) : policy.window);
    }
  }

  #seconds(until: number): number {
    return Math.ceil((until - this.#counting.now) / 1000);
  }
}

/** Selects the failures of several limits. `Attempts` then checks some of these limits. */
export function selectAttempts(author: Author, limits: readonly Limit[]): Statement {
  return selectFailures(hashKeys(author, limits), author.now);
}

function hashKeys({ deps }: Author, limits: readonly Limit[]): Limit[] {
  return limits.map((limit) => ({ ...limit, key: hashWithKey(deps.secretsKey, "attempts", limit.key) }));
}

function selectFailures(limits: readonly Limit[], now: number): Statement {
  return sql`select a.key, a.failures, a.until from json_each(${asJson(limits)}) l
    cross join attempts a on a.key = l.value ->> 'key' where ${isOpen(now)}`;
}

/** SQL: whether the window of a limit is open. */
function isOpen(now: number): Sql {
  return isAhead(sql`a.until`, now, sql`(l.value ->> 'window') * 1000`);
}

/** SQL: a row for each used-up limit of the JSON list. */
function selectSpent(limits: string, now: number): Sql {
  return sql`select 1 from json_each(${limits}) l cross join attempts a on a.key = l.value ->> 'key'
    where ${isOpen(now)} and a.failures >= l.value ->> 'quota'`;
}

/** Counts attempts for each limit, or none when a limit is used up. Restarts windows that are over. */
function insertFailures(limits: readonly Limit[], now: number, number: number): Statement {
  const json = asJson(limits);
  const isOver = isPast(sql`attempts.until`, now, sql`(excluded.until - ${now})`);
  return sql`insert into attempts (key, failures, until)
    select l.value ->> 'key', ${number}, ${now} + (l.value ->> 'window') * 1000 from json_each(${json}) l
    where not exists (${selectSpent(json, now)}) on conflict (key) do update set
    failures = iif(${isOver}, excluded.failures, failures + excluded.failures), until = iif(${isOver}, excluded.until, until)
    returning key, failures, until`;
}

function asJson(limits: readonly Limit[]): string {
  return JSON.stringify(limits.map(({ key, policy }) => ({ key, ...policy })));
}
