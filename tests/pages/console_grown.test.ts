/** All pages of the console with long lists, in a browser: what they load, hold and move, and how they are printed. */
import assert from "node:assert/strict";
import { growCompany } from "../console/grown.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { takeSample } from "../support/sample.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

const watch = `globalThis.moved = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) moved += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** The page as it is shown. */
const readShown = `(() => {
  const loaded = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/app/assets/"));
  return {
    elements: document.querySelectorAll("*").length,
    moved,
    again: loaded.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name),
  };
})()`;

/** The page as it is printed: what nobody can press on paper, what is lost, and what nobody can read. */
const readPrinted = `(() => {
  const isSeen = (element) => element.checkVisibility() && element.getClientRects().length > 0 &&
    element.getBoundingClientRect().width > 1;
  const name = (element) => element.tagName.toLowerCase() + " " + element.innerText.trim().slice(0, 30);
  const pressed = "button, input, select, textarea, summary, nav.main, [role=banner], .banner, .skip, .pages, .links";
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.3 * r + 0.6 * g + 0.1 * b;
  };
  const main = document.getElementById("content");
  const cut = [...main.querySelectorAll("*")].filter((one) =>
    isSeen(one) && getComputedStyle(one).overflowX === "auto" && one.scrollWidth > one.clientWidth + 1);
  const text = [...main.querySelectorAll("p, li, dt, dd, h1, h2, td, time")].filter(isSeen);
  return {
    useless: [...document.querySelectorAll(pressed)].filter(isSeen).map(name),
    lost: [...main.querySelectorAll("[data-list] [data-entity] .what, h1, dl.facts")].filter((one) => !one.checkVisibility() && getComputedStyle(one).display !== "contents").map(name),
    bare: [...main.querySelectorAll(".sheet")].filter((one) => isSeen(one) && one.innerText.trim() === "").length,
    cut: cut.map(name),
    pale: text.filter((one) => light(getComputedStyle(one).color) > 140).map(name).slice(0, 3),
    ground: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth,
  };
})()`;

interface Shown {
  readonly elements: number;
  readonly moved: number;
  readonly again: readonly string[];
}

interface Printed {
  readonly useless: readonly string[];
  readonly lost: readonly string[];
  readonly bare: number;
  readonly cut: readonly string[];
  readonly pale: readonly string[];
  readonly ground: string;
  readonly wide: number;
}

/** A sheet of A4 within margins, in CSS pixels. */
const paper = { width: 718, height: 1000 };

browserTest(
  "pages with long lists stand still, load no asset again, and are readable on paper",
  async (browser) => {
    await using app = await startApp();
    const { admin, addresses } = await growCompany(app);
    const session = await signedIn(app, admin);
    await app.deps.db.write([{ sql: "update users set locale = 'de-DE'", args: [] }]);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await bringSession(page, session);
    await page.addInitScript({ content: watch });
    await goTo(page, `${app.url}/app`);
    const faults: string[] = [];
    for (const address of takeSample(addresses)) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ media: "screen", colorScheme: "dark" });
      assert.equal(await goTo(page, `${app.url}${address}`), 200, address);
      const { elements, moved, again } = await page.evaluate<Shown>(readShown);
      if (elements > 3_000) faults.push(`${address}: ${elements} elements`);
      if (moved > 0.02) faults.push(`${address}: moves by ${moved}`);
      if (again.length > 0) faults.push(`${address}: loads ${again} again`);
      await page.setViewportSize(paper);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await page.evaluate("document.documentElement.dataset.theme = 'dark'");
      const printed = await page.evaluate<Printed>(readPrinted);
      for (const name of ["useless", "lost", "cut", "pale"] as const) {
        if (printed[name].length > 0) {
          faults.push(
            `${address}: printed, ${name}: ${printed[name].slice(0, 4).join("; ")}`,
          );
        }
      }
      if (printed.bare > 0) faults.push(`${address}: printed, ${printed.bare} empty boxes`);
      if (printed.wide > paper.width) faults.push(`${address}: printed, ${printed.wide} px wide`);
      if (!/rgba\(0, 0, 0, 0\)|255, 255, 255/.test(printed.ground)) {
        faults.push(
          `${address}: on ${printed.ground}`,
        );
      }
    }
    assert.deepEqual(faults, []);
  },
);
