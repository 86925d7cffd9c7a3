/** Every page of the console with the demo company: its words, both themes, and narrow windows. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { fillCompany, placesOf } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { browserTest } from "./chromium.ts";
import { goTo, visit } from "./visitor.ts";

browserTest("every page is accessible in both themes and fits narrow windows", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await page.context().addCookies([
    { name: "session", value: session.cookies.get("session")!, url: app.url, httpOnly: true },
  ]);
  // Words that no line can hold must not widen a page.
  const word = "W".repeat(200);
  await app.deps.db.write([
    { sql: "update contacts set last_name = ?", args: [word] },
    { sql: "update accounts set name = ?", args: [word] },
    { sql: "update notes set note = ?", args: ["W".repeat(5000)] },
    { sql: "update leads set interest = ?, lead_source = ?", args: [word, word] },
  ]);
  const faults: string[] = [];
  for (const address of await placesOf(app)) {
    const status = await goTo(page, `${app.url}${address}`);
    if (status !== 200) faults.push(`${address}: ${status}`);
    const text = await page.locator("main").innerText();
    const odd = /\[object|undefined|NaN|null/.exec(text);
    if (odd) faults.push(`${address}: ${odd}`);
    faults.push(...(await visitor.faults()).map((fault) => `${address}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});
