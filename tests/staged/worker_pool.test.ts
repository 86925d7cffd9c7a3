import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { sql } from "../../src/db/statements.ts";
import { openFile } from "../../src/platform/database/file.ts";
import type { Row } from "../../src/platform/database/database.ts";
import { pause } from "../../src/platform/pause.ts";
import { type Sending, WorkerPool } from "../../src/staged/worker_pool.ts";
import { inFolder } from "../support/engines.ts";

interface Item extends Row {
  readonly id: number;
  readonly attempts: number;
}

const lease = 300;

/** Items of a table, claimed like mails with a short lease. `handOver` sends one. */
function sendingOf(handOver: (item: Item) => Promise<void>): Sending<Item> {
  const own = ({ id, attempts }: Item) => sql`id = ${id} and attempts = ${attempts} and sent = 0`;
  return {
    claim: (now) => [
      sql`update items set due_at = ${now + lease}, attempts = attempts + 1 where id =
        (select id from items where sent = 0 and due_at <= ${now} order by due_at, id limit 1)
        returning id, attempts`,
      sql`select exists (select 1 from items where sent = 0 and due_at <= ${now}) as more`,
    ],
    async attempt(item, _now, isHeld) {
      if (!isHeld()) return { serverFailed: false, recording: [] };
      await handOver(item);
      return { serverFailed: false, recording: [sql`update items set sent = 1 where ${own(item)}`] };
    },
    once: {
      beginWithin: lease,
      keysOf: ({ id }) => [String(id)],
      giveBack: (item, due) => [
        sql`update items set due_at = ${due}, attempts = attempts - 1 where ${own(item)}`,
      ],
    },
  };
}

Deno.test("what was sent while the database was held for longer than the lease is sent once", () =>
  inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const [one, other] = [openFile(path), openFile(path)];
    const holder = new DatabaseSync(path, { timeout: 5_000 });
    try {
      await one.script("create table items (id integer primary key, due_at, attempts, sent)");
      for (let id = 1; id <= 10; id++) await one.write([sql`insert into items values (${id}, ${id}, 0, 0)`]);
      const sent: number[] = [];
      const now = () => Date.now();
      const all = Promise.withResolvers<void>();
      const slow = sendingOf(async ({ id }) => {
        sent.push(id);
        if (sent.length === 5) {
          holder.exec("begin immediate");
          all.resolve();
        }
        await all.promise;
      });
      const first = new WorkerPool(one, slow, now, 20_000).run();
      await all.promise;
      // Another process, and another run of this one, look for work while nobody can write.
      const quick = sendingOf(({ id }) => Promise.resolve(void sent.push(id)));
      const later = [other, other, one].map((db) => new WorkerPool(db, quick, now, 20_000).run());
      await pause(2_500);
      holder.exec("rollback");
      await Promise.all([first, ...later]);
      for (const db of [one, other]) await new WorkerPool(db, quick, now, 20_000).run();
      await pause(3_000);
      await new WorkerPool(one, quick, now, 20_000).run();
      assert.deepEqual(sent.toSorted((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const [left] = await one.read([sql`select count(*) as n from items where sent = 0`]);
      assert.equal(left!.rows[0]!.n, 0);
    } finally {
      holder.close();
      await one.close();
      await other.close();
    }
  }));
