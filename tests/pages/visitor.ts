/** A person at a browser, and the checks of every page that they see. */
import assert from "node:assert/strict";
import type { AxeResults } from "axe-core";
import { createRequire } from "node:module";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Browser as SignedIn } from "../support/browser.ts";

/** Browser messages that are no fault of the page. */
const harmless = [
  // A form that is answered 4xx.
  /^Failed to load resource: the server responded with a status of 4\d\d/,
  // Typing before the page's first focus keeps the focus.
  /^Autofocus processing was blocked because a document already has a focused element\./,
];

const views = [
  { name: "desktop", width: 1280, height: 800 },
  { name: "phone", width: 375, height: 667 },
] as const;
/** The themes of a page. */
export const schemes = ["light", "dark"] as const;
export type Scheme = typeof schemes[number];

/** The smallest form of the checker, because each page reads it anew. */
export const axe = Deno.readTextFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"));

/** The folder for screenshots. */
const screenshots = Deno.env.get("SCREENSHOTS");

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Checks the current page, wide and narrow, light and dark. */
  looks(name: string): Promise<void>;
  /**
   * Returns the faults of the current page: all rules in the first theme, contrast in the others, and what 320 px
   * cannot hold. By default in both themes.
   */
  faults(themes?: readonly Scheme[]): Promise<string[]>;
  /** Goes through the page with Tab; returns the names of what gets the focus, each of which must show it. */
  focusOrder(): Promise<string[]>;
}

/** Shows a page. A busy service is asked again, as people do: the first long read of a process starts a thread. */
export async function goTo(page: Page, url: string): Promise<number> {
  let status = (await page.goto(url))!.status();
  for (let tries = 1; status === 503 && tries < 10; tries++) status = (await page.goto(url))!.status();
  return status;
}

/** Brings the session of a person who has signed in elsewhere. */
export async function bringSession(page: Page, { origin, cookies }: SignedIn): Promise<void> {
  const value = cookies.get("session")!;
  await page.context().addCookies([{ name: "session", value, url: origin, httpOnly: true }]);
}

/** Opens a browser window of its own, without cookies. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (harmless.some((words) => words.test(message.text()))) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => {
    // Leaving a page before its icon has loaded is no fault of the page.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
    complaints.push(`${request.url()} ${request.failure()?.errorText}`);
  });
  return {
    page,
    async looks(name) {
      const found: string[] = [];
      for (const { name: view, width, height } of views) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          if (screenshots) {
            await page.screenshot({ path: `${screenshots}/${name}-${view}-${colorScheme}.png` });
          }
          // Colours do not depend on the width: two of the four show each.
          const accessible = (colorScheme === "light") === (view === "desktop");
          const faults = [...await overflow(page), ...accessible ? await accessibility(page) : []];
          found.push(...faults.map((fault) => `${view}, ${colorScheme}: ${fault}`));
        }
      }
      assert.deepEqual([...found, ...complaints], [], name);
    },
    async faults(themes = schemes) {
      const [{ width, height }] = views;
      const found: string[] = [];
      for (const [index, colorScheme] of themes.entries()) {
        await page.emulateMedia({ colorScheme });
        const faults = await accessibility(page, index === 0 ? undefined : ["color-contrast"]);
        found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
      }
      await page.setViewportSize({ width: 320, height: 568 });
      found.push(...await overflow(page));
      await page.setViewportSize({ width, height });
      return [...found, ...complaints.splice(0)];
    },
    focusOrder: () => focusOrder(page),
    async [Symbol.asyncDispose]() {
      await context.close();
    },
  };
}

async function overflow(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  return content > window ? [`${content} px of content in ${window} px`] : [];
}

/** `rules`: only these; all by default. */
async function accessibility(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!await page.evaluate<boolean>("'axe' in globalThis")) await page.evaluate(axe);
  // Without other results, it writes no selector for each element that passes, which takes most of its time.
  const options = {
    resultTypes: ["violations"],
    // Part of WCAG 2.2 AA, and not among those that it checks by itself.
    ...(rules ? { runOnly: rules } : { rules: { "target-size": { enabled: true } } }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

const focused = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element.labels?.[0]?.innerText ?? element.innerText;
  return { name, ring: outlineStyle === "solid" ? parseFloat(outlineWidth) : 0 };
})()`;

async function focusOrder(page: Page): Promise<string[]> {
  const next = async () => {
    await page.keyboard.press("Tab");
    return await page.evaluate<{ name: string; ring: number } | null>(focused);
  };
  // Starts anywhere: once to the end, then round from the beginning.
  for (let steps = 0; steps < 20 && await next() !== null; steps++);
  const names: string[] = [];
  for (let at = await next(); at !== null; at = await next()) {
    assert.ok(at.ring >= 2, `${at.name} does not show that it has the focus`);
    names.push(at.name);
    assert.ok(names.length < 20, `the focus does not return to the start: ${names}`);
  }
  return names;
}
