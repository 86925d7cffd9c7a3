/** Pages of the console whose scripts come late, as over a slow network: nothing moves when they begin. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { fillCompany } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import type { Page } from "playwright-core";
import { browserTest } from "./chromium.ts";
import { bringSession, visit } from "./visitor.ts";

/** Notes each shift of the layout from the first paint on. */
const watch = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    shifts.push({ value, of: sources.map(({ node }) => (node?.outerHTML ?? "").slice(0, 80)).join(" ") });
  }
}).observe({ type: "layout-shift", buffered: true });`;

/** Resolves after the first paint with content. */
const begun = `new Promise((done) =>
  new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").length > 0 && done())
    .observe({ type: "paint", buffered: true })
)`;
/** Resolves after what stands on the page has been painted. */
const painted =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))";

interface Shift {
  readonly value: number;
  readonly of: string;
}

/** Begins to show a page, without its scripts. A busy service is asked again. Returns the status. */
async function begin(page: Page, url: string): Promise<number> {
  let status = 503;
  for (let tries = 0; status === 503 && tries < 10; tries++) {
    status = (await page.goto(url, { waitUntil: "commit" }))!.status();
  }
  return status;
}

browserTest("nothing on a page moves when its scripts come after the first paint", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  await app.deps.db.write([
    { sql: "update users set locale = 'de-DE'", args: [] },
    // The browser has the time of the machine.
    {
      sql: "update leads set escalates_at = ? where escalates_at is not null",
      args: [formatTimestamp(Date.now() + 50 * 3_600_000)],
    },
  ]);
  const [found] = await app.sql("select id from cases where status = 'open' limit 1");
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await bringSession(page, session);
  await page.addInitScript({ content: watch });
  let free = () => {};
  let waiting = Promise.resolve();
  await page.route(/\/app\/assets\/.*\.js$/, async (route) => {
    await waiting;
    await route.continue();
  });
  const moved: string[] = [];
  for (const width of [375, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (
      const address of [
        "/app",
        "/app/leads?view=all",
        `/app/cases/${found!.id}`,
        "/app/cases?show=all",
        "/app/customers",
      ]
    ) {
      ({ promise: waiting, resolve: free } = Promise.withResolvers<void>());
      assert.equal(await begin(page, `${app.url}${address}`), 200, address);
      await page.evaluate(begun);
      free();
      await page.waitForLoadState("load");
      await page.evaluate(painted);
      const shifts = await page.evaluate<Shift[]>("shifts");
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      if (sum > 0.02) moved.push(`${address}, ${width} px: ${sum} ${shifts[0]!.of}`);
    }
  }
  assert.deepEqual(moved, []);
});
