/** The filter builder with a script: rows follow their field at once, come by keyboard, and go. */
import assert from "node:assert/strict";
import { signedIn } from "../console/world.ts";
import { bringSession, goTo } from "./visitor.ts";
import { pageTest, press, readHeading } from "./world.ts";

const listFields = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

pageTest("conditions follow their field at once, by keyboard, and a view keeps them", async (place) => {
  const { app, page, looks, company } = place;
  const token = await company.token(company.admin.id);
  const make = async (path: string, fields: Record<string, string>) => {
    const made = await app.call(token, "POST", path, { fixed_fields: listFields(fields) });
    assert.equal(made.status, 201, made.text);
    return made.body.id as string;
  };
  const account = await make("/v1/accounts", { name: "Ada Ltd" });
  for (const last_name of ["Byron", "Burton"]) await make(`/v1/accounts/${account}/contacts`, { last_name });
  const browser = await signedIn(app, company.admin);
  await bringSession(page, browser);
  assert.equal(await goTo(page, `${app.url}/app/customers`), 200);
  const form = page.getByRole("form", { name: "Filter" });
  const [field, condition, value] = ["Field", "Condition", "Value"].map((label) =>
    form.getByLabel(label, { exact: true })
  );
  const operators = () =>
    condition!.first().locator("option").evaluateAll((all) => all.map((one) => one.getAttribute("value")));
  await field!.selectOption("contact.status");
  assert.deepEqual(await operators(), ["eq", "neq", "in", "nin", "exists", "not_exists"]);
  await value!.selectOption({ label: "Customer" });
  await condition!.selectOption("exists");
  assert.equal(await value!.isVisible(), false);
  await field!.selectOption("contact.created_at");
  await condition!.selectOption({ label: "is after" });
  assert.equal(await value!.isVisible(), true);
  assert.match(await form.innerText(), /NOW-3M/);
  await field!.selectOption("account.country");
  await condition!.selectOption("in");
  assert.match(await form.innerText(), /with commas between: Afghanistan,/);
  await field!.selectOption("contact.last_name");
  await condition!.selectOption("sw");
  await value!.fill("b");
  await form.getByRole("button", { name: "Add condition" }).press("Enter");
  assert.equal(await field!.count(), 2);
  assert.equal(await page.evaluate("document.activeElement.id"), "filter-1-field");
  assert.equal(await value!.first().inputValue(), "b", "what was typed stays");
  await field!.nth(1).selectOption("contact.last_name");
  await condition!.nth(1).selectOption("ct");
  await value!.nth(1).fill("yro");
  await value!.nth(1).press("Enter");
  await page.waitForURL(/yro/);
  await page.locator("[data-list=contacts][data-total='1']").waitFor();
  await looks("console-filter");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel("Name of the view").fill("Yro");
  await press(page, "Save view");
  await page.getByRole("status").getByText("View saved.").waitFor();
  const views = page.getByRole("navigation", { name: "Saved views" });
  assert.equal(await views.getByRole("link", { name: "Yro" }).getAttribute("aria-current"), "page");
  assert.deepEqual(await Promise.all([0, 1].map((at) => value!.nth(at).inputValue())), ["b", "yro"]);
  await form.getByRole("link", { name: "Remove row 2" }).click();
  await page.locator("[data-list=contacts][data-total='2']").waitFor();
  assert.equal(await field!.count(), 1);
  await form.getByRole("link", { name: "Clear" }).click();
  await page.getByLabel("Name of the view").waitFor({ state: "detached" });
  assert.equal(await field!.inputValue(), "");
  assert.equal(await value!.inputValue(), "");
  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  await page.locator("[data-list=accounts]").waitFor();
  await field!.selectOption("account.b2c");
  assert.deepEqual(await operators(), ["eq", "neq", "in", "nin", "exists", "not_exists"]);
  await value!.selectOption({ label: "yes" });
  await press(page, "Apply");
  await page.locator("[data-list=accounts][data-total='0']").waitFor();
  assert.equal(await readHeading(page), "Customers");
});
