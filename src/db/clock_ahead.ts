/** Corrects rows that were made while a clock was ahead: they then last as long as if they were made now. */
import { furthest } from "../core/clocks.ts";
import { lifetimes } from "../core/lifetimes.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { inSteps, stepRows } from "./expiry.ts";
import { never } from "./mails.ts";
import { identifier, joined, sql } from "./statements.ts";

interface Kind {
  readonly table: string;
  /**
   * Columns of epoch milliseconds. The first has an index and is at most `longest` after the row's creation.
   */
  readonly columns: readonly [string, ...string[]];
  readonly longest: number;
}

/** Rows whose end counts from `created_at`. */
const dated: readonly Kind[] = [
  { table: "access_tokens", columns: ["expires_at"], longest: lifetimes.accessToken },
  { table: "refresh_tokens", columns: ["expires_at"], longest: lifetimes.refreshToken },
  {
    table: "authorization_codes",
    columns: ["kept_until", "expires_at"],
    longest: lifetimes.authorizationCodeKept,
  },
  {
    table: "device_codes",
    columns: ["kept_until", "expires_at", "poll_at"],
    longest: lifetimes.deviceCodeKept,
  },
  { table: "sessions", columns: ["expires_at"], longest: lifetimes.session },
  { table: "sign_ons", columns: ["expires_at"], longest: lifetimes.signOn },
  { table: "password_resets", columns: ["expires_at"], longest: lifetimes.passwordReset },
  { table: "invitations", columns: ["expires_at"], longest: lifetimes.invitation },
  { table: "notifications", columns: ["expires_at"], longest: lifetimes.unlistedNotification },
  { table: "report_exports", columns: ["expires_at"], longest: lifetimes.reportExport },
  { table: "imports", columns: ["removed_at"], longest: lifetimes.import },
  { table: "report_charts", columns: ["expires_at"], longest: lifetimes.chart },
];

/**
 * Rows whose end does not count from `created_at`. Rows that wait, such as mail to be sent, have the end
 * `never`.
 */
const undated: readonly Kind[] = [
  { table: "idempotency_keys", columns: ["expires_at"], longest: lifetimes.idempotencyKey },
  { table: "mails", columns: ["expires_at"], longest: lifetimes.endedMail },
  { table: "imports", columns: ["expires_at"], longest: lifetimes.importUndo },
];

/**
 * Moves ends that are further away than the longest lifetime of their kind, as if the rows were made at `now`
 * (epoch milliseconds). Returns the number of moved rows.
 */
export async function endInTime({ db }: { readonly db: Database }, now: number): Promise<number> {
  let moved = 0;
  for (const kind of dated) moved += await inSteps(db, [fromNow(kind, now)]);
  for (const kind of undated) moved += await inSteps(db, [cut(kind, now)]);
  return moved;
}

function fromNow({ table, columns, longest }: Kind, now: number): Statement {
  const ahead = sql`(unixepoch(created_at) * 1000 - ${now})`;
  const moved = columns.map((column) => sql`${identifier(column)} = ${identifier(column)} - ${ahead}`);
  return sql`update ${identifier(table)} set ${joined(moved, ", ")} where rowid in (select rowid from ${
    identifier(table)
  }
    where ${identifier(columns[0])} > ${furthest(now, longest)} and created_at > ${formatTimestamp(now)}
    limit ${stepRows})`;
}

function cut({ table, columns: [end], longest }: Kind, now: number): Statement {
  return sql`update ${identifier(table)} set ${identifier(end)} = ${
    now + longest
  } where rowid in (select rowid
    from ${identifier(table)} where ${identifier(end)} > ${furthest(now, longest)} and ${
    identifier(end)
  } < ${never}
    limit ${stepRows})`;
}
