/** A single box: environment → config → the world → HTTP, with the jobs beside it. */
import { Cron } from "croner";
import { createApp } from "../app.ts";
import type { Config } from "../config.ts";
import { indexTexts } from "../customers/texts/index_texts.ts";
import type { Bindings } from "../http/address.ts";
import { runJobs } from "../jobs.ts";
import { bootstrap } from "./bootstrap.ts";
import { openBox } from "./box.ts";
import { checkFolder } from "./check_folder.ts";
import { roomOf } from "./descriptors.ts";
import { listen } from "./listen.ts";
import { readSettings, stopWith } from "./settings.ts";

/** Milliseconds in which the indexes of texts are brought up to date, of every five seconds. */
const textsBudget = 4_000;
/** Milliseconds for what runs when the process is told to stop. */
const grace = 10_000;

/** Serves until SIGTERM or SIGINT, then answers what it has begun and closes. `ready` hears the address. */
export async function main(
  ready: (url: string) => void = () => {},
  config: Config = readSettings(),
): Promise<void> {
  const room = roomOf(config);
  checkFolder(config);
  const { deps, close } = await openBox(config);
  await bootstrap(deps);
  const app = createApp(deps);
  const { host, port } = config;
  const serve = (request: Request, bindings: Bindings) => app.fetch(request, bindings);
  // Before there are connections: Deno ends when it has no file left to hear its first signal by.
  const stopped = told();
  const server = await listen(serve, { host, port, ...room, light: true }, deps.log);
  deps.log.info({ event: "listening", url: server.url });
  ready(server.url);
  const jobs = new Cron("* * * * *", { protect: true }, async () => {
    await runJobs(deps, deps.clock.now());
  });

  // What is made in a minute at a busy time is more than filters should look at row by row.
  const texts = new Cron("*/5 * * * * *", () => {
    deps.background.run(() => indexTexts(deps, { until: performance.now() + textsBudget }));
  });

  await stopped;
  const late = setTimeout(() => Deno.exit(0), grace);
  jobs.stop();
  texts.stop();
  await server.stop();
  deps.log.info({ event: "stopped" });
  await close();
  clearTimeout(late);
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, resolve);
  });
}

if (import.meta.main) {
  try {
    await main();
    Deno.exit(0);
  } catch (error) {
    stopWith(error);
  }
}
