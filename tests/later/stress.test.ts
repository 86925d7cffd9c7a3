/** Runs of several processes with short leases, while the database is held again and again and runs end early. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { longestRetry } from "../../src/core/retries.ts";
import { sql } from "../../src/db/statements.ts";
import { PlainLine } from "../../src/later/line.ts";
import { Loop } from "../../src/later/loop.ts";
import type { Queue } from "../../src/later/queue.ts";
import { RowLease } from "../../src/later/row_lease.ts";
import { giveBack, type Rows, type RowTask } from "../../src/later/rows.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Database, Statement } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { pause } from "../../src/platform/pause.ts";
import { inFolder } from "../support/engines.ts";

interface Item extends RowTask {
  readonly id: number;
}

const rows: Rows = {
  table: "items",
  index: "items_due",
  waiting: sql`sent = 0`,
  columns: sql`sent`,
  longestWait: longestRetry,
  rate: 0,
  ms: 1_500,
  attemptMs: 800,
};
const items = 900;
const longest = 30_000;
/** Milliseconds in which each process that waits for the database gets it. */
const turn = 300;

/** Adds each item that is sent to `done`. */
function makeQueue(done: number[]): Queue<Item, readonly Statement[]> {
  return {
    limits: { active: 5, all: 5 },
    line: () => new PlainLine(5, 10),
    async attempt(item, { isHeld, now }) {
      await pause(Math.random() * 20);
      if (!isHeld()) return [giveBack(rows, item, now())];
      done.push(item.id);
      await pause(Math.random() * 60);
      return [sql`update items set sent = 1 where id = ${item.id}`];
    },
    record: (results) => results.flat(),
  };
}

/** Runs again and again: for a while or until it is stopped. */
async function workOn(db: Database, done: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const budget = 200 + Math.random() * 2_000;
    const loop = new Loop(makeQueue(done), new RowLease<Item>(rows, db), {
      db,
      clock: systemClock,
      budget,
    });
    const ends = Math.random() < 0.3 ? setTimeout(() => loop.stop(), Math.random() * 600) : undefined;
    await loop.run();
    clearTimeout(ends);
    await pause(20);
  }
}

/**
 * Holds the database: for a moment, or for longer than a lease. In between, each process that waits gets in: a
 * process that is kept from writing for longer than its lease and the head start, while others write, may send again.
 */
async function hold(path: string, isOver: () => boolean): Promise<void> {
  const holder = new DatabaseSync(path, { timeout: 5_000 });
  try {
    while (!isOver()) {
      await pause(turn + Math.random() * 200);
      holder.exec("begin immediate");
      const chance = Math.random();
      await pause(chance < 0.5 ? Math.random() * 100 : 1_500 + Math.random() * 1_000);
      holder.exec("commit");
    }
  } finally {
    holder.close();
  }
}

Deno.test("however runs end and the database is held, each row is attempted, and none twice", () =>
  inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const db = openFile(path);
    await db.script(
      `create table items (id integer primary key, due_at integer, attempts integer, claims integer, sent integer);
      create index items_due on items (due_at, id) where sent = 0;
      create table holds (id integer primary key, since integer);
      with recursive n(id) as (select 1 union all select id + 1 from n where id < ${items})
      insert into items select id, 0, 0, 0, 0 from n`,
    );
    const processes = [db, openFile(path), openFile(path)];
    const done: number[] = [];
    let isOver = false;
    const all = [...processes, db].map((one) => workOn(one, done, () => isOver));
    const holding = hold(path, () => isOver);
    const waiting = async () =>
      (await db.read([sql`select count(*) as n from items where sent = 0`]))[0]!.rows[0]!.n;
    const begun = performance.now();
    while (await waiting() !== 0 && performance.now() - begun < longest) await pause(100);
    isOver = true;
    await Promise.all([...all, holding]);
    for (const one of processes) await one.close();
    assert.deepEqual(done.toSorted((a, b) => a - b), Array.from({ length: items }, (_, place) => place + 1));
  }));
