/** The loop of later work: it loses no result, owns what fails, and attempts nothing twice. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "../../src/db/statements.ts";
import { PlainLine } from "../../src/later/line.ts";
import { Loop } from "../../src/later/loop.ts";
import { RowLease } from "../../src/later/row_lease.ts";
import { isUntouched } from "../../src/later/rows.ts";
import { type Database, DatabaseUnavailable, type Statement } from "../../src/platform/database/database.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { pause } from "../../src/platform/pause.ts";
import { type Item, makeQueue, makeRun, markSent, oneLine, readUnsent, rows, withItems } from "./items.ts";

Deno.test("what was attempted while the database was held for longer than the lease is attempted once", () =>
  withItems(async (path, one) => {
    const other = openFile(path);
    const holder = new DatabaseSync(path, { timeout: 5_000 });
    try {
      const done: number[] = [];
      const { promise: all, resolve } = Promise.withResolvers<void>();
      const slow = makeQueue(async ({ id }) => {
        done.push(id);
        if (done.length === 5) {
          holder.exec("begin immediate");
          resolve();
        }
        await all;
      });
      const first = makeRun(one, slow).run();
      await all;
      // Another process, and another run of this one, look for work while nobody can write.
      const quick = makeQueue(({ id }) => Promise.resolve(void done.push(id)));
      const later = [other, other, one].map((db) => makeRun(db, quick).run().catch(() => {}));
      await pause(2_500);
      holder.exec("rollback");
      await Promise.all([first, ...later]);
      while ((await readUnsent(one)).length > 0) {
        await makeRun(one, quick).run();
        await pause(50);
      }
      assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    } finally {
      holder.close();
      await other.close();
    }
  }));

Deno.test("what has not begun when a run ends does not wait for its last attempts", () =>
  withItems(async (_path, one) => {
    const done: number[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const slow = makeQueue(({ id }) => {
      done.push(id);
      if (done.length === 2) begin();
      return answered;
    });
    const first = makeRun(one, { ...slow, limits: { active: 2, all: 2 } }, 60_000);
    const run = first.run();
    await begun;
    first.stop();
    const quick = makeQueue(({ id }) => Promise.resolve(void done.push(id)));
    const until = performance.now() + 5_000;
    while (done.length < 10 && performance.now() < until) {
      await makeRun(one, quick, 60_000).run();
      await pause(20);
    }
    assert.deepEqual(await readUnsent(one), [1, 2]);
    answer();
    await run;
    assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.deepEqual(await readUnsent(one), []);
  }));

Deno.test("what was attempted is recorded after a stop, once the database is back", () =>
  withItems(async (_path, one) => {
    let isAway = false;
    const cutOff: Database = {
      ...one,
      write(statements) {
        return isAway ? Promise.reject(new DatabaseUnavailable("away")) : one.write(statements);
      },
    };
    const stopping = new AbortController();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let attempts = 0;
    const sends = makeQueue(() => {
      if (++attempts === 5) begin();
      return answered;
    });
    const lease = new RowLease<Item>({ ...rows, ms: 60_000 }, cutOff);
    const ports = { db: cutOff, clock: systemClock, budget: 60_000, stopping: stopping.signal };
    const run = new Loop(sends, lease, ports).run();
    await begun;
    isAway = true;
    answer();
    await pause(400);
    stopping.abort();
    await pause(600);
    isAway = false;
    await run;
    assert.deepEqual(await readUnsent(one), [6, 7, 8, 9, 10]);
  }));

Deno.test("what was attempted while its process could not write is attempted once, when others can write first", () =>
  withItems(async (path, one) => {
    const other = openFile(path);
    try {
      const done: number[] = [];
      let isAway = false;
      const cutOff: Database = {
        ...one,
        write(statements) {
          return isAway ? Promise.reject(new DatabaseUnavailable("away")) : one.write(statements);
        },
      };
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const sends = makeQueue(({ id }) => Promise.resolve(void done.push(id)).then(() => resolve()));
      const first = makeRun(cutOff, sends).run();
      await begun;
      isAway = true;
      // Its tries come further and further apart: the next one is a second after the database is back.
      await pause(900);
      isAway = false;
      while ((await readUnsent(one)).length > 0) {
        await makeRun(other, sends).run();
        await pause(50);
      }
      await first;
      assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    } finally {
      await other.close();
    }
  }));

Deno.test("what a process had in hand that died is attempted by the next, after its lease and a while", () =>
  withItems(async (path, one) => {
    const dead = openFile(path);
    let now = Date.now();
    const runAt = async (db: Database, queue: ReturnType<typeof makeQueue>) => {
      const lease = new RowLease<Item>({ ...rows, ms: 60_000 }, db);
      await new Loop(queue, lease, { db, clock: { now: () => now }, budget: 60_000 }).run();
    };
    try {
      const done: number[] = [];
      const quick = makeQueue(({ id }) => Promise.resolve(void done.push(id)));
      const killed: Database = {
        ...dead,
        write: (statements) => done.length > 0 ? Promise.reject(new Error("dead")) : dead.write(statements),
      };
      await assert.rejects(runAt(killed, quick), /dead/);
      const begun = done.splice(0).length;
      await runAt(one, quick);
      assert.equal(done.length, 10 - begun);
      for (const [wait, attempted] of [[59_000, 0], [2_000, begun], [600_000, 0]] as const) {
        now += wait;
        done.length = 0;
        const asked = performance.now();
        await runAt(one, quick);
        assert.equal(done.length, attempted, `after ${wait} ms`);
        if (attempted > 0) assert.ok(performance.now() - asked >= 2_000, "others record their results first");
      }
      assert.deepEqual(await readUnsent(one), []);
    } finally {
      await dead.close();
    }
  }));

Deno.test("a result that cannot be recorded takes no other along, and the run reports it", () =>
  withItems(async (_path, db) => {
    const wrong = sql`insert into items values (1, 1, 1, 0, 1)`;
    const queue = makeQueue(() => Promise.resolve(), (item) => item.id === 3 ? wrong : markSent(item));
    await assert.rejects(makeRun(db, queue, 60_000).run());
    assert.deepEqual(await readUnsent(db), [3]);
  }));

Deno.test("an attempt that throws takes no other along, and the run reports its error", () =>
  withItems(async (_path, db) => {
    const queue = makeQueue(async ({ id }) => {
      await pause(id === 3 ? 100 : 40);
      if (id === 3) throw new Error("a defect");
    });
    await assert.rejects(makeRun(db, queue, 60_000).run(), /a defect/);
    assert.deepEqual(await readUnsent(db), [3]);
  }));

Deno.test("a stopped run gives back what has not begun", () =>
  withItems(async (_path, db) => {
    const stopping = new AbortController();
    const begun: number[] = [];
    const queue = makeQueue(async ({ id }) => {
      begun.push(id);
      stopping.abort();
      await pause(0);
    });
    const lease = new RowLease<Item>({ ...rows, ms: 60_000 }, db);
    const loop = new Loop({ ...queue, line: () => new PlainLine<Item, readonly Statement[]>(1, 4) }, lease, {
      db,
      clock: systemClock,
      budget: 60_000,
      stopping: stopping.signal,
    });
    assert.equal(await loop.run(), 1);
    const [taken] = await db.read([sql`select id from items where sent = 1 or attempts > 0`]);
    assert.deepEqual(taken!.rows.map(({ id }) => id), begun);
  }));

Deno.test("what a run could not give back is attempted by the same process, after its lease", () =>
  withItems(async (_path, db) => {
    let isAway = false;
    const cutOff: Database = {
      ...db,
      write(statements) {
        return isAway ? Promise.reject(new DatabaseUnavailable("away")) : db.write(statements);
      },
    };
    const queue = {
      ...makeQueue(({ id }) => {
        if (id === 1) return Promise.resolve();
        isAway = true;
        loop.stop();
        return Promise.reject(new Error("a defect"));
      }),
      line: () => new PlainLine<Item, readonly Statement[]>(1, 4),
    };
    const loop = new Loop(queue, new RowLease<Item>(rows, db), {
      db: cutOff,
      clock: systemClock,
      budget: 60_000,
    });
    await assert.rejects(loop.run());
    const quick = makeQueue(() => Promise.resolve());
    for (const until = performance.now() + 10_000; (await readUnsent(db)).length > 0;) {
      assert.ok(performance.now() < until, `left: ${await readUnsent(db)}`);
      await makeRun(db, quick).run();
      await pause(50);
    }
  }));

Deno.test("rows that may be attempted twice are attempted once when the answer to their claim is lost", () =>
  withItems(async (_path, db) => {
    await db.script("alter table items add column state text");
    let claims = 0;
    const losing: Database = {
      ...db,
      async write(statements) {
        const written = await db.write(statements);
        if (statements.some(({ sql }) => sql.includes("returning id, attempts")) && ++claims <= 3) {
          throw new DatabaseUnavailable("the answer is lost");
        }
        return written;
      },
    };
    const files = {
      marks: sql`state = 'running'`,
      unmarks: sql`state = 'pending'`,
      everywhere: { most: 2, isInHand: sql`state = 'running'` },
      mayRepeat: true,
    } as const;
    const done: number[] = [];
    const queue = makeQueue(
      ({ id }) => Promise.resolve(void done.push(id)),
      (item) => sql`update items set sent = 1, state = 'done' where ${isUntouched(rows, item)}`,
    );
    // No lease ends during the run.
    await makeRun(losing, queue, 3_600_000, files).run();
    assert.ok(claims > 3);
    assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const [attempts] = await db.read([sql`select distinct attempts from items`]);
    assert.deepEqual(attempts!.rows, [{ attempts: 1 }]);
  }));

Deno.test("a claim takes back no row that nobody has attempted", () =>
  withItems(async (_path, db) => {
    const [now, ms] = [Date.now(), 60_000];
    const lease = new RowLease<Item>({ ...rows, ms, mayRepeat: true }, db);
    lease.claim(now, oneLine);
    // Another process, whose clock is ahead, has written a row that is due when the lease of the lost claim ends.
    await db.write([sql`insert into items values (11, ${now + ms}, 0, 0, 0)`]);
    await db.write(lease.claim(now + 1_000, oneLine).statements);
    const [found] = await db.read([sql`select due_at, attempts from items where id = 11`]);
    assert.deepEqual(found!.rows, [{ due_at: now + ms, attempts: 0 }]);
  }));

Deno.test("a claim names no lost claims whose lease is over, however long the database was away", () =>
  withItems((_path, db) => {
    const now = Date.now();
    const lease = new RowLease<Item>({ ...rows, ms: 60_000, mayRepeat: true }, db);
    const measure = (after: number) => JSON.stringify(lease.claim(now + after, oneLine).statements).length;
    const sizes = Array.from({ length: 3_600 }, (_, second) => measure(second * 1_000));
    assert.ok(sizes[30]! > sizes[2]!, "the claims before are named");
    assert.equal(sizes.at(-1), sizes[70]);
    return Promise.resolve();
  }));

Deno.test("all processes together have no more rows in hand than a queue may have everywhere", () =>
  withItems(async (path, one) => {
    const other = openFile(path);
    try {
      await one.script("alter table items add column state text");
      let [inHand, most] = [0, 0];
      const slow = makeQueue(async () => {
        most = Math.max(most, ++inHand);
        await pause(5);
        inHand--;
      }, (item) => sql`update items set sent = 1, state = null where ${isUntouched(rows, item)}`);
      const few = {
        marks: sql`state = 'running'`,
        everywhere: { most: 3, isInHand: sql`state = 'running'` },
      };
      while ((await readUnsent(one)).length > 0) {
        await Promise.all([one, other].map((db) => makeRun(db, slow, 60_000, few).run()));
      }
      assert.equal(most, 3);
    } finally {
      await other.close();
    }
  }));

/** Items 1 to 6 have the turn `many`, 7 and 8 have `few`; the others have none. */
const inTurns = `alter table items add column of text;
  create index items_in_turn on items (of, due_at, id) where sent = 0;
  update items set of = iif(id <= 6, 'many', iif(id <= 8, 'few', 'none'));
  create table listed (name text); insert into listed values ('few'), ('many');`;
