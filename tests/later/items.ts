/** Items in a database that a loop of later work attempts, for its tests. */
import { longestRetry } from "../../src/core/retries.ts";
import { sql } from "../../src/db/statements.ts";
import { PlainLine } from "../../src/later/line.ts";
import { Loop } from "../../src/later/loop.ts";
import type { Queue } from "../../src/later/queue.ts";
import { RowLease } from "../../src/later/row_lease.ts";
import { giveBack, isUntouched, type Rows, type RowTask } from "../../src/later/rows.ts";
import type { Database, Statement } from "../../src/platform/database/database.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";

export interface Item extends RowTask {
  readonly id: number;
}

export const rows: Rows = {
  table: "items",
  index: "items_due",
  waiting: sql`sent = 0`,
  columns: sql`sent`,
  longestWait: longestRetry,
  rate: 0,
  ms: 300,
  attemptMs: 0,
};

export const markSent = (item: Item): Statement =>
  sql`update items set sent = 1 where ${isUntouched(rows, item)}`;

/** A queue that `handOver` sends, five at once. */
export function makeQueue(
  handOver: (item: Item) => Promise<void>,
  record = markSent,
): Queue<Item, readonly Statement[]> {
  return {
    limits: { active: 5, all: 5 },
    line: () => new PlainLine(5, 0),
    async attempt(item, { isHeld, now }) {
      if (!isHeld()) return [giveBack(rows, item, now())];
      await handOver(item);
      return [record(item)];
    },
    record: (results) => results.flat(),
  };
}

/** A run that could take five rows. */
export const oneLine = new Map([[0, { isBusy: false, capacity: 5, taken: [] }]]);

export function makeRun(
  db: Database,
  queue: ReturnType<typeof makeQueue>,
  ms = rows.ms,
  more: Partial<Rows> = {},
) {
  const lease = new RowLease<Item>({ ...rows, ms, ...more }, db);
  return new Loop(queue, lease, { db, clock: systemClock, budget: 60_000 });
}

/** What a process claims whose run begins at `now`. */
export async function claimAt(db: Database, lease: RowLease<Item>, now: number): Promise<Item[]> {
  const { statements, read } = lease.claim(now, oneLine);
  const results = await db.write(statements);
  return read(results.map(({ rows }) => rows)).tasks.map(([, task]) => task);
}

export async function withItems(test: (path: string, db: Database) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const db = openFile(path);
    try {
      await db.script(
        `create table items (id integer primary key, due_at integer, attempts integer, claims integer, sent integer);
        create index items_due on items (due_at, id) where sent = 0;
        create table holds (id integer primary key, since integer)`,
      );
      for (let id = 1; id <= 10; id++) {
        await db.write([sql`insert into items values (${id}, ${id}, 0, 0, 0)`]);
      }
      await test(path, db);
    } finally {
      await db.close();
    }
  });
}

export async function readUnsent(db: Database): Promise<unknown[]> {
  const [left] = await db.read([sql`select id from items where sent = 0 order by id`]);
  return left!.rows.map(({ id }) => id);
}
