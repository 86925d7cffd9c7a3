/** The lease of a task lasts as long as its attempt does, so that no other process attempts it. */
import assert from "node:assert/strict";
import { longestRetry } from "../../src/core/retries.ts";
import { sql } from "../../src/db/statements.ts";
import { Loop } from "../../src/later/loop.ts";
import { RowLease } from "../../src/later/row_lease.ts";
import { type Database, DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { pause } from "../../src/platform/pause.ts";
import { claimAt, type Item, makeQueue, makeRun, readUnsent, rows, withItems } from "./items.ts";

Deno.test("what takes longer than its lease is attempted once, because its attempt renews it", () =>
  withItems(async (path, one) => {
    const other = openFile(path);
    try {
      const done: number[] = [];
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const slow = makeQueue(({ id }) => {
        done.push(id);
        if (done.length === 5) begin();
        return answered;
      });
      const first = makeRun(one, slow, rows.ms, { attemptMs: 80, mayLast: true }).run();
      await begun;
      const quick = makeQueue(({ id }) => Promise.resolve(void done.push(id)));
      // Ten leases, and the head start after the first.
      const until = performance.now() + 3_000;
      while (performance.now() < until) {
        await makeRun(other, quick).run();
        await pause(100);
      }
      answer();
      await first;
      assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      assert.deepEqual(await readUnsent(one), []);
    } finally {
      await other.close();
    }
  }));

Deno.test("a lease that ran out while its process could not write is renewed before others attempt its row", () =>
  withItems(async (_path, db) => {
    await db.write([sql`delete from items where id > 1`]);
    const ms = 60_000;
    let now = Date.now();
    const makeLease = (db: Database) => new RowLease<Item>({ ...rows, ms, mayLast: true }, db);
    // What a process has in hand is kept by its connection: each of these is another process.
    const claimElsewhere = () => claimAt(db, makeLease({ ...db }), now);
    const lease = makeLease(db);
    const [task] = await claimAt(db, lease, now);
    for (let outage = 0; outage < 2; outage++) {
      now += ms + 1;
      assert.deepEqual(await claimElsewhere(), []);
      now += longestRetry;
      // The later of both counts: a clock that is set back does not end a lease early.
      await db.write([lease.renewal!.renew(task!, now), lease.renewal!.renew(task!, now - ms)]);
      now += ms - 1;
      assert.deepEqual(await claimElsewhere(), []);
    }
    now += 1;
    assert.deepEqual(await claimElsewhere(), []);
    now += 2 * longestRetry;
    assert.equal((await claimElsewhere()).length, 1);
    await db.write([lease.renewal!.renew(task!, now + ms)]);
    const [due] = await db.read([sql`select due_at from items`]);
    assert.equal(due!.rows[0]!.due_at, now + ms);
  }));

Deno.test("a renewal that fails is tried again soon", () =>
  withItems(async (_path, one) => {
    await one.write([sql`delete from items where id > 1`]);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let renewals = 0;
    const cutOff: Database = {
      ...one,
      write(statements) {
        if (!statements.some(({ sql }) => sql.includes("max(due_at"))) return one.write(statements);
        if (++renewals < 2) return Promise.reject(new DatabaseUnavailable("away"));
        return one.write(statements).finally(answer);
      },
    };
    await makeRun(cutOff, makeQueue(() => answered), 60_000, { attemptMs: 400, mayLast: true }).run();
    assert.deepEqual(await readUnsent(one), []);
  }));

Deno.test("a clock that is set forward while an attempt lasts lets no other process attempt its row", () =>
  withItems(async (path, one) => {
    await one.write([sql`delete from items where id > 1`]);
    const other = openFile(path);
    try {
      let ahead = 0;
      let attempts = 0;
      const clock = { now: () => Date.now() + ahead };
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const slow = makeQueue(() => {
        begin();
        return ++attempts === 1 ? answered : Promise.resolve();
      });
      const run = (db: Database) => {
        const lease = new RowLease<Item>({ ...rows, ms: 60_000, attemptMs: 40_000, mayLast: true }, db);
        return new Loop(slow, lease, { db, clock, budget: 60_000 }).run();
      };
      const first = run(one);
      await begun;
      ahead = 3_600_000;
      await run(other);
      answer();
      await first;
      assert.equal(attempts, 1);
      assert.deepEqual(await readUnsent(one), []);
    } finally {
      await other.close();
    }
  }));
