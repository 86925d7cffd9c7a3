/** The person at the console: who they are, how they read, and what the frame shows of them. */
import { chooseLanguage, type WrittenLanguage } from "../core/languages.ts";
import type { CachedCaller } from "../db/caller_cache.ts";
import { selectCallerBySession } from "../db/caller_guard.ts";
import { sql } from "../db/statements.ts";
import { readKnownCaller } from "../http/steps/caller.ts";
import { sha256 } from "../platform/crypto.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { Preferences } from "./preferences/schema.ts";
import { parsePreferences, selectChosen } from "./preferences/verbs.ts";

export interface Person {
  readonly known: CachedCaller;
  readonly userId: number;
  readonly name: string;
  readonly locale: string;
  readonly language: WrittenLanguage;
  readonly timezone: string;
  readonly currency: string;
  readonly preferences: Preferences;
  /** The number of unread notifications. */
  readonly unread: number;
  /** The id of the record that was opened last. */
  readonly lastOpened: string | null;
  readonly session: {
    /** Epoch milliseconds; null: not since the sign-in. */
    readonly lastUsedAt: number | null;
    /** A wire timestamp. */
    readonly createdAt: string;
  };
}

/** Reads the person with the session of a cookie; read with `readSessionPerson`. */
export function selectPersonBySession(cookie: string, now: number): Statement {
  return selectCallerBySession(sha256(cookie), now, {
    first_name: sql`u.first_name`,
    last_name: sql`u.last_name`,
    locale: sql`u.locale`,
    timezone: sql`u.timezone`,
    currency: sql`c.currency`,
    company_language: sql`c.language`,
    session_created_at: sql`t.created_at`,
    session_last_used_at: sql`t.last_used_at`,
    chosen: selectChosen(sql`u.id`),
    unread: sql`coalesce((select n.unread from notification_counts n where n.user_id = u.id), 0)`,
    last_opened: sql`(select o.opened ->> '$[0].id' from recent_records o where o.user_id = u.id)`,
  });
}

/** Returns the person of a row of `selectPersonBySession`; null without a session. */
export function readSessionPerson(row: Row | undefined, cookie: string, now: number): Person | null {
  if (!row) return null;
  const known = readKnownCaller(row, "session", sha256(cookie), now);
  return {
    known,
    userId: row.user_id as number,
    name: `${row.first_name} ${row.last_name}`.trim(),
    locale: row.locale as string,
    language: chooseLanguage(row.locale as string, row.company_language as string),
    timezone: row.timezone as string,
    currency: row.currency as string,
    preferences: parsePreferences(row.chosen as string | null),
    unread: row.unread as number,
    lastOpened: row.last_opened as string | null,
    session: {
      createdAt: row.session_created_at as string,
      lastUsedAt: row.session_last_used_at as number | null,
    },
  };
}
