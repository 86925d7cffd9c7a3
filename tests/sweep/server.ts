/**
 * Serves the app over the database file that `DATABASE_URL` names, at the moment `NOW`, without any jobs.
 * Notifications are not sent on: a call has done what it does when it is answered.
 */
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { peerOf } from "../../src/entry/peer.ts";
import { fixedClock } from "../../src/platform/clock.ts";

const { deps } = await openBox(loadConfig(Deno.env.toObject()), {
  clock: fixedClock(Number(Deno.env.get("NOW"))),
});
const app = createApp({ ...deps, kickNotices: () => {} });
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, (request, info) => app.fetch(request, peerOf(info)));
