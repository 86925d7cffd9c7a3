/** Serves the file of `DATABASE_URL` like `start`, but writes events and deliveries after their change. */
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { openDatabase } from "../../src/entry/open_database.ts";
import { readPeer } from "../../src/entry/peer.ts";
import type { Database, Statement } from "../../src/platform/database/database.ts";

/** Milliseconds between a change and its events. */
const lateness = 100;

function late(db: Database): Database {
  const isLate = ({ sql }: Statement) => /^insert into (event_sequences|outbox|deliveries)\s/.test(sql);
  return {
    kind: db.kind,
    read: (statements) => db.read(statements),
    readOnThread: (statements, how) => db.readOnThread(statements, how),
    script: (sql) => db.script(sql),
    stamp: () => db.stamp(),
    isRefusing: () => db.isRefusing(),
    freeBytes: () => db.freeBytes(),
    release: () => db.release(),
    close: () => db.close(),
    async write(statements) {
      const results = await db.write(
        statements.map((each) => isLate(each) ? { sql: "select 1", args: [] } : each),
      );
      const rest = statements.filter(isLate);
      if (rest.length > 0) setTimeout(() => db.write(rest), lateness);
      return results;
    },
  };
}

const config = loadConfig(Deno.env.toObject());
const { deps } = await openBox(config, { db: late(await openDatabase(config)) });
const app = createApp(deps);
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, (request, info) => app.fetch(request, readPeer(info)));
