/** Imports in the window: a file is chosen, checked, mapped, run and reverted in place. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { signedIn } from "../console/world.ts";
import { bringSession } from "./visitor.ts";
import { pageTest, press, readHeading } from "./world.ts";
import type { Page } from "playwright-core";

pageTest("a file is checked, its columns are chosen, and it is imported and reverted", async (window) => {
  const { app, page, company, looks } = window;
  const team = await company.team();
  const browser = await signedIn(app, await company.user({ type: "admin", teams: [team] }));
  await bringSession(page, browser);
  await page.goto(`${app.url}/app/customers`);
  await page.getByRole("link", { name: "Imports" }).click();
  await page.getByRole("link", { name: "New import" }).first().click();
  await page.getByLabel("File", { exact: true }).waitFor();
  await looks("import-new");
  const rows = [
    "Ada;Lovelace;ada@example.org;Engines;10115;first",
    "Charles;Babbage;nothing;Engines;;second",
  ];
  const text = ["Vorname;Nachname;E-Mail;Firma;PLZ;Bemerkung", ...rows].join("\n");
  await page.getByLabel("File", { exact: true }).setInputFiles({
    name: "kunden.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });
  await press(page, "Check the file");
  // The page renews itself until the check is done.
  await page.getByRole("button", { name: "Start the import" }).waitFor();
  await looks("import-checked");
  assert.equal(await page.getByText("Row 2 · E-Mail").count(), 1);
  await page.getByLabel("E-Mail", { exact: true }).selectOption("");
  await page.getByLabel("Bemerkung", { exact: true }).selectOption("title");
  const checked = page.url();
  await press(page, "Check again");
  // It is another import; the first one shows the same words, and its buttons, until the page is there.
  await page.waitForURL((url) => url.href !== checked && /\/imports\/[\da-f-]{36}$/.test(url.pathname));
  await page.getByRole("button", { name: "Start the import" }).waitFor();
  await page.getByText("second").first().waitFor();
  await press(page, "Start the import");
  await page.getByRole("link", { name: "Revert the import" }).waitFor();
  await settle(page);
  await looks("import-done");
  await page.getByRole("link", { name: "Revert the import" }).click();
  await page.getByRole("button", { name: "Revert the import" }).waitFor();
  assert.match(await readHeading(page), /^Revert kunden\.csv/);
  await press(page, "Revert the import");
  await page.getByText("Removed again").waitFor();
  await page.locator("[data-status=reverted]").waitFor();
  await settle(page);
  await looks("import-reverted");
});

/** Ends what fades in or out: meanwhile its contrast is too low. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity).forEach((each) => each.finish())`);
}
