/** Choices of a company with many people, in a browser: found by name, with the keyboard, with and without scripts. */
import assert from "node:assert/strict";
import { fillCompany } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

browserTest("a person among many is found by name and chosen, with the keyboard", async (browser) => {
  await using app = await startApp();
  const sizes = { contacts: 20, accounts: 5, cases: 5, leads: 5, teams: 3, users: 130 };
  const admin = await fillCompany(app, sizes);
  await app.deps.db.write([{ sql: "update users set locale = 'en-GB'", args: [] }]);
  const session = await signedIn(app, admin);
  const [contact] = await app.sql("select id, team_id from contacts where team_id is not null limit 1");
  const address = `/app/cases/new?contact_id=${contact!.id}`;
  const listed = (await session.get(address)).text;
  const [, options] = /<select[^>]* name="user_id"[^>]*>(.*?)<\/select>/s.exec(listed)!;
  const person = (await app.sql(
    "select id, first_name || ' ' || last_name as name from users where user_type = 3 and active_team_id = ?",
    contact!.team_id!,
  )).find(({ id }) => !options!.includes(`value="${id}"`))!;
  for (const javaScriptEnabled of [true, false]) {
    await using visitor = await visit(browser, { javaScriptEnabled, viewport: { width: 375, height: 667 } });
    const { page } = visitor;
    await bringSession(page, session);
    await goTo(page, `${app.url}${address}`);
    await page.getByLabel("Find a person").fill(String(person.name));
    await page.keyboard.press("Enter");
    const choice = page.getByLabel("Responsible");
    await choice.locator(`option[value="${person.id}"]`).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.locator("select:focus").waitFor();
    assert.equal(await page.locator("select:focus").getAttribute("name"), "user_id");
    await choice.selectOption(String(person.id));
    await page.getByLabel("Team").selectOption(String(contact!.team_id));
    if (javaScriptEnabled) await visitor.looks("choices");
    await page.getByRole("button", { name: "Create case" }).click();
    await page.getByText("Case created.").waitFor();
    const [made] = await app.sql("select user_id from cases order by id desc limit 1");
    assert.equal(made!.user_id, person.id);
  }
});
