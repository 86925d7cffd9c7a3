/** What a browser with an empty cache loads and paints when it shows a page for the first time. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { goTo } from "./visitor.ts";

/** Windows that people have: a telephone, and a desk. */
export const windows = {
  telephone: { width: 375, height: 667 },
  desk: { width: 1280, height: 800 },
} as const;
export type WindowName = keyof typeof windows;

export interface FirstView {
  readonly requests: number;
  /** Bytes over the wire, with the headers of answers. */
  readonly bytes: number;
  /** Bytes of them that are scripts. */
  readonly scriptBytes: number;
  /** The sum of all shifts of the layout. */
  readonly moved: number;
  /** The largest paint: milliseconds after the navigation began, and the element. */
  readonly paint: { readonly at: number; readonly element: string };
}

/** Returns the most bytes of a first view. Other pages than Today may be as large as they are with a warm cache. */
export function mostBytes(address: string): number {
  return (address === "/app" ? 60 : 75) * 1024;
}

/** Notes shifts of the layout and the largest paint, from the first one on. */
const watch = `globalThis.moved = 0;
globalThis.paint = null;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) moved += value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  const { startTime, element } = list.getEntries().at(-1);
  paint = { at: startTime, element: element?.outerHTML.slice(0, 120) ?? "" };
}).observe({ type: "largest-contentful-paint", buffered: true });`;

/** Resolves when what stands on the page has been painted and observed; after many tries in any case. */
const settled = `new Promise((done) => {
  const wait = (left) =>
    requestAnimationFrame(() => setTimeout(() => paint === null && left > 0 ? wait(left - 1) : done(), 50));
  wait(100);
})`;

export interface FirstViewOptions {
  readonly window: WindowName;
  /** Kinds of what the page loads that never come, such as `script`. */
  readonly withheld?: readonly string[];
}

/** Shows the page in a browser window of its own. `cookie`: that of the session. */
export async function readFirstView(
  browser: Browser,
  url: string,
  cookie: string,
  { window, withheld = [] }: FirstViewOptions,
): Promise<FirstView> {
  const context = await browser.newContext({ viewport: windows[window] });
  try {
    await context.addCookies([{ name: "session", value: cookie, url: new URL(url).origin, httpOnly: true }]);
    const page = await context.newPage();
    await page.addInitScript({ content: watch });
    if (withheld.length > 0) {
      await page.route("**/*", (route) => {
        if (!withheld.includes(route.request().resourceType())) return route.continue();
        return route.abort();
      });
    }
    const wire = await context.newCDPSession(page);
    await wire.send("Network.enable");
    const types = new Map<string, string>();
    const sizes = new Map<string, number>();
    // A live page asks for itself again later, which is no part of its first view.
    let isOver = false;
    wire.on("Network.responseReceived", ({ requestId, type }) => {
      if (!isOver) types.set(requestId, type);
    });
    wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!isOver) sizes.set(requestId, encodedDataLength);
    });
    assert.equal(await goTo(page, url), 200, url);
    await page.evaluate(settled);
    isOver = true;
    const sum = (ids: readonly string[]) => ids.reduce((all, id) => all + sizes.get(id)!, 0);
    const loaded = [...sizes.keys()];
    return {
      requests: loaded.length,
      bytes: sum(loaded),
      scriptBytes: sum(loaded.filter((id) => types.get(id) === "Script")),
      moved: await page.evaluate<number>("moved"),
      paint: await page.evaluate<FirstView["paint"]>("paint ?? { at: 0, element: 'nothing' }"),
    };
  } finally {
    await context.close();
  }
}
