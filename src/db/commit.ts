/**
 * The unit of work: one write batch with the change, its events and their deliveries, its notifications, its
 * mails, and the answer for the idempotency key. It commits completely or not at all.
 */
import type { Answer, Late } from "../core/answer.ts";
import { Problem, refuse, Stale } from "../core/errors.ts";
import { Json, toJson } from "../core/json.ts";
import type { Table } from "drizzle-orm";
import {
  GuardRefused,
  NotUnique,
  type OnRan,
  ReferenceGone,
  type Result,
  type Statement,
} from "../platform/database/database.ts";
import type { Author, FieldAuthor, UserAuthor } from "./author.ts";
import { setMoment } from "./moment.ts";
import { mayAlter } from "./alters.ts";
import { KeyTaken, storeAnswer } from "./idempotency_keys.ts";
import { insertMail, type MailDraft } from "./mails.ts";
import type { NotificationDraft } from "./notifications.ts";
import { type EventDraft, insertEvent, lacks } from "./outbox.ts";
import { rawSql, selectLastId, sql } from "./statements.ts";

export type { Author, FieldAuthor, UserAuthor };

export interface Change<T = unknown> {
  /** In order; includes guards. */
  readonly statements: readonly Statement[];
  readonly events?: readonly EventDraft[];
  /** Notifications of users. */
  readonly notifications?: readonly NotificationDraft[];
  /** Sent in the background after the commit, and retried until the mail server accepts them. */
  readonly mails?: readonly MailDraft[];
  readonly answer: Answer<T>;
  /** The company, when it is not the caller's. */
  readonly companyId?: number;
  /** The table of the record whose integer id this batch assigns. Bodies then have the id 0. */
  readonly idFrom?: Table;
  /** A number, other than the id, that this batch assigns. Bodies then have 0 under its key. */
  readonly late?: Late;
  /** Takes how long the batch ran inside the write lock, where the database reports it. */
  readonly onRan?: OnRan;
}

/**
 * Commits the change and returns its answer. Throws `Stale` when a guard fails: rows changed after the verb
 * read them, and it must run again from its reads (see `retrying`).
 */
export async function commit<T>(author: Author, change: Change<T>): Promise<Answer<T>> {
  const { deps, caller, idempotency } = author;
  const { notifications = [], mails = [], late } = change;
  // Events of one change often have the same body, which is the answer too: each is written once.
  const write = writer();
  const events = (change.events ?? []).map((event) => ({ ...event, body: write(event.body) }));
  const answer = { ...change.answer, body: change.answer.body === null ? null : write(change.answer.body) };
  const kept = findUnchangedBody(author, change, answer.body);
  if (kept) return { ...answer, body: kept };
  const companyId = change.companyId ?? caller?.companyId;
  const id = change.idFrom ? selectLastId(change.idFrom) : null;
  const bodies = new Set<Json>(events.map(({ body }) => body));
  if (idempotency && answer.body) bodies.add(answer.body);
  for (const body of bodies) checkId(body, change);
  const pooled = deps.jsonPool.store(bodies, { companyId, now: author.now });
  // A commit without changes only stores an answer, and does not count as activity of the user.
  const changes = change.statements.length + events.length + notifications.length + mails.length > 0;
  const call = caller && changes ? deps.recordCall(deps.db, author.now, caller) : null;
  const before = events.filter(({ seenBefore }) => seenBefore);
  const written = [...before, ...events.filter(({ seenBefore }) => !seenBefore)]
    .map((event) => insertEvent(author, companyId!, event, id, late));
  const notices = notifications.map((notice) => deps.notify(author, companyId!, notice));
  const statements = [
    setMoment(author.now),
    ...pooled?.statements ?? [],
    ...author.guards ?? [],
    ...written.slice(0, before.length).flat(),
    ...change.statements,
    ...call?.statements ?? [],
    ...written.slice(before.length).flat(),
    ...notices,
    ...mails.map((mail) => insertMail(author, mail, companyId)),
    ...idempotency ? storeAnswer(author, answer, id, late) : [],
    ...id ? [sql`select ${id} as number`] : [],
    ...late ? [sql`select ${rawSql(late.sql)} as number`] : [],
  ];
  let results: Result[];
  try {
    results = await deps.db.write(statements, change.onRan);
  } catch (error) {
    throw asStale(error, statements);
  }
  pooled?.noteCommit();
  call?.noteCommit();
  deps.callerCache.noteCommit(statements);
  if (idempotency) idempotency.kept = true;
  const effective = new Set(statements.filter((_, index) => results[index]!.changes > 0));
  if (events.some(({ only }) => !only)) deps.eventReaders.noteCommit(companyId!);
  if (written.some((ofEvent) => effective.has(ofEvent.at(-1)!))) deps.wakeDeliveries([companyId!]);
  const lanes = (["prompt", "correspondence"] as const)
    .filter((lane) => mails.some((mail) => (mail.lane ?? "prompt") === lane));
  if (lanes.length > 0) deps.wakeMails(lanes);
  if (notices.some((notice) => effective.has(notice))) deps.wakeNotifications();
  return id || late ? withNumbers(change, answer, results) : answer;
}

