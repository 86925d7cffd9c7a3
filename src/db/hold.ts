/**
 * The hold on everything that leaves the service. A restore begins it, so that nothing goes out a second time; an
 * operator can also hold one queue. It is a row of the database, so it holds for all processes, and each sender asks
 * for it in the statement of its claim.
 */
import { type HeldQueue, heldQueues, holdOfAll, holdRows } from "../core/held_queues.ts";
import { formatTimestamp } from "../core/time.ts";
import type { Deps } from "../deps.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { Author } from "./commit.ts";
import { literal, type Sql, sql } from "./statements.ts";

/** SQL: the queue is not held. Part of each claim. */
export function isReleased(queue: HeldQueue): Sql {
  return sql`not exists (select 1 from holds
    where id in (${literal(holdOfAll)}, ${literal(holdRows[queue])}))`;
}

/** Reads the holds; see `parseHolds`. */
export const holdsRead: Statement = sql`select id, since from holds`;

/** Since when everything and each queue is held, epoch milliseconds; missing: it is not. */
export interface Holds {
  readonly all: number | undefined;
  readonly queues: ReadonlyMap<HeldQueue, number>;
}

/** Reads the results of `holdsRead`. */
export function parseHolds(found: readonly Row[]): Holds {
  const since = new Map(found.map((row) => [Number(row.id), Number(row.since)]));
  const held = heldQueues.flatMap((queue) => {
    const at = since.get(holdRows[queue]);
    return at === undefined ? [] : [[queue, at] as const];
  });
  return { all: since.get(holdOfAll), queues: new Map(held) };
}

/** Begins the hold of a queue, or of everything, at `now` (epoch milliseconds). One that exists goes on. */
export function hold(now: number, queue: HeldQueue | null = null): Statement {
  return sql`insert into holds (id, since) values (${queue === null ? holdOfAll : holdRows[queue]}, ${now})
    on conflict do nothing`;
}

/** Ends the hold of a queue, or all holds. */
export function release(queue: HeldQueue | null = null): Statement {
  return queue === null ? sql`delete from holds` : sql`delete from holds where id = ${holdRows[queue]}`;
}

/**
 * SQL: a row was due at the moment (epoch milliseconds), or its first attempt was under way, which had moved its due
 * time.
 */
export function isOverdue(before: number): Sql {
  return sql`(due_at <= ${before} or (attempts > 0 and error is null))`;
}

/** A kind of what waits during a hold. */
export interface HeldKind {
  readonly queue: HeldQueue;
  /**
   * Reads one row: `n`, how much is due at `now` (epoch milliseconds), and `oldest`, since when the first of it
   * waits, as a timestamp or in epoch milliseconds.
   */
  readonly waiting: (now: number) => Statement;
  /**
   * Drops some of what was due at the moment (epoch milliseconds), and records that where it is listed. A retry that
   * is due later stays. Returns the number; 0: nothing is left.
   */
  readonly drop: (author: Author, before: number) => Promise<number>;
}

/** Returns the words for a queue in a sentence. */
export function queueName(queue: HeldQueue): string {
  return queue.replaceAll("-", " ");
}

/** Logs one line while there is a hold. */
export async function reportHold({ db, log }: Pick<Deps, "db" | "log">): Promise<void> {
  const [found] = await db.read([holdsRead]);
  const { all, queues } = parseHolds(found!.rows);
  if (all !== undefined) {
    log.info({
      event: "held",
      since: formatTimestamp(all),
      note: 'Nothing is sent until "deno task crm release".',
    });
  } else if (queues.size > 0) {
    log.info({
      event: "held",
      queues: [...queues.keys()],
      since: formatTimestamp(Math.min(...queues.values())),
      note: 'These wait until "deno task crm release".',
    });
  }
}
