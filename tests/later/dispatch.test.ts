/** The dispatch of later work: a wish waits for no attempt of a run that claims no more. */
import assert from "node:assert/strict";
import { longestRetry } from "../../src/core/retries.ts";
import { sql } from "../../src/db/statements.ts";
import { startDispatch } from "../../src/later/dispatch.ts";
import { PlainLine } from "../../src/later/line.ts";
import { Loop } from "../../src/later/loop.ts";
import type { Queue } from "../../src/later/queue.ts";
import { RowLease } from "../../src/later/row_lease.ts";
import { isUntouched, type Rows, type RowTask } from "../../src/later/rows.ts";
import { background } from "../../src/platform/background.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Statement } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";

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
  ms: 60_000,
  attemptMs: 40_000,
  mayLast: true,
};

/** Milliseconds of a run. */
const budget = 300;

/** `add` adds an item that is due. Attempts of items up to 2 last until `answer`; two are attempted at once. */
async function withDispatch(
  test: (given: {
    add(): Promise<void>;
    wake(): void;
    answer(): void;
    /** Resolves when the item is attempted. */
    attempted(id: number): Promise<void>;
    idle(): Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`);
    try {
      await db.script(
        `create table items (id integer primary key, due_at integer, attempts integer, claims integer, sent integer);
        create index items_due on items (due_at, id) where sent = 0;
        create table holds (id integer primary key, since integer)`,
      );
      const { promise: answered, resolve: answer } = Promise.withResolvers<
        void
      >();
      const begun = Array.from(
        { length: 4 },
        () => Promise.withResolvers<void>(),
      );
      const queue: Queue<Item, readonly Statement[]> = {
        limits: { active: 2, all: 2 },
        line: () => new PlainLine(2, 0),
        async attempt(item) {
          begun[item.id]!.resolve();
          if (item.id <= 2) await answered;
          return [
            sql`update items set sent = 1 where ${isUntouched(rows, item)}`,
          ];
        },
        record: (results) => results.flat(),
      };
      const dispatch = startDispatch(
        { background: background(memoryLog()) },
        () =>
          new Loop(queue, new RowLease<Item>(rows, db), {
            db,
            clock: systemClock,
            budget,
          }),
      );
      try {
        await test({
          add: async () =>
            void await db.write([
              sql`insert into items values (null, 1, 0, 0, 0)`,
            ]),
          wake: () => dispatch.wake(undefined),
          answer,
          async attempted(id) {
            const late = setTimeout(
              () => begun[id]!.reject(new Error(`item ${id} is not attempted`)),
              30_000,
            );
            await begun[id]!.promise.finally(() => clearTimeout(late));
          },
          idle: () => dispatch.idle(),
        });
      } finally {
        answer();
        await dispatch.idle();
      }
      const [left] = await db.read([sql`select id from items where sent = 0`]);
      assert.deepEqual(left!.rows, []);
    } finally {
      await db.close();
    }
  });
}

Deno.test("a wish that finds no room in a run is served when its time is over, while its attempts last", () =>
  withDispatch(async ({ add, wake, answer, attempted, idle }) => {
    await add();
    await add();
    wake();
    await Promise.all([attempted(1), attempted(2)]);
    await add();
    wake();
    await attempted(3);
    answer();
    await idle();
  }));

Deno.test("a wish after the time of a run is served while its attempts last", () =>
  withDispatch(async ({ add, wake, answer, attempted, idle }) => {
    await add();
    wake();
    await attempted(1);
    await new Promise((resolve) => setTimeout(resolve, budget + 100));
    await add();
    wake();
    await attempted(2);
    answer();
    await idle();
  }));

Deno.test("what is idle has recorded the attempts of all its runs", () =>
  withDispatch(async ({ add, wake, answer, attempted, idle }) => {
    await add();
    wake();
    await attempted(1);
    await new Promise((resolve) => setTimeout(resolve, budget + 100));
    await add();
    await add();
    wake();
    await attempted(3);
    setTimeout(answer, 50);
    await idle();
  }));