/** Returns a function that writes each body once. */
function writer(): <B>(body: B | Json<B>) => Json<B> {
  const written = new Map<unknown, Json>();
  return <B>(body: B | Json<B>) => {
    const json = written.get(body) ?? toJson(body);
    written.set(body, json);
    return json as Json<B>;
  };
}

/** Throws for a body that waits for an id when the batch assigns none. */
function checkId({ value }: Json, { idFrom }: Change): void {
  if (!idFrom && lacks(value, "id")) throw new TypeError("a body has the id 0, and the batch assigns none");
}

/**
 * Returns the body of the record that a PUT leaves as it is, or null. Rows are compared first: they have
 * values that no answer shows, and this is quicker than building another body.
 */
function findUnchangedBody<T>(
  { target }: Author,
  { statements, notifications = [], mails = [] }: Change<T>,
  after: Json<T> | null,
) {
  if (!target?.present || !after || notifications.length + mails.length > 0) return null;
  if (statements.length === 0 || statements.some(mayAlter)) return null;
  const before = target.present();
  return stripMoment(before) === stripMoment(after) ? before as Json<T> : null;
}

/** Returns the tag of a body without its times of change. Quotes inside strings are escaped. */
function stripMoment({ tag }: Json): string {
  return tag.replaceAll(/"updated_at":"[^"]*"/g, "");
}

/** Writes rows before the commit of a change, under the author's guards; see `commit`. */
export async function writeBefore(author: Author, statements: readonly Statement[]): Promise<Result[]> {
  const guards = author.guards ?? [];
  const batch = [...guards, ...statements];
  let results: Result[];
  try {
    results = await author.deps.db.write(batch);
  } catch (error) {
    throw asStale(error, batch);
  }
  author.deps.callerCache.noteCommit(statements);
  return results.slice(guards.length);
}

/** Returns the answer with the numbers that the batch assigned. They are the last results of the batch. */
function withNumbers<T>({ idFrom, late }: Change<T>, answer: Answer<T>, results: Result[]): Answer<T> {
  const numbers = results.slice(-2).map((result) => Number(result.rows[0]?.number));
  const assigned = { ...(late && { [late.key]: numbers.pop() }), ...(idFrom && { id: numbers.pop() }) };
  const value = (answer.body as Json<T> | null)?.value;
  const known = Object.entries(assigned).filter(([key]) => lacks(value, key));
  return known.length === 0 ? answer : { ...answer, body: { ...value!, ...Object.fromEntries(known) } };
}

/** Returns the answer to a batch that failed, or `Stale`. */
function asStale(error: unknown, statements: readonly Statement[]): unknown {
  if (error instanceof NotUnique && error.columns.startsWith("idempotency_keys.")) return new KeyTaken();
  if (error instanceof NotUnique) return new Stale(error.columns);
  if (error instanceof GuardRefused) {
    const refused = statements.find(({ refusal }) => refusal?.guard === error.guard)?.refusal;
    return refused ? refuse(refused.answer) : new Stale(error.guard);
  }
  if (error instanceof ReferenceGone) return new Stale("a record that it names");
  return error;
}

/** Enough for dozens of simultaneous changes of one record. */
const attempts = 16;
/** Milliseconds. */
const longestWait = 250;

/**
 * Runs a verb, and runs it again from its reads when it throws `Stale`. Waits a random time in between,
 * longer each time, to separate simultaneous calls. Attempts count from 1.
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
