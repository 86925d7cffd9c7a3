/** Lists of the console in windows of many widths, with the long words of German. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { fillCompany } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

const lists = [
  "/app",
  "/app/leads?view=all",
  "/app/cases?view=list",
  "/app/customers",
  "/app/customers?kind=accounts",
  "/app/notifications",
  "/app/admin/users",
];
/** A telephone, a tablet, and windows in which the columns of lists just begin, or have room. */
const widths = [320, 375, 767, 768, 1024, 1152, 1280, 1920];

/** The heights of the rows of lists, with the line below them. */
const heights = `[...document.querySelectorAll(".rows > li")].map((row) => Math.round(row.offsetHeight))`;

browserTest("lists fit windows of all widths, and nothing shows sideways", async (browser) => {
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
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await bringSession(page, session);
  const wide: string[] = [];
  for (const address of lists) {
    assert.equal(await goTo(page, `${app.url}${address}`), 200, address);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (needed > width) wide.push(`${address}: ${needed} of ${width} px`);
    }
  }
  assert.deepEqual(wide, []);

  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = new Set<string>();
  for (const address of lists) {
    await goTo(page, `${app.url}${address}`);
    for (const height of await page.evaluate<number[]>(heights)) rows.add(`${address}: ${height} px`);
  }
  assert.deepEqual([...rows].filter((row) => !/ 3[67] px$/.test(row)), [], "rows of a desk have 36 px");
  assert.ok(rows.size >= lists.length, [...rows].join());

  await page.setViewportSize({ width: 375, height: 667 });
  for (const address of ["/app", "/app/leads?view=all"]) {
    await goTo(page, `${app.url}${address}`);
    const accept = page.getByRole("button", { name: /^Annehmen/ }).first();
    const [button, bar] = [await accept.boundingBox(), await page.locator("nav.main").boundingBox()];
    assert.ok(button!.y + button!.height <= bar!.y, `${address}: Accept is below the first screen`);
  }
  await goTo(page, `${app.url}/app/customers?field=contact.last_name&operator=exists&value=`);
  const [row, bar] = await Promise.all([
    page.locator("[data-entity=contact] a").first().boundingBox(),
    page.locator("nav.main").boundingBox(),
  ]);
  assert.ok(row!.y + row!.height <= bar!.y, "the first customer's name is below the first screen");
  const [filter, summary] = [
    page.getByRole("form", { name: "Filter" }),
    page.locator(".narrowing > summary"),
  ];
  assert.equal(await filter.isVisible(), false);
  assert.equal(await summary.innerText(), "Filter: 1 Bedingung");
  await summary.click();
  assert.equal(await filter.isVisible(), true);
  await goTo(page, `${app.url}/app/customers?field=contact.status&operator=gt&value=x`);
  assert.equal(await filter.isVisible(), true, "a filter with a fault is open");
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, `${app.url}/app/customers`);
  assert.deepEqual([await filter.isVisible(), await summary.isVisible()], [true, false]);
  await page.setViewportSize({ width: 375, height: 667 });

  await goTo(page, `${app.url}/app/admin/users/new`);
  await page.getByRole("button", { name: "Benutzer anlegen" }).click();
  const wrong = page.locator("input[aria-invalid=true]").first();
  await wrong.waitFor();
  const frame = "getComputedStyle(document.querySelector('input[aria-invalid=true]')).borderTopColor";
  const other = "getComputedStyle(document.querySelector('main select')).borderTopColor";
  assert.notEqual(await page.evaluate(frame), await page.evaluate(other), "a wrong field is seen");
  const email = page.getByRole("alert").getByRole("link", { name: /^E-Mail-Adresse/ });
  assert.match(await email.innerText(), /Bitte füllen Sie dieses Feld aus\.$/);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const more = await page.locator("nav.main summary").boundingBox();
  assert.ok(more!.x + more!.width <= 375, "More is out of reach of people who need large text");
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 375);
  await goTo(page, `${app.url}/app/admin`);
  assert.deepEqual(
    await page.evaluate("getComputedStyle(document.querySelector('nav.main .more summary')).fontWeight"),
    "600",
    "More shows that a page of it is open",
  );
});
