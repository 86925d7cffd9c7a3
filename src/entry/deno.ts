/** A single box: environment → config → dependencies → HTTP and jobs. */
import { Cron } from "croner";
import { createApp } from "../app.ts";
import type { Config } from "../config.ts";
import { cleanLargeOnThread } from "../core/html.ts";
import { reportSetup } from "../console/setup_code.ts";
import { indexTexts } from "../customers/texts/index_texts.ts";
import type { Deps } from "../deps.ts";
import { reportHold } from "../db/hold.ts";
import type { Bindings } from "../http/address.ts";
import { runJobs } from "../jobs.ts";
import { makeThreadParser } from "../platform/mail/parser_thread.ts";
import { bootstrap } from "./bootstrap.ts";
import { openBox } from "./box.ts";
import { checkFolder } from "./check_folder.ts";
import { checkDescriptors } from "./descriptors.ts";
import { giveMemoryBack, isWatch } from "./give_back.ts";
import { listen } from "./listen.ts";
import { readSettings, stopWith } from "./settings.ts";
import { surviveDefects } from "./survive_defects.ts";

/** Milliseconds of every five seconds that go into updating the text indexes. */
const textsBudget = 4_000;
/** Milliseconds that running work gets after a stop signal. */
const grace = 10_000;

/**
 * Serves until SIGTERM or SIGINT, then finishes the running requests and closes. `ready` receives the
 * address; `build` makes the app.
 */
export async function main(
  ready: (url: string) => void = () => {},
  config: Config = readSettings(),
  build: (deps: Deps) => ReturnType<typeof createApp> = createApp,
): Promise<void> {
  const descriptors = checkDescriptors(config);
  checkFolder(config);
  const { deps, close } = await openBox({ ...config, maxConnections: descriptors.maxConnections });
  cleanLargeOnThread(makeThreadParser().clean);
  await bootstrap(deps);
  const app = build(deps);
  const { host, port } = config;
  const givingBack = giveMemoryBack(deps);
  const serve = (request: Request, bindings: Bindings) => {
    if (!isWatch(request.url)) givingBack.noteCall();
    return app.fetch(request, bindings);
  };
  // Installed before connections are accepted: Deno needs a free file descriptor for its first signal
  // listener.
  const stopped = waitForSignal();
  const server = await listen(serve, { host, port, ...descriptors, light: true }, deps.log);
  surviveDefects(deps.log);
  ready(server.url);
  deps.log.info({ event: "listening", url: server.url });
  await reportHold(deps);
  await reportSetup(deps, config.publicUrl ?? server.url);
  for (const note of listNotesOnMail(config)) deps.log.info(note);
  const jobs = new Cron("* * * * *", { protect: true }, async () => {
    const run = runJobs(deps, deps.clock.now());
    // Closing waits for this run: it records mail that the server has accepted, so that it is sent only once.
    deps.background.run(run);
    await run;
  });

  // Runs every five seconds: a busy minute creates more rows than filters should scan one by one.
  const texts = new Cron("*/5 * * * * *", () => {
    deps.background.run(() => indexTexts(deps, { until: performance.now() + textsBudget }));
  });

  await stopped;
  givingBack.stop();
  const late = setTimeout(() => Deno.exit(0), grace);
  jobs.stop();
  texts.stop();
  deps.eventReaders.stop();
  await server.stop();
  deps.log.info({ event: "stopped" });
  await close();
  clearTimeout(late);
}

/** Returns a log entry for each missing setting that receivers of mail notice. */
function listNotesOnMail({ mailUrl, dkim, publicUrl }: Config): Record<"event" | "note", string>[] {
  if (mailUrl === null) return [];
  return [
    ...(dkim === null
      ? [{ event: "mail_not_signed", note: "DKIM_DOMAIN is not set: the mail server must sign mail." }]
      : []),
    ...(publicUrl?.startsWith("https:") ? [] : [{
      event: "unsubscribe_without_https",
      note: "PUBLIC_URL is not https: mail programs offer no unsubscribing by one click.",
    }]),
  ];
}

function waitForSignal(): Promise<void> {
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
