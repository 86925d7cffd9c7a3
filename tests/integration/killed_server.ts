/**
 * Serves the file of `DATABASE_URL` and runs its jobs until it is killed. Its clock begins at `CLOCK`, which lies
 * behind the leases of the process before it. `PAUSE`: milliseconds before each of its commits, so that a kill comes
 * between two of them.
 */
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { openDatabase } from "../../src/entry/open_database.ts";
import { readPeer } from "../../src/entry/peer.ts";
import { runJobs } from "../../src/jobs.ts";
import { memoryLog } from "../support/ports.ts";

const env = Deno.env.toObject();
const pause = Number(env.PAUSE ?? 0);
const began = Number(env.CLOCK) - Date.now();
const clock = { now: () => began + Date.now() };
const config = loadConfig(env);
const db = await openDatabase(config);
const { write } = db;
let longest = 0;
Object.assign(db, {
  write: async (statements: Parameters<typeof write>[0]) => {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    const before = performance.now();
    const results = await write.call(db, statements);
    longest = Math.max(longest, performance.now() - before);
    return results;
  },
});
const { deps } = await openBox(config, { db, clock, log: memoryLog() });
const app = createApp(deps);
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, (request, info) =>
  // The longest commit, the time of waiting for the other process included, and the memory of this process.
  new URL(request.url).pathname === "/measured"
    ? Response.json({ longest, memory: Deno.memoryUsage().rss })
    : app.fetch(request, readPeer(info)));
while (true) {
  await runJobs(deps, clock.now());
  await deps.background.idle();
  await new Promise((resolve) => setTimeout(resolve, 20));
}
