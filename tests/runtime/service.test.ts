import assert from "node:assert/strict";
import { startProvider } from "../support/openid.ts";
import { measureBundle } from "../support/worker.ts";
import { checkConsole, makeConsole } from "./console.ts";
import { checkFiles } from "./files.ts";
import { inWorkerd, reportWith } from "./in_workerd.ts";
import { checkFeed, checkMetrics } from "./integration.ts";
import { checkNotifications } from "./notifications.ts";
import { checkScripts, makeNamed } from "./scripts.ts";
import { checkDocumentation, checkSignOn, signOnThrough } from "./sso.ts";

/** Steps of one test, because each start of the service in workerd takes two seconds of processor time. */
Deno.test("in workerd", async (t) => {
  await using provider = startProvider(Date.now);
  await inWorkerd(async (app) => ({
    signOn: await signOnThrough(provider, app),
    notified: (await app.company()).admin,
    uploading: (await app.company()).admin,
    console: await makeConsole(app),
    connected: (await app.company()).admin,
    named: await makeNamed(app),
  }), async (all, { signOn, notified, uploading, console, connected, named }) => {
    await t.step(
      "people sign in to the console, see every page, send a form, and ask for what changed",
      () => reportWith(all, checkConsole(all, console)),
    );
    await t.step("the documentation is served", () => reportWith(all, checkDocumentation(all)));
    await t.step(
      "users sign in through a provider, with tokens signed by its keys only",
      () => reportWith(all, checkSignOn(all, signOn)),
    );
    await t.step(
      "a message is listed, mailed and pushed, and cron repeats a failed push",
      () => reportWith(all, checkNotifications(all, notified)),
    );
    await t.step(
      "the feed is read in pages, by waiting and as a stream, and several calls go in one",
      () => reportWith(all, checkFeed(all, connected)),
    );
    await t.step(
      "the metrics are those of the database, for the token of the operator",
      () => reportWith(all, checkMetrics(all)),
    );
    await t.step(
      "files are uploaded, listed, served in parts by links and tokens, exported, drawn, put, published and deleted; letters are served in parts",
      () => reportWith(all, checkFiles(all, uploading)),
    );
    await t.step(
      "letters and charts have a glyph for each character, and no path leads to the fonts",
      () => reportWith(all, checkScripts(all, named)),
    );
  });
});

Deno.test("the bundle leaves room in what Workers takes on its free plan", async () => {
  const size = await measureBundle() / 1024;
  assert.ok(size > 1_000 && size <= 2_300, `${Math.round(size)} KiB`);
});
