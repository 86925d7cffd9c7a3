/** Sessions of people on the pages. The cookie has 256 random bits; the database stores its SHA-256. */
import { lifetimes } from "../../core/lifetimes.ts";
import { and, eq, gt } from "drizzle-orm";
import { parse, serialize } from "hono/utils/cookie";
import { makeToken } from "../../core/ids.ts";
import { chooseLanguage, type WrittenLanguage } from "../../core/languages.ts";
import { parseTimestamp } from "../../core/time.ts";
import type { Author } from "../../db/commit.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { insert, remove, type Sql, sql } from "../../db/statements.ts";
import { hmacSha256Base64, sha256, timingSafeEqualText } from "../../platform/crypto.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { sessions } from "./table.ts";
import { isLocal } from "../../http/request.ts";

/** Seconds. */
const lifetime = lifetimes.session / 1000;
/** Milliseconds. */
const slidesEach = 24 * 3_600_000;
/** Characters of `User-Agent` that are kept. */
const longestAgent = 500;

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly company_id: number;
  readonly language: WrittenLanguage;
}

/** Returns the session cookie of a request; null when it is absent or malformed. */
export function readSessionCookie(headers: Headers, origin: string): string | null {
  const value = parse(headers.get("cookie") ?? "")[nameAt(origin)];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/** Creates a cookie value. Visitors without a session get one too. */
export const newCookie = makeToken;

/** `Set-Cookie` for a value; null deletes the cookie. `seconds`: how long the browser keeps it. */
export function setCookie(value: string | null, origin: string, seconds: number = lifetime): string {
  const local = isLocal(origin);
  return serialize(nameAt(origin), value ?? "", {
    httpOnly: true,
    sameSite: "Lax",
    secure: !local,
    path: "/",
    maxAge: value === null ? 0 : seconds,
  });
}

/** The cookie's name. Browsers accept a cookie with the prefix `__Host-` only from the host itself. */
function nameAt(origin: string): string {
  return isLocal(origin) ? "session" : "__Host-session";
}

/** The person with the session; read with `readPerson`. */
export function selectSession(cookie: string | null, now: number): Statement {
  return sql`select u.id, u.email, u.company_id, u.locale, c.language from sessions s
    join users u on u.id = s.user_id
    join companies c on c.id = u.company_id
    where s.hash = ${sha256(cookie ?? "")} and s.expires_at > ${now} and u.deleted_at is null
    and c.deleted_at is null`;
}

export function readPerson(found: Result): Person | null {
  const row = found.rows[0];
  if (!row) return null;
  return {
    id: row.id as number,
    email: row.email as string,
    company_id: row.company_id as number,
    language: chooseLanguage(row.locale as string, row.language as string),
  };
}

const liveSession = prepareQuery((hash: Param<string>, userId: Param<number>, now: Param<number>) =>
  drizzle.select({ hash: sessions.hash }).from(sessions)
    .where(and(eq(sessions.hash, hash), eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
);

/** Refuses the batch when the session has ended, for example because of a new password. */
export function guardSession({ cookie, now }: { cookie: string; now: number }, { id }: Person): Statement {
  return guardThat("session", sql`exists (${liveSession(sha256(cookie), id, now)})`);
}

/**
 * Opens a session of the user (an id, or SQL for one) with a fresh cookie, and ends the session of the old
 * one.
 */
export function openSession(
  author: Author & { readonly request: Request },
  userId: number | Sql,
  cookie: string,
  before: string | null,
): Statement[] {
  const agent = author.request.headers.get("user-agent");
  return [
    ...(before === null ? [] : [endSession(before)]),
    insert(sessions, {
      hash: sha256(cookie),
      id: crypto.randomUUID(),
      user_id: userId,
      expires_at: author.now + lifetime * 1000,
      created_at: author.at,
      user_agent: agent && agent.slice(0, longestAgent),
      address: author.address?.() ?? null,
    }),
  ];
}

/**
 * Moves the end of a session that is in use, at most once a day, and never past its whole lifetime. Returns the
 * statement and the seconds that are left; null when nothing is to be moved.
 */
export function slideSession(
  cookie: string,
  { createdAt, lastUsedAt }: { readonly createdAt: string; readonly lastUsedAt: number | null },
  now: number,
): { readonly statement: Statement; readonly seconds: number } | null {
  const started = parseTimestamp(createdAt) ?? now;
  if (now - (lastUsedAt ?? started) < slidesEach) return null;
  const end = Math.min(now + lifetimes.session, started + lifetimes.wholeSession);
  return {
    statement: sql`update sessions set expires_at = ${end}, last_used_at = ${now}
      where hash = ${sha256(cookie)} and expires_at > ${now}`,
    seconds: Math.max(0, Math.floor((end - now) / 1000)),
  };
}

/**
 * Returns the cookie that replaces another one of the same session. It follows from the key of the form, so that a
 * form that is sent twice gets one cookie.
 */
export function renewCookie(secretsKey: Uint8Array, cookie: string, key: string): string {
  const hash = hmacSha256Base64(secretsKey, `cookie\n${cookie}\n${key}`);
  return hash.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

/** Gives a session another cookie. The old one opens nothing any more. */
export function replaceCookie(before: string, after: string): Statement {
  return sql`update sessions set hash = ${sha256(after)} where hash = ${sha256(before)}`;
}

export function endSession(cookie: string): Statement {
  return remove(sessions, { hash: sha256(cookie) });
}

/**
 * Returns the form token for a cookie, or for the identifier of a session. It proves that a form is ours, since only
 * the service has the key.
 */
export function makeFormToken(secretsKey: Uint8Array, session: string): string {
  return hmacSha256Base64(secretsKey, `form\n${session}`);
}

export function fitsForm(secretsKey: Uint8Array, session: string | null, token: string | null): boolean {
  return session !== null && token !== null && timingSafeEqualText(makeFormToken(secretsKey, session), token);
}