const turns = { column: "of", index: "items_in_turn", among: sql`select name as turn from listed` };

Deno.test("a run that ends leaves the next turn to the next run, so that no turn waits for all of another", () =>
  withItems(async (_path, db) => {
    await db.script(inTurns);
    const order: number[] = [];
    for (let runs = 0; runs < 4; runs++) {
      const ends = new AbortController();
      const queue = {
        ...makeQueue(({ id }) => Promise.resolve(void order.push(id)).then(() => ends.abort())),
        line: () => new PlainLine<Item, readonly Statement[]>(1, 0),
      };
      const lease = new RowLease<Item>({ ...rows, ms: 60_000, turns }, db);
      const ports = { db, clock: systemClock, budget: 60_000, stopping: ends.signal };
      await new Loop(queue, lease, ports).run();
    }
    assert.deepEqual(order, [7, 1, 8, 2]);
  }));

Deno.test("turns are served one after the other, those that are listed, once other work has gone first", () =>
  withItems(async (_path, db) => {
    await db.script(`${inTurns} create table others (id integer primary key); insert into others values (1)`);
    const order: number[] = [];
    const queue = {
      ...makeQueue(({ id }) => Promise.resolve(void order.push(id))),
      line: () => new PlainLine<Item, readonly Statement[]>(2, 0),
    };
    const more = { turns, yields: () => sql`exists (select 1 from others)` };
    // Another process takes the other work right after the first claim.
    const afterFirst: Database = {
      ...db,
      async write(statements) {
        const results = await db.write(statements);
        if (order.length === 0) await db.write([sql`delete from others`]);
        return results;
      },
    };
    await makeRun(afterFirst, queue, 60_000, more).run();
    assert.deepEqual([order.slice(0, 4).sort(), order.slice(4)], [[1, 2, 7, 8], [3, 4, 5, 6]]);
    assert.deepEqual(await readUnsent(db), [9, 10]);
  }));

