/** Every page of the console with the demo company: its words, both themes, and narrow windows. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { fillCompany, listPlaces } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { browserTest } from "./chromium.ts";
import { axe, bringSession, goTo, schemes, visit } from "./visitor.ts";

/** Each page in one of the themes, in turn; with `THEMES=all`, each in both. */
const inBoth = Deno.env.get("THEMES") === "all";

/** Names the forms without a name of their own outside rows, and those with a name inside, where many have the same. */
const readFormFaults = `(() => {
  const name = (form) => form.getAttribute("aria-label") ??
    document.getElementById(form.getAttribute("aria-labelledby"))?.textContent ?? null;
  const forms = [...document.forms].filter((form) => !form.closest("search, [role=search]"));
  const inside = forms.filter((form) => form.closest("[data-entity]"));
  const outside = forms.filter((form) => !inside.includes(form)).map(name);
  return [
    ...inside.filter((form) => name(form) !== null).map((form) => "a form in a row is named " + name(form)),
    ...outside.filter((one, at) => !one || outside.indexOf(one) !== at).map((one) => "no name, or twice: " + one),
  ];
})()`;

browserTest("every page is accessible in both themes and fits narrow windows", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await bringSession(page, session);
  // Words that no line can hold must not widen a page.
  const word = "W".repeat(200);
  await app.deps.db.write([
    { sql: "update contacts set last_name = ?", args: [word] },
    { sql: "update accounts set name = ?", args: [word] },
    { sql: "update notes set note = ?", args: ["W".repeat(5000)] },
    { sql: "update leads set interest = ?, lead_source = ?", args: [word, word] },
  ]);
  // Cheaper than to send it to each page.
  await page.addInitScript({ content: axe });
  const faults: string[] = [];
  const addresses = await listPlaces(app);
  for (const [turn, scheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const address of addresses.filter((_, index) => inBoth || index % schemes.length === turn)) {
      const status = await goTo(page, `${app.url}${address}`);
      if (status !== 200) faults.push(`${address}: ${status}`);
      faults.push(
        ...(await page.evaluate<string[]>(readFormFaults)).map((fault) => `${address}: ${fault}`),
      );
      const text = await page.locator("main").innerText();
      const odd = /\[object|undefined|NaN|null/.exec(text);
      if (odd) faults.push(`${address}: ${odd}`);
      faults.push(...(await visitor.faults([scheme])).map((fault) => `${address}: ${fault}`));
    }
  }
  assert.deepEqual(faults, []);
});
