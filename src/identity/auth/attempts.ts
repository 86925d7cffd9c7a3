/** Failed attempts, counted in the database so that the count holds over several processes. */
import { Problem } from "../../core/errors.ts";
import { statement } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { emailKey } from "../users/queries.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

export interface Limit {
  readonly key: string;
  /** So many failures are let pass within the window. */
  readonly most: number;
  /** Milliseconds, from the first failure. */
  readonly window: number;
}

/** Ten failures in ten minutes, of what is tried (`kind`) by or on whom (`parts`). */
export function tenInTenMinutes(kind: string, ...parts: readonly (string | number)[]): Limit {
  return { key: sha256(JSON.stringify([kind, ...parts])), most: 10, window: 600_000 };
}

/** A hundred failures in an hour: wrong passwords of one account, wherever they come from. */
export function passwordLimit(email: string): Limit {
  return { key: sha256(JSON.stringify(["password", emailKey(email)])), most: 100, window: 3_600_000 };
}

/** What has failed already; read with `checkAttempts`. */
export function attemptsAt(limit: Limit, now: number): Statement {
  return statement("select failures, until from attempts where key = ? and until > ?", limit.key, now);
}

/** Throws 429 when too much has failed. */
export function checkAttempts(limit: Limit, found: Result, now: number): void {
  const row = found.rows[0];
  if (!row || (row.failures as number) < limit.most) return;
  const seconds = Math.ceil(((row.until as number) - now) / 1000);
  const [quota, span] = [limit.most, limit.window / 1000];
  throw new Problem(429, "rate_limited", `Too many failed attempts; try again in ${seconds} seconds.`, {
    headers: {
      "Retry-After": String(seconds),
      "RateLimit-Policy": `"attempts";q=${quota};w=${span}`,
      RateLimit: `"attempts";r=0;t=${seconds}`,
    },
  });
}

/** Refuses a success that was tried at the same time as too many failures. */
export function guardAttempts(limit: Limit, now: number): Statement {
  const spent = "select 1 from attempts where key = ? and until > ? and failures >= ?";
  return guardThat("attempts", `not exists (${spent})`, [limit.key, now, limit.most]);
}

/** Counts a failure. A window that is over begins anew. */
export function countFailure(limit: Limit, now: number): Statement {
  return statement(
    "insert into attempts (key, failures, until) values (?, 1, ?) on conflict (key) do update set " +
      "failures = iif(until <= ?, 1, failures + 1), until = iif(until <= ?, excluded.until, until)",
    limit.key,
    now + limit.window,
    now,
    now,
  );
}
