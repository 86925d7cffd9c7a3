/** Pages that others change while somebody works on them, pages that are left and shown again, and hidden ones. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { formatTimestamp } from "../../src/core/time.ts";
import { signedIn } from "../console/world.ts";
import { makeSales } from "../sales/leads_world.ts";
import { bringSession, goTo } from "./visitor.ts";
import { pageTest, type PageWorld, readHeading } from "./world.ts";

async function open({ app, page }: PageWorld, path: string, actor: Parameters<typeof signedIn>[1]) {
  const browser = await signedIn(app, actor);
  await bringSession(page, browser);
  assert.equal(await goTo(page, `${app.url}${path}`), 200);
}

/** Waits until an expression holds in the page, which may be loaded meanwhile. The policy of pages forbids others. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await page.evaluate<boolean>(expression).catch(() => false)) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`never: ${expression}`);
}

/** Whether something in it has the focus. */
const focusIsIn = async (part: Locator) => await part.locator(":focus").count() === 1;

pageTest(
  "Today, Leads, the board and Notifications follow what others do, and take nothing away",
  async (place) => {
    const { app, page } = place;
    const { admin, member, lead } = await makeSales(app);
    const first = await lead({ interest: "One" });
    await open(place, "/app", member);
    const search = page.getByRole("combobox", { name: "Search" });
    await search.fill("Half a na");
    const unread = page.getByRole("banner").getByRole("link", { name: /^Notifications/ });
    const before = await unread.getAttribute("aria-label");
    const second = await lead({ interest: "Two" });
    await page.locator(`[data-list=leads] [data-id="${second.id}"]`).waitFor();
    assert.equal(await search.inputValue(), "Half a na");
    assert.ok(await focusIsIn(page.locator("form.search")));
    await page.getByRole("status").filter({ hasText: /\S/ }).waitFor();
    await until(
      page,
      `document.getElementById("notifications").getAttribute("aria-label") !== ${JSON.stringify(before)}`,
    );

    // Looks at once, as a tab does that is shown again.
    const look = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await goTo(page, `${app.url}/app/leads`);
    const row = page.locator(`[data-list=leads] [data-id="${first.id}"]`);
    await row.getByRole("link").first().focus();
    const third = await lead({ interest: "Three" });
    await look();
    await page.locator(`[data-list=leads] [data-id="${third.id}"]`).waitFor();
    assert.ok(
      await focusIsIn(row),
      "the focus stays in its row",
    );
    const accepted = await admin.call("PUT", `/v1/leads/${first.id}/accept`, { user_id: member.id });
    assert.equal(accepted.status, 200, accepted.text);
    await look();
    await page.locator(`[data-id="${first.id}"]:not([data-status=assigned])`).waitFor();
    assert.ok(await focusIsIn(row), "also when it is no more");

    await goTo(page, `${app.url}/app/cases?view=board&show=all`);
    const card = page.locator("[data-entity=case]").first();
    await card.getByText("Move", { exact: true }).first().click();
    const other = await admin.call("PUT", `/v1/leads/${second.id}/accept`, { user_id: member.id });
    assert.equal(other.status, 200, other.text);
    await look();
    await page.locator(`[data-entity=case][data-id="${other.body.case_id}"]`).waitFor();
    assert.equal(await card.getByLabel("Move to").isVisible(), true, "what is open stays open");

    await goTo(page, `${app.url}/app/notifications`);
    const listed = page.locator("[data-list=notifications]");
    const total = Number(await listed.getAttribute("data-total"));
    await lead({ interest: "Four" });
    await look();
    await page.locator(`[data-list=notifications][data-total="${total + 1}"]`).waitFor();
  },
);

pageTest(
  "a countdown says what is left each second at its end, and a hidden page asks for nothing",
  async (place) => {
    const { app, page } = place;
    const { admin, lead } = await makeSales(app);
    const { id } = await lead();
    const now = Date.now();
    const ends = (ms: number) =>
      app.deps.db.write([{
        sql: "update leads set escalates_at = ? where id = ?",
        args: [formatTimestamp(now + ms), id],
      }]);
    await ends(10 * 60_000);
    await page.clock.install({ time: now });
    await open(place, `/app/leads/${id}`, admin);
    const left = page.locator("time[data-countdown]").first();
    await left.filter({ hasText: /^(?:9|10) minutes left$/ }).waitFor();
    await page.clock.fastForward(8 * 60_000);
    await left.filter({ hasText: /^1\d\d seconds left$/ }).waitFor();
    const text = await left.innerText();
    await page.clock.fastForward(2_000);
    await until(page, `document.querySelector("time[data-countdown]").textContent !== "${text}"`);
    await page.clock.fastForward(4 * 60_000);
    await left.filter({ hasText: /^overdue$/ }).waitFor();

    await goTo(page, `${app.url}/app/leads?view=all`);
    let asked = 0;
    page.on("request", () => asked++);
    await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })");
    await page.clock.runFor(30_000);
    assert.equal(asked, 0, "hidden");
    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { get: () => false, configurable: true })",
    );
    const looks = page.waitForRequest(/\/app\/leads\?view=all/);
    await page.clock.runFor(6_000);
    await looks;
  },
);

pageTest(
  "Back and Forward show whole pages, where they were, with their address and title",
  async (place) => {
    const { app, page } = place;
    const { admin, lead } = await makeSales(app);
    for (let n = 0; n < 25; n++) await lead({ interest: `Number ${n}` });
    await page.setViewportSize({ width: 1280, height: 600 });
    await open(place, "/app/leads?view=all", admin);
    const last = page.locator("[data-list=leads] [data-entity=lead]").last().getByRole("link").first();
    await last.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate<number>("scrollY");
    assert.ok(scrolled > 100);
    await last.click();
    await page.waitForURL(/\/app\/leads\/[\da-f-]{36}$/);
    await page.locator("h1:focus").waitFor();
    assert.ok(await page.evaluate<number>("scrollY") < 100, "a page begins at its top");
    const title = await page.title();
    assert.match(title, / · Wayline CRM$/);
    await page.goBack();
    await until(page, "document.querySelector('h1')?.textContent === 'Leads'");
    assert.equal(await page.title(), "Leads · Wayline CRM");
    assert.equal(await page.getByRole("banner").count(), 1);
    assert.equal(await page.getByRole("navigation", { name: "Main" }).count(), 1);
    await until(page, `Math.abs(scrollY - ${scrolled}) < 50`);
    await page.goForward();
    await until(page, `document.title === ${JSON.stringify(title)}`);
    assert.equal(await readHeading(page), title.replace(" · Wayline CRM", ""));
  },
);
