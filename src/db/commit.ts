/**
 * The unit of work: one write batch carries the change, its events with their deliveries, its notices, its mails,
 * and the answer that is kept under an idempotency key. All of it is there, or nothing.
 */
import { type Answer, type Late, withId, withLate } from "../core/answer.ts";
import { Problem, Stale } from "../core/errors.ts";
import type { Table } from "drizzle-orm";
import {
  GuardRefused,
  NotUnique,
  ReferenceGone,
  type Result,
  type Statement,
} from "../platform/database/database.ts";
import type { Mail } from "../platform/mail/mail.ts";
import type { Deps } from "../deps.ts";
import type { Caller, Client } from "../core/access.ts";
import type { Idempotency } from "./context.ts";
import type { CompanyFields } from "./fields.ts";
import { poolJson } from "./json_pool.ts";
import { KeyTaken, storeAnswer } from "./idempotency_keys.ts";
import { mailStatement } from "./mails.ts";
import { type NotificationDraft, notificationStatement } from "./notifications.ts";
import { type EventDraft, eventStatements } from "./outbox.ts";
import { lastId } from "./statements.ts";

/** On whose behalf: a request's context, or a job's. */
export interface Author {
  readonly deps: Deps;
  readonly now: number;
  readonly at: string;
  readonly client?: Client;
  /** Where the call comes from; missing for what no call asked for. */
  readonly address?: () => string;
  readonly caller?: Caller;
  readonly fields?: CompanyFields;
  readonly idempotency?: Idempotency | null;
  /** What must still be so for anything to be committed, beside what a change guards itself. */
  readonly guards?: readonly Statement[];
}

/** The author of a change to records that have fields. */
export type FieldAuthor = Author & { readonly fields: CompanyFields };

export interface Change {
  /** In order; guards are statements too. */
  readonly statements: readonly Statement[];
  readonly events?: readonly EventDraft[];
  /** What users are told of. */
  readonly notifications?: readonly NotificationDraft[];
  /** Sent after the commit, in the background, and again until the mail server takes them. */
  readonly mails?: readonly Mail[];
  readonly answer: Answer;
  /** The company, where it is not the caller's. */
  readonly companyId?: number;
  /** The table whose integer id this batch gives: bodies then start with `{"id":null`. */
  readonly idFrom?: Table;
  /** A number other than the id that this batch gives. */
  readonly late?: Late;
}

/**
 * Commits the change and gives its answer. Throws `Stale` when a guard refused: what the verb had read is
 * no longer so, and it is to run again from its reads (see `retrying`).
 */
export async function commit(author: Author, change: Change): Promise<Answer> {
  const { deps } = author;
  const id = change.idFrom ? lastId(change.idFrom).sql : null;
  const kept = author.idempotency ? change.answer.body : null;
  const events = change.events ?? [];
  const bodies = events.map((event) => event.body);
  const companyId = () => change.companyId ?? author.caller!.companyId;
  const constants = poolJson(deps.db, kept ? [...bodies, kept] : bodies, { companyId, now: author.now });
  const statements = [...constants.statements, ...author.guards ?? []];
  const fanOuts: number[] = [];
  const tell = (event: EventDraft) => {
    statements.push(...eventStatements(author, companyId(), event, id, change.late));
    fanOuts.push(statements.length - 1);
  };
  events.filter(({ seenBefore }) => seenBefore).forEach(tell);
  statements.push(...change.statements);
  events.filter(({ seenBefore }) => !seenBefore).forEach(tell);
  const told: number[] = [];
  for (const notice of change.notifications ?? []) {
    statements.push(notificationStatement(author, companyId(), notice));
    told.push(statements.length - 1);
  }
  const mails = change.mails ?? [];
  statements.push(...mails.map((mail) => mailStatement(author, mail)));
  if (author.idempotency) statements.push(...storeAnswer(author, change.answer, id, change.late));
  if (id) statements.push({ sql: `select ${id} as number`, args: [] });
  if (change.late) statements.push({ sql: `select ${change.late.sql} as number`, args: [] });

  let results: Result[];
  try {
    results = await deps.db.write(statements);
  } catch (error) {
    throw asStale(error);
  }
  constants.committed();
  deps.callerCache.committed(statements);
  if (author.idempotency) author.idempotency.kept = true;
  if (fanOuts.some((index) => results[index]!.changes > 0)) {
    deps.kick(companyId());
  }
  if (mails.length > 0) deps.kickMails();
  if (told.some((index) => results[index]!.changes > 0)) deps.kickNotifications();
  return given(change, results, id !== null);
}

/** Writes what must be there before the commit of a change, while the author's guards hold; see `commit`. */
export async function writeBefore(author: Author, statements: readonly Statement[]): Promise<Result[]> {
  const guards = author.guards ?? [];
  try {
    return (await author.deps.db.write([...guards, ...statements])).slice(guards.length);
  } catch (error) {
    throw asStale(error);
  }
}

/** The answer with the numbers that the batch gave; they are the last results. */
function given(change: Change, results: Result[], hasId: boolean): Answer {
  let { body } = change.answer;
  if (!body || (!hasId && !change.late)) return change.answer;
  const numbers = results.slice(-2).map((result) => Number(result.rows[0]?.number));
  if (change.late) body = withLate(body, change.late, numbers.pop()!);
  if (hasId) body = withId(body, numbers.pop()!);
  return { ...change.answer, body };
}

function asStale(error: unknown): unknown {
  if (error instanceof NotUnique && error.columns.startsWith("idempotency_keys.")) return new KeyTaken();
  if (error instanceof NotUnique) return new Stale(error.columns);
  if (error instanceof GuardRefused) return new Stale(error.guard);
  if (error instanceof ReferenceGone) return new Stale("a record that it names");
  return error;
}

/** So many that dozens of changes of one record at once all happen. */
const attempts = 16;
/** Milliseconds. */
const longestWait = 250;

/**
 * Runs a verb, again from its reads when the ground moved under it. Waits of chance length between, longer
 * each time, part those that met. Attempts count from 1.
 */
export async function retrying<T>(verb: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await verb(attempt);
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      if (attempt === attempts) {
        throw new Problem(503, "unavailable", "The record is being changed by many at once; try again.", {
          headers: { "Retry-After": "1" },
        });
      }
      const wait = Math.random() * Math.min(longestWait, 5 * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
