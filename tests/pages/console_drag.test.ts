/** Cards of the board are dropped on columns. */
import assert from "node:assert/strict";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { signedIn } from "../console/world.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";
import { startApp } from "../support/app.ts";

browserTest(
  "a card is dropped on a later column, not on an earlier one, and asks before it closes",
  async (browser) => {
    await using app = await startApp();
    const { admin, path } = await makeSales(app);
    const account = await admin.call("POST", "/v1/accounts", {
      fixed_fields: nameFields({ name: "Ada Ltd" }),
    });
    const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
      fixed_fields: nameFields({ first_name: "Ada", last_name: "Byron" }),
    });
    const made = await admin.call("POST", "/v1/cases", {
      contact_id: contact.body.id,
      relations_path_id: path,
    });
    assert.equal(made.status, 201, made.text);
    const session = await signedIn(app, admin);
    await using visitor = await visit(browser);
    const { page } = visitor;
    await bringSession(page, session);
    assert.equal(await goTo(page, `${app.url}/app/cases?view=board&show=all`), 200);
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    const card = page.locator(`[data-entity=case][data-id="${made.body.id}"]`);
    const reads = (text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor();
    const place = { sourcePosition: { x: 4, y: 4 }, targetPosition: { x: 40, y: 60 } };

    await card.dragTo(column("Offer"), place);
    await reads("Moved to Offer.");
    await column("Offer").locator("[data-entity=case]").waitFor();
    await card.dragTo(column("No milestone yet"), place);
    await reads("A milestone that was reached stays reached.");
    assert.equal(await column("Offer").locator("[data-entity=case]").count(), 1);
    await card.dragTo(column("Order"), place);
    await page.getByRole("button", { name: "Close case" }).click();
    await reads("Moved to Order.");
    assert.deepEqual({ ...(await app.sql("select status from cases"))[0] }, { status: "closed" });
  },
);