Deno.test("a row that is due later than any retry is due, because a clock that was ahead moved it", () =>
  withItems(async (_path, db) => {
    await db.write([sql`update items set due_at = ${Date.now() + 1e12} where id > 5`]);
    await makeRun(db, makeQueue(() => Promise.resolve()), 60_000).run();
    assert.deepEqual(await readUnsent(db), []);
  }));

Deno.test("a row of a queue whose rows can wait for weeks is not due before its time", () =>
  withItems(async (_path, db) => {
    const week = 7 * 86_400_000;
    await db.write([sql`update items set due_at = ${Date.now() + week} where id > 5`]);
    const more = { longestWait: 2 * week };
    await makeRun(db, makeQueue(() => Promise.resolve()), 60_000, more).run();
    assert.deepEqual(await readUnsent(db), [6, 7, 8, 9, 10]);
  }));

Deno.test("a run that waits before its first claim takes nothing that is due after its time", () =>
  withItems(async (_path, db) => {
    const quick = makeQueue(() => Promise.resolve());
    await db.write([sql`update items set due_at = 50`]);
    const run = new Loop(quick, new RowLease<Item>(rows, db), {
      db,
      clock: { now: () => 49 },
      budget: 60_000,
    });
    await pause(20);
    assert.equal(await run.run(), 0);
  }));

Deno.test("what is under way while the clock jumps by an hour or two days, both ways, is attempted once", async () => {
  const hour = 3_600_000;
  for (const jump of [hour, -hour, 48 * hour, -48 * hour]) {
    await withItems(async (_path, db) => {
      let moved = 0;
      const done: number[] = [];
      const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const queue = makeQueue(async ({ id }) => {
        done.push(id);
        if (done.length === 5) begun.resolve();
        await released.promise;
      });
      const run = () =>
        new Loop(queue, new RowLease<Item>({ ...rows, ms: 60_000 }, db), {
          db,
          clock: { now: () => Date.now() + moved },
          budget: 60_000,
        }).run();
      const first = run();
      await begun.promise;
      moved = jump;
      const second = run();
      // The second run takes what nobody has in hand.
      while (done.length < 10) await pause(5);
      released.resolve();
      await Promise.all([first, second]);
      assert.deepEqual(done.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], String(jump));
      assert.deepEqual(await readUnsent(db), [], String(jump));
    });
  }
});
