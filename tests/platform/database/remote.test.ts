/** The remote driver: round trips, lost answers and tokens. */

import assert from "node:assert/strict";
import Libsql from "libsql";
import {
  DatabaseUnavailable,
  type Statement,
  type ThreadedRead,
  TookTooLong,
} from "../../../src/platform/database/database.ts";
import { openRemote } from "../../../src/platform/database/remote.ts";
import { inFolder } from "../../support/engines.ts";
import { type Hrana, startHrana } from "../../support/hrana.ts";
import { measureUntilGood } from "../../support/measured.ts";

const scan: ThreadedRead = { effort: "scan", company: 1 };

const sql = (text: string): Statement => ({ sql: text, args: [] });

function withHrana(use: (hrana: Hrana, path: string) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/crm.db`;
    const hrana = await startHrana({ path, token: "t" });
    try {
      await use(hrana, path);
    } finally {
      await hrana.close();
    }
  });
}

/** Passes requests on and drops the answers for which `loses` is true. */
function startLossyWay(target: string, loses: () => boolean) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const answer = await fetch(target + pathname, {
      method: request.method,
      headers: request.headers,
      body: await request.arrayBuffer(),
    });
    const body = await answer.arrayBuffer();
    return loses() ? new Response("bad gateway", { status: 502 }) : new Response(body, answer);
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
}

Deno.test("each read and each write is one round trip, even a refused one", () =>
  withHrana(async (hrana) => {
    const db = openRemote(hrana.url, "t");
    await db.write([sql("create table t (n integer primary key)"), sql("insert into t values (1)")]);
    assert.equal(hrana.roundTrips(), 1);
    await db.read([sql("select n from t"), sql("select 1 as one"), sql("select n from t")]);
    assert.equal(hrana.roundTrips(), 2);
    await assert.rejects(db.write([sql("insert into t values (1)")]));
    assert.equal(hrana.roundTrips(), 3);
    hrana.reset();
    assert.equal(hrana.roundTrips(), 0);
    await db.close();
  }));

Deno.test("a write whose answer was lost is not repeated, and fails", () =>
  withHrana(async (hrana) => {
    let losing = false;
    const way = startLossyWay(hrana.url, () => losing);
    const db = openRemote(way.url, "t");
    await db.write([sql("create table t (n integer)")]);
    losing = true;
    hrana.reset();
    await assert.rejects(db.write([sql("insert into t values (1)")]), DatabaseUnavailable);
    assert.equal(hrana.roundTrips(), 1);
    losing = false;
    const [found] = await db.read([sql("select n from t")]);
    assert.deepEqual(found?.rows, [{ n: 1 }]);
    await db.close();
    await way.close();
  }));

Deno.test("a read whose answer was lost is retried", () =>
  withHrana(async (hrana) => {
    let losing = 2;
    const way = startLossyWay(hrana.url, () => losing-- > 0);
    const db = openRemote(way.url, "t");
    const [found] = await db.read([sql("select 1 as one")]);
    assert.deepEqual(found?.rows, [{ one: 1 }]);
    assert.equal(hrana.roundTrips(), 3);
    await db.close();
    await way.close();
  }));

Deno.test("no listener, a wrong token and a late answer all count as unavailable", () =>
  withHrana(async (hrana, path) => {
    const slow = await startHrana({ path, latency: 300 });
    for (
      const db of [
        openRemote("http://127.0.0.1:1", "t"),
        openRemote(hrana.url, "wrong"),
        openRemote(slow.url, undefined, { timeout: 50 }),
      ]
    ) {
      await assert.rejects(db.write([sql("select 1")]), DatabaseUnavailable);
      await db.close();
    }
    await slow.close();
  }));

Deno.test("a remote read that takes too long is abandoned and not retried", () =>
  withHrana(async (_hrana, path) => {
    const slow = await startHrana({ path, latency: 2_000 });
    const db = openRemote(slow.url, undefined, { deadline: 100 });
    const soon = (took: number) => took < 2_000;
    const took = await measureUntilGood(async () => {
      slow.reset();
      const started = performance.now();
      await assert.rejects(db.read([sql("select 1 as one")]), TookTooLong);
      await assert.rejects(db.readOnThread([sql("select 1 as one")], scan), TookTooLong);
      return performance.now() - started;
    }, soon);
    assert.ok(soon(took), `${took} ms`);
    assert.ok(slow.roundTrips() <= 2);
    await db.close();
    await slow.close();
  }));

Deno.test("a write refused for a lock waits until the lock is free", () =>
  withHrana(async (hrana, path) => {
    const db = openRemote(hrana.url, "t");
    await db.write([sql("create table t (n integer)")]);
    const other = new Libsql(path);
    other.exec("begin immediate; insert into t values (1)");
    hrana.reset();
    let answered = false;
    // The outcome is a value, so that a refusal fails this test and is no unhandled rejection.
    const outcome = db.write([sql("insert into t values (2)")])
      .then(() => "written", (error: unknown) => error)
      .finally(() => answered = true);
    while (!answered && hrana.roundTrips() < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(answered, false);
    other.exec("commit");
    assert.equal(await outcome, "written");
    other.close();
    const [found] = await db.read([sql("select n from t order by n")]);
    assert.deepEqual(found?.rows, [{ n: 1 }, { n: 2 }]);
    await db.close();
  }));

Deno.test("a remote database has no stamp", () =>
  withHrana(async (hrana) => {
    const db = openRemote(hrana.url, "t");
    assert.equal(db.stamp(), null);
    await db.close();
  }));
