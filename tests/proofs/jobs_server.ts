/** Runs the jobs on the database file of `DATABASE_URL` on request, at the given time. */
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { runJobs } from "../../src/jobs.ts";
import { movableClock } from "../support/ports.ts";

const clock = movableClock(Date.now());
const { deps } = await openBox(loadConfig(Deno.env.toObject()), { clock });
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, async (request) => {
  clock.set(Number(await request.text()));
  await runJobs(deps, clock.now());
  await deps.background.idle();
  return new Response("done");
});
